#include "client/uci/perft_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "client/uci/info_text.h"
#include "engine/board/perft.h"
#include "engine/board/uci_move.h"

namespace kibitz::client::uci {
namespace {

std::string Count(const Position& position, int depth, int threads, const std::atomic<bool>& stop) {
  std::string lines;
  PerftOptions options{.threads = threads, .stop = &stop};
  options.on_root_move = [&](Move move, std::uint64_t nodes) {
    lines += fmt::format("{}: {}\n", ToUci(move, position.variant()), nodes);
  };
  const absl::StatusOr<std::uint64_t> total = Perft(position, depth, options);
  if (!total.ok()) return InfoString(std::string(total.status().message()));
  return lines + fmt::format("\nNodes searched: {}\n\n", *total);
}

}  // namespace

PerftRun::PerftRun(const Position& position, std::int64_t depth, int threads,
                   std::function<void(std::string lines)> on_end) {
  const int plies = static_cast<int>(std::clamp<std::int64_t>(depth, 0, kMaxPerftDepth));
  thread_ = std::thread(
      [this, position, plies, threads, on_end = std::move(on_end)] { on_end(Count(position, plies, threads, stop_)); });
}

PerftRun::~PerftRun() {
  stop_ = true;
  thread_.join();
}

}  // namespace kibitz::client::uci
