// Shows the metrics to Prometheus, over HTTP.

#ifndef KIBITZ_SERVER_METRICS_EXPORTER_H_
#define KIBITZ_SERVER_METRICS_EXPORTER_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/metrics/server_status.h"
#include "server/rpc/listen_address.h"

namespace prometheus {
class Collectable;
class Exposer;
}  // namespace prometheus

namespace kibitz::server {

// Where to show them, from "HOST:PORT" or a port alone, which is one of this machine's own.
absl::StatusOr<ListenAddress> ParseMetricsAddress(absl::string_view text);

// Answers GET /metrics until it is destroyed, on threads of its own. Whoever can reach the address can read them.
class Exporter {
 public:
  // `read` is asked at every scrape, and must be ready for that as long as the exporter lives. An error says what is
  // wrong with the address and what to do.
  static absl::StatusOr<std::unique_ptr<Exporter>> Start(const ListenAddress& address,
                                                         std::function<ServerStatus()> read);
  ~Exporter();

  // "http://127.0.0.1:9464/metrics".
  const std::string& url() const { return url_; }

 private:
  Exporter() = default;

  std::shared_ptr<prometheus::Collectable> metrics_;
  std::unique_ptr<prometheus::Exposer> exposer_;
  std::string url_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_METRICS_EXPORTER_H_
