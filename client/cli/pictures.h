// The bitboards of a position as pictures, three to a row.

#ifndef KIBITZ_CLIENT_CLI_PICTURES_H_
#define KIBITZ_CLIENT_CLI_PICTURES_H_

#include <string>

#include "client/cli/console.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client {

// The twelve piece sets, the occupancies, checkers and pinned pieces where there are any, and all together as a board.
std::string BitboardPictures(const v1::BitboardsResponse& bitboards, const Palette& palette);

// The attacks of `piece` ("Rd4") by each method, and whether the methods agree.
std::string AttackPictures(const v1::BitboardsResponse& bitboards, const std::string& piece, const Palette& palette);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_PICTURES_H_
