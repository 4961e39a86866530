#include "server/conversion/perft.h"

#include <utility>

#include "engine/board/perft.h"
#include "engine/board/san.h"
#include "engine/board/uci_move.h"
#include "server/conversion/common.h"
#include "server/conversion/position.h"

namespace kibitz::server {

absl::StatusOr<PerftSpec> ParsePerft(const v1::PerftRequest& wire, const RequestCaps& caps) {
  for (const absl::Status& check : {CheckRange("depth", wire.depth(), 1, kMaxPerftDepth),
                                    CheckRange("threads", wire.threads(), 0, caps.max_threads),
                                    CheckRange("hash_mb", wire.hash_mb(), 0, caps.max_perft_hash_mb)}) {
    if (!check.ok()) return check;
  }
  absl::StatusOr<Position> position = ParsePosition(wire.position());
  if (!position.ok()) return position.status();
  return PerftSpec{.position = *std::move(position),
                   .depth = wire.depth(),
                   .threads = wire.threads() == 0 ? caps.max_threads : wire.threads(),
                   .hash_mb = wire.hash_mb(),
                   .max_nodes = caps.max_perft_nodes};
}

v1::PerftResponse DivideToWire(const Position& position, Move move, std::uint64_t nodes) {
  v1::PerftResponse response;
  auto* divide = response.mutable_divide();
  divide->set_uci(ToUci(move, position.variant()));
  divide->set_san(ToSan(position, move));
  divide->set_nodes(nodes);
  return response;
}

v1::PerftResponse TotalToWire(std::uint64_t nodes, std::chrono::nanoseconds elapsed) {
  v1::PerftResponse response;
  auto* total = response.mutable_total();
  total->set_nodes(nodes);
  *total->mutable_elapsed() = ToWire(elapsed);
  const double seconds = std::chrono::duration<double>(elapsed).count();
  total->set_nps(static_cast<std::uint64_t>(seconds > 0 ? static_cast<double>(nodes) / seconds : 0));
  return response;
}

}  // namespace kibitz::server
