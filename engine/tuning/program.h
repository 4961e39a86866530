// What the programs of this folder have in common: how they begin and end.

#ifndef KIBITZ_ENGINE_TUNING_PROGRAM_H_
#define KIBITZ_ENGINE_TUNING_PROGRAM_H_

#include <CLI/App.hpp>
#include <functional>

namespace kibitz::tuning {

// Reads the flags, then runs. What `run` throws is told on standard error, after the name of `app`.
// Gives the exit code: 0 done, 1 failed, 2 usage.
int RunProgram(CLI::App& app, int argc, char** argv, const std::function<void()>& run);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_PROGRAM_H_
