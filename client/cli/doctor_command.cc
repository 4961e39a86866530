#include "client/cli/doctor_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "client/cli/connection_flags.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/table.h"
#include "client/doctor/finding.h"
#include "client/doctor/machine.h"
#include "client/doctor/server.h"

namespace kibitz::client {
namespace {

using Verdict = Finding::Verdict;

struct DoctorFlags {
  ConnectionFlags connection{};
  MachineOptions machine{};
  bool json = false;
};

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGood:
      return "good";
    case Verdict::kNote:
      return "note";
    case Verdict::kBad:
      return "bad";
  }
  return "";
}

std::string JsonLines(const std::string& about, const Findings& findings) {
  std::string lines;
  for (const Finding& finding : findings) {
    nlohmann::ordered_json line = {
        {"about", about}, {"subject", finding.subject}, {"verdict", Name(finding.verdict)}, {"words", finding.words}};
    if (!finding.next_step.empty()) line["nextStep"] = finding.next_step;
    lines += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return lines;
}

// What to do stands below what it is about.
std::string FindingsTable(const std::string& about, const Findings& findings, const Palette& palette) {
  Table table(std::vector(3, Table::Align::kLeft));
  table.AddRow({{about, palette.heading}});
  for (const Finding& finding : findings) {
    const fmt::text_style style = finding.verdict == Verdict::kBad    ? palette.alert
                                  : finding.verdict == Verdict::kNote ? palette.strong
                                                                      : palette.faint;
    table.AddRow({{"  " + finding.subject}, {Name(finding.verdict), style}, {finding.words}});
    if (!finding.next_step.empty()) table.AddRow({{""}, {""}, {"-> " + finding.next_step, palette.strong}});
  }
  return table.ToString();
}

ExitCode RunDoctor(const DoctorFlags& flags) {
  const absl::StatusOr<ConnectionOptions> connection = ConnectionOf(flags.connection);
  if (!connection.ok()) return ReportFailure(connection.status(), /*interrupted=*/false);
  bool sound = true;
  const auto tell = [&](const std::string& about, const Findings& findings) {
    Print(flags.json ? JsonLines(about, findings) : FindingsTable(about, findings, PaletteOf(stdout)));
    sound = sound && std::none_of(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return finding.verdict == Verdict::kBad; });
  };
  Findings machine = CheckMachine(flags.machine);
  const OwnServer own = CheckOwnServer(flags.machine.syzygy_path);
  machine.push_back(own.finding);
  tell("this machine", machine);
  if (!connection->server.empty()) tell(connection->server, CheckServer(*connection, own.version));
  return sound ? kExitOk : kExitFailed;
}

}  // namespace

void AddDoctorCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<DoctorFlags>();
  CLI::App* command = app.add_subcommand("doctor", "Tell what is wrong on this machine or with a server");
  command->add_flag("--json", flags->json, "Print a JSON object a line: about, subject, verdict, words, nextStep");
  command->add_option("--syzygy-path", flags->machine.syzygy_path, "Look for endgame tables in these folders")
      ->type_name("FOLDER[:FOLDER...]");
  command->add_option("--packages", flags->machine.packages, "Look whether these Debian packages are installed")
      ->type_name("NAME");
  AddConnectionFlags(*command, flags->connection);
  command->footer(
      "Examples:\n"
      "  kibitz doctor\n"
      "  kibitz doctor --server analysis.example:50051 --tls-ca ca.pem --key-file key\n"
      "\n"
      "Each line is good, a note (works, but could be better) or bad, with what to do next. Exit codes: 0 nothing is\n"
      "bad, 1 something is.");
  command->callback([flags, &exit_code] { exit_code = RunDoctor(*flags); });
}

}  // namespace kibitz::client
