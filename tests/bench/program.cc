#include "tests/bench/program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace kibitz::bench {

int RunProgram(const Program& program, int argc, char** argv) {
  const std::string command = "kibitz bench " + program.name;
  CLI::App app(program.description, command);
  bool json = false;
  bool quick = false;
  bool serve = false;
  int answer = -1;
  app.add_flag("--json", json, "print the figures as one JSON object on the last line");
  if (!program.quick_help.empty()) app.add_flag("--quick", quick, program.quick_help);
  if (program.serve) app.add_flag("--serve", serve, "be what is measured")->group("");
  if (program.answer) app.add_option("--answer", answer, "be what it is measured against")->group("");
  app.footer(fmt::format("examples:\n  {0}\n  {0} --json | tail -1", command));
  try {
    app.parse(argc, argv);
    if (serve) return program.serve();
    if (answer >= 0) return program.answer(answer);
    const nlohmann::ordered_json figures = program.run(quick);
    if (json) fmt::print("\n{}\n", figures.dump());
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", command, error.what());
    return 1;
  }
}

}  // namespace kibitz::bench
