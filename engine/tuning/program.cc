#include "engine/tuning/program.h"

#include <fmt/core.h>

#include <CLI/Error.hpp>
#include <cstdio>
#include <exception>

namespace kibitz::tuning {

int RunProgram(CLI::App& app, int argc, char** argv, const std::function<void()>& run) {
  try {
    app.parse(argc, argv);
    run();
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 1;
  }
}

}  // namespace kibitz::tuning
