// Where the tests find the fake engine.

#ifndef KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_
#define KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_

#include <string>
#include <vector>

#include "client/match/uci_player.h"

namespace kibitz::client {

// Tests run in the folder of their data.
inline UciPlayer::Options FakeEngine(std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), "tests/client/match/fake_engine");
  return {.command = {.words = std::move(arguments)}, .uci_options = {}};
}

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_
