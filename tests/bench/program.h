// What the benchmarks' programs have in common: their flags, their help, their exit codes.

#ifndef KIBITZ_TESTS_BENCH_PROGRAM_H_
#define KIBITZ_TESTS_BENCH_PROGRAM_H_

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace kibitz::bench {

struct Program {
  std::string name;  // after `kibitz bench`
  std::string description;
  // What --quick does to the run; without it there is no such flag.
  std::string quick_help = "";
  // Prints the tables and gives the figures for --json. Throws what went wrong.
  std::function<nlohmann::ordered_json(bool quick)> run;
  // With --serve: is the other process that is measured, and gives its exit code. Without it there is no such flag.
  std::function<int()> serve = nullptr;
  // With --answer BYTES: is a server that only answers with so many bytes. Without it there is no such option.
  std::function<int(int bytes)> answer = nullptr;
};

// The whole of main. With --json the figures are the last line. Exit codes: 0 done, 1 failed, 2 usage.
int RunProgram(const Program& program, int argc, char** argv);

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_PROGRAM_H_
