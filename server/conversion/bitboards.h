// Between the wire and the engine's plain structs: the bitboards of a position, and attacks by each slider method.

#ifndef KIBITZ_SERVER_CONVERSION_BITBOARDS_H_
#define KIBITZ_SERVER_CONVERSION_BITBOARDS_H_

#include "absl/status/statusor.h"
#include "engine/board/position.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::server {

// A checked BitboardsRequest: with a square, the piece whose attacks from there are wanted.
struct BitboardsSpec {
  Position position;
  Square square = Square::kNone;
  Piece piece;
};

absl::StatusOr<BitboardsSpec> ParseBitboards(const v1::BitboardsRequest& wire);
void WriteBitboards(const BitboardsSpec& spec, v1::BitboardsResponse& response);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_BITBOARDS_H_
