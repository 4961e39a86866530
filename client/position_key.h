// By what a farm's front sends questions about a position to the server that knows it.

#ifndef KIBITZ_CLIENT_POSITION_KEY_H_
#define KIBITZ_CLIENT_POSITION_KEY_H_

#include <string>

#include "kibitz/v1/position.pb.h"

namespace kibitz::client {

// The header that it travels in.
inline constexpr char kPositionKeyHeader[] = "x-position-key";

// The same for all positions of a game that were given as its moves, once there are ten of them, and for the same FEN
// whatever its clocks: 16 hexadecimal digits. client/web/gateway/position_key.ts makes the same ones.
std::string PositionKey(const v1::Position& position);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_POSITION_KEY_H_
