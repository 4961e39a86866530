#include "client/http/clock.h"

#include <condition_variable>
#include <mutex>

#include "absl/time/clock.h"

namespace kibitz::client::http {
namespace {

// Times too far for the machine's clock to hold are as good as this.
constexpr absl::Duration kLongest = absl::Hours(24 * 365);

class MachineClock final : public Clock {
 public:
  absl::Time Now() const override { return absl::Now(); }

  bool WaitUntil(absl::Time time, const std::stop_token& stop) override {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    const absl::Time until = std::min(time, Now() + kLongest);
    never.wait_until(lock, stop, absl::ToChronoTime(until), [] { return false; });
    return !stop.stop_requested();
  }
};

}  // namespace

Clock& RealClock() {
  static MachineClock clock;
  return clock;
}

}  // namespace kibitz::client::http
