#include "client/cli/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>

#include "absl/time/clock.h"
#include "client/cli/quantity.h"
#include "client/readable_status.h"

namespace kibitz::client {
namespace {

// A server that forgets to say how long is not asked again and again.
constexpr absl::Duration kMinPause = absl::Milliseconds(100);

// Returns early at a stop.
void Sleep(absl::Duration pause, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, absl::ToChronoNanoseconds(pause), [] { return false; });
}

}  // namespace

void AddWaitFlag(CLI::App& command, double& seconds) {
  command.add_option("--wait", seconds, "Wait for a server that is full, no longer than this in all")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 86'400.0).description(""));
}

absl::Status RunPatiently(absl::Duration patience, const std::stop_token& stop,
                          const std::function<absl::Status()>& run) {
  const absl::Time latest = absl::Now() + patience;
  while (true) {
    const absl::Status status = run();
    const std::optional<absl::Duration> delay = RetryDelay(status);
    if (status.ok() || !delay || stop.stop_requested()) return status;
    const absl::Duration pause = std::max(*delay, kMinPause);
    if (absl::Now() + pause > latest) return status;
    fmt::print(stderr, "the server is full: trying again in {}\n", Rounded(pause));
    Sleep(pause, stop);
  }
}

}  // namespace kibitz::client
