// Between the wire and the engine's plain structs: counts of move paths.

#ifndef KIBITZ_SERVER_CONVERSION_PERFT_H_
#define KIBITZ_SERVER_CONVERSION_PERFT_H_

#include <chrono>
#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/request_caps.h"

namespace kibitz::server {

// A checked PerftRequest.
struct PerftSpec {
  Position position;
  int depth = 0;
  int threads = 1;
  int hash_mb = 0;
  std::uint64_t max_nodes = 0;  // more of them end the count
};

absl::StatusOr<PerftSpec> ParsePerft(const v1::PerftRequest& wire, const RequestCaps& caps);

v1::PerftResponse DivideToWire(const Position& position, Move move, std::uint64_t nodes);
v1::PerftResponse TotalToWire(std::uint64_t nodes, std::chrono::nanoseconds elapsed);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_PERFT_H_
