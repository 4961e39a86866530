// Where the tests find the fake engine.

#ifndef KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_
#define KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_

#include <string>
#include <vector>

#include "client/match/engine_process.h"

namespace kibitz::client {

// Tests run in the folder of their data.
inline EngineOptions FakeProgram(const char* program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  return {.command = {.words = std::move(arguments)}, .options = {}};
}

inline EngineOptions FakeEngine(std::vector<std::string> arguments = {}) {
  return FakeProgram("tests/client/match/fake_engine", std::move(arguments));
}

inline EngineOptions FakeXboardEngine(std::vector<std::string> arguments = {}) {
  return FakeProgram("tests/client/match/fake_xboard_engine", std::move(arguments));
}

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_MATCH_FAKE_ENGINE_PATH_H_
