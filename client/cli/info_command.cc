#include "client/cli/info_command.h"

#include <fmt/format.h>

#include <memory>

#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/json.h"
#include "client/cli/quantity.h"
#include "client/cli/table.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {
namespace {

std::string Mebibytes(int number) { return WithCommas(number) + " MiB"; }

std::string InfoTable(const v1::GetServerInfoResponse& info, const Palette& palette) {
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  const auto section = [&](std::string title) { table.AddRow({{std::move(title), palette.heading}}); };
  const auto row = [&](std::string name, std::string value) { table.AddRow({{"  " + name}, {std::move(value)}}); };
  section("Server");
  row("version", info.version());
  row("build", info.build());
  row("evaluation", info.evaluation());
  row("workers", WithCommas(info.workers()));
  row("hash table", fmt::format("{}, {:.1f} % full", Mebibytes(info.hash_mb()), info.hashfull() / 10.0));
  row("running", WithCommas(info.live_analyses()));
  row("waiting", WithCommas(info.queued_analyses()));
  row("nodes/s", Rounded(static_cast<double>(info.search_nodes_per_second())));
  row("up for", Rounded(FromProto(info.uptime())));
  section("Bounds");
  const auto& caps = info.caps();
  row("search depth", WithCommas(caps.max_depth()));
  row("search time", Rounded(FromProto(caps.max_search_time())));
  row("lines", WithCommas(caps.max_multi_pv()));
  row("threads", WithCommas(caps.max_threads()));
  row("perft depth", WithCommas(caps.max_perft_depth()));
  row("perft hash", Mebibytes(caps.max_perft_hash_mb()));
  row("game moves", WithCommas(caps.max_moves()));
  row("request size", WithCommas(caps.max_message_bytes()) + " bytes");
  row("analyses at once", WithCommas(caps.max_live_analyses()));
  row("analyses waiting", WithCommas(caps.max_queued_analyses()));
  return table.ToString();
}

ExitCode RunInfo(const CommonFlags& flags) {
  const auto context = CommandContext::Open(flags);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  const auto info = (*context)->client().GetServerInfo((*context)->QuickCall());
  if (!info.ok()) return ReportFailure(info.status(), (*context)->interrupted());
  Print(flags.json ? ToJsonLine(*info) : InfoTable(*info, PaletteOf(stdout)));
  return kExitOk;
}

}  // namespace

void AddInfoCommand(CLI::App& app, ExitCode& exit_code) {
  auto flags = std::make_shared<CommonFlags>();
  CLI::App* command = app.add_subcommand("info", "Tell what a server is, what it allows and how busy it is");
  AddCommonFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz info --server 127.0.0.1:50051\n"
      "  kibitz info --json");
  command->callback([flags, &exit_code] { exit_code = RunInfo(*flags); });
}

}  // namespace kibitz::client
