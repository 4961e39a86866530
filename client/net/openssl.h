// OpenSSL's objects, freed by their owners.

#ifndef KIBITZ_CLIENT_NET_OPENSSL_H_
#define KIBITZ_CLIENT_NET_OPENSSL_H_

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>

namespace kibitz::client {

template <auto kFree>
struct FreeBy {
  template <typename Object>
  void operator()(Object* object) const {
    kFree(object);
  }
};

using BioPointer = std::unique_ptr<BIO, FreeBy<BIO_free>>;
using KeyPointer = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using NamesPointer = std::unique_ptr<GENERAL_NAMES, FreeBy<GENERAL_NAMES_free>>;
using SslContextPointer = std::unique_ptr<SSL_CTX, FreeBy<SSL_CTX_free>>;
using SslPointer = std::unique_ptr<SSL, FreeBy<SSL_free>>;
using X509Pointer = std::unique_ptr<X509, FreeBy<X509_free>>;

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_NET_OPENSSL_H_
