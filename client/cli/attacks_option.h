// The value of --attacks: a square, or a piece's letter and a square.

#ifndef KIBITZ_CLIENT_CLI_ATTACKS_OPTION_H_
#define KIBITZ_CLIENT_CLI_ATTACKS_OPTION_H_

#include <string>

#include "kibitz/v1/position.pb.h"

namespace kibitz::client {

// What is wrong with the text, or nothing: "d4" and "Rd4" are fine.
std::string CheckAttacks(const std::string& text);

// Asks for the attacks that `text` names. It has passed CheckAttacks.
void SetAttacks(const std::string& text, v1::BitboardsRequest& request);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_ATTACKS_OPTION_H_
