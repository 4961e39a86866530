#include "server/tls/tls_credentials.h"

#include <chrono>
#include <utility>

#include "grpc/grpc.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {

using std::chrono::system_clock;

absl::StatusOr<std::shared_ptr<TlsCredentials>> TlsCredentials::Open(const TlsFiles& files) {
  // It looks before they are read, so that it sees whatever is written later.
  FileWatch watch({files.certificate, files.key, files.client_ca});
  absl::StatusOr<Certificates> certificates = ReadCertificates(files, system_clock::now());
  if (!certificates.ok()) return certificates.status();
  return std::shared_ptr<TlsCredentials>(new TlsCredentials(files, std::move(watch), *std::move(certificates)));
}

TlsCredentials::TlsCredentials(const TlsFiles& files, FileWatch watch, Certificates certificates)
    : files_(files), watch_(std::move(watch)), certificates_(std::move(certificates)) {}

void TlsCredentials::Refresh() {
  if (!watch_.Changed()) return;
  absl::StatusOr<Certificates> certificates = ReadCertificates(files_, system_clock::now());
  if (!certificates.ok()) {
    spdlog::error("the new certificates are not used, the old ones stay: {}",
                  std::string(certificates.status().message()));
    return;
  }
  std::lock_guard lock(mutex_);
  certificates_ = *std::move(certificates);
  fetched_ = false;
  spdlog::info("new connections see the certificate of {} from now on", files_.certificate);
}

Certificates::Time TlsCredentials::NotAfter() const {
  std::lock_guard lock(mutex_);
  return certificates_.not_after;
}

// Who calls is found out by the steps of the chain.
void TlsCredentials::SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>& /*processor*/) {}

int TlsCredentials::AddPortToServer(const std::string& address, grpc_server* server) {
  const auto asked = files_.client_ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                              : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
  grpc_server_credentials* const credentials = grpc_ssl_server_credentials_create_with_options(
      grpc_ssl_server_credentials_create_options_using_config_fetcher(asked, &Fetch, this));
  const int port = grpc_server_add_http2_port(server, address.c_str(), credentials);
  grpc_server_credentials_release(credentials);
  return port;
}

grpc_ssl_certificate_config_reload_status TlsCredentials::Fetch(void* self,
                                                                grpc_ssl_server_certificate_config** config) {
  auto& credentials = *static_cast<TlsCredentials*>(self);
  std::lock_guard lock(credentials.mutex_);
  if (credentials.fetched_) return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED;
  const Certificates& certificates = credentials.certificates_;
  const grpc_ssl_pem_key_cert_pair pair{.private_key = certificates.key.c_str(),
                                        .cert_chain = certificates.chain.c_str()};
  // gRPC insists on some authority for clients even where they are not asked for a certificate. It is not used then.
  const std::string& authority = certificates.client_ca.empty() ? certificates.chain : certificates.client_ca;
  *config = grpc_ssl_server_certificate_config_create(authority.c_str(), &pair, /*num_key_cert_pairs=*/1);
  credentials.fetched_ = true;
  return GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
}

}  // namespace kibitz::server
