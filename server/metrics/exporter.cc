#include "server/metrics/exporter.h"

#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <exception>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "prometheus/collectable.h"
#include "prometheus/exposer.h"
#include "server/metrics/all_metrics.h"

namespace kibitz::server {
namespace {

constexpr char kThreads[] = "2";
// Who connects must also ask.
constexpr char kRequestTimeMs[] = "5000";

class Metrics final : public prometheus::Collectable {
 public:
  explicit Metrics(std::function<ServerStatus()> read) : read_(std::move(read)) {}
  std::vector<prometheus::MetricFamily> Collect() const override { return AllMetrics(read_()); }

 private:
  const std::function<ServerStatus()> read_;
};

// Where a socket listens, in digits: the HTTP server does not look up names.
std::string NumericAddress(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  char host[NI_MAXHOST] = "";
  char port[NI_MAXSERV] = "";
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof(host), port, sizeof(port),
              NI_NUMERICHOST | NI_NUMERICSERV);
  return address.ss_family == AF_INET6 ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
}

}  // namespace

absl::StatusOr<ListenAddress> ParseMetricsAddress(absl::string_view text) {
  return ParseListenAddress(absl::StrContains(text, ':') ? std::string(text) : absl::StrCat("127.0.0.1:", text));
}

absl::StatusOr<std::unique_ptr<Exporter>> Exporter::Start(const ListenAddress& address,
                                                          std::function<ServerStatus()> read) {
  std::vector<std::string> numeric;
  std::unique_ptr<Exporter> exporter(new Exporter());
  {
    // The HTTP server does not say why it cannot listen. So this is tried here first.
    const absl::StatusOr<ListeningSockets> sockets = OpenSockets(address);
    if (!sockets.ok())
      return absl::Status(sockets.status().code(), absl::StrCat("metrics: ", sockets.status().message()));
    for (const auto& socket : sockets->sockets) numeric.push_back(NumericAddress(socket.get()));
    exporter->url_ = absl::StrCat("http://", ListenAddress{address.host, sockets->port}.ToString(), "/metrics");
  }
  exporter->metrics_ = std::make_shared<Metrics>(std::move(read));
  try {
    exporter->exposer_ = std::make_unique<prometheus::Exposer>(
        std::vector<std::string>{"listening_ports", absl::StrJoin(numeric, ","), "num_threads", kThreads,
                                 "request_timeout_ms", kRequestTimeMs, "enable_keep_alive", "no"});
    exporter->exposer_->RegisterCollectable(exporter->metrics_);
  } catch (const std::exception& error) {
    return absl::UnavailableError(absl::StrCat("metrics: cannot serve ", exporter->url_, ": ", error.what()));
  }
  return exporter;
}

Exporter::~Exporter() = default;

}  // namespace kibitz::server
