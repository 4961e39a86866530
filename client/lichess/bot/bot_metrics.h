// Shows to Prometheus how a bot does.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_BOT_METRICS_H_
#define KIBITZ_CLIENT_LICHESS_BOT_BOT_METRICS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "client/lichess/bot/bot_report.h"

namespace prometheus {
class Collectable;
class Exposer;
}  // namespace prometheus

namespace kibitz::client::lichess {

// Answers GET /metrics until it is destroyed, on a thread of its own. Whoever can reach the address can read them.
class BotMetrics {
 public:
  // `read` is asked at every scrape. The address is "HOST:PORT", with the host in digits.
  static absl::StatusOr<std::unique_ptr<BotMetrics>> Start(const std::string& address, std::function<BotView()> read);
  ~BotMetrics();

 private:
  BotMetrics() = default;

  std::shared_ptr<prometheus::Collectable> metrics_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_BOT_METRICS_H_
