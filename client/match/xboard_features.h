// What an engine says of itself by "feature" lines, in the Chess Engine Communication Protocol (xboard, WinBoard).

#ifndef KIBITZ_CLIENT_MATCH_XBOARD_FEATURES_H_
#define KIBITZ_CLIENT_MATCH_XBOARD_FEATURES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kibitz::client {

// Each begins as the protocol has it for an engine that says nothing.
struct XboardFeatures {
  bool ping = false;
  bool setboard = false;  // can begin anywhere
  bool usermove = false;  // wants moves as "usermove e2e4"
  bool time = true;       // wants to know both clocks
  bool memory = false;    // takes the size of its tables
  bool smp = false;       // takes a number of threads
  bool reuse = true;      // plays more than one game
  std::vector<std::string> options;
  // Whether that is all; unset as long as the engine has not said.
  std::optional<bool> done;

  // Takes in a line "feature NAME=VALUE ..." and returns the answer to each of them: "accepted NAME" or, for what we do
  // not do, "rejected NAME". Moves in SAN are among that.
  std::string Read(absl::string_view line);
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_XBOARD_FEATURES_H_
