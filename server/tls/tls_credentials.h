// TLS for a gRPC server, with certificates that may be replaced while it runs.

#ifndef KIBITZ_SERVER_TLS_TLS_CREDENTIALS_H_
#define KIBITZ_SERVER_TLS_TLS_CREDENTIALS_H_

#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "grpc/grpc_security.h"
#include "grpcpp/security/server_credentials.h"
#include "server/files/files.h"
#include "server/tls/certificates.h"

namespace kibitz::server {

// gRPC asks for the certificates at each new connection. Its own watcher of files would take whatever it finds there,
// and with a key that is not the certificate's let nobody in any more; here those that are no good never get so far.
//
// Must outlive the server. All methods may be called from any thread, but Refresh by one at a time.
class TlsCredentials final : public grpc::ServerCredentials {
 public:
  // An error names the file at fault and says what to do.
  static absl::StatusOr<std::shared_ptr<TlsCredentials>> Open(const TlsFiles& files);

  // Looks whether the files have changed. New connections then see the new certificates; those that are no good are
  // logged, and the old ones stay.
  void Refresh();

  // When the server's certificate expires.
  Certificates::Time NotAfter() const;

  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>& processor) override;

 private:
  TlsCredentials(const TlsFiles& files, FileWatch watch, Certificates certificates);

  int AddPortToServer(const std::string& address, grpc_server* server) override;
  static grpc_ssl_certificate_config_reload_status Fetch(void* self, grpc_ssl_server_certificate_config** config);

  const TlsFiles files_;
  FileWatch watch_;
  mutable std::mutex mutex_;  // guards what follows
  Certificates certificates_;
  bool fetched_ = false;  // gRPC has them
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_TLS_TLS_CREDENTIALS_H_
