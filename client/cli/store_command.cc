#include "client/cli/store_command.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/quantity.h"
#include "client/cli/table.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/store/store_file.h"

namespace kibitz::client {
namespace {

using nlohmann::ordered_json;
using server::StoredResult;
using server::StoreFile;

// Results that are written at a time.
constexpr int kBatch = 1000;
constexpr std::size_t kMaxLine = 1 << 20;

struct StoreOptions {
  std::string path;
  std::int64_t max_mb = 0;
  double older_days = 0;
};

// The file must be there: who misspells its name does not want a new one.
absl::StatusOr<StoreFile> OpenExisting(const std::string& path) {
  if (!std::filesystem::exists(path)) return absl::NotFoundError(absl::StrCat("there is no file '", path, "'"));
  return StoreFile::Open(path);
}

absl::Status ShowStats(const StoreOptions& options) {
  absl::StatusOr<StoreFile> file = OpenExisting(options.path);
  if (!file.ok()) return file.status();
  std::map<std::string, std::int64_t> engines;
  std::map<int, std::int64_t> depths;  // by tens
  std::int64_t results = 0;
  std::int64_t nodes = 0;
  const absl::Status status = file->ForEach([&](const std::string&, const StoredResult& result) {
    ++results;
    nodes += result.nodes;
    ++engines[absl::StrCat(result.engine, ", ", result.evaluation)];
    ++depths[result.depth / 10 * 10];
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  const absl::StatusOr<std::int64_t> bytes = file->FileBytes();
  if (!bytes.ok()) return bytes.status();
  const Palette& palette = PaletteOf(stdout);
  Table table({Table::Align::kLeft, Table::Align::kRight});
  const auto row = [&](std::string name, std::string value) {
    table.AddRow({{std::move(name), palette.heading}, {std::move(value)}});
  };
  row("results", WithCommas(static_cast<std::uint64_t>(results)));
  row("file", Rounded(static_cast<double>(*bytes)) + "B");
  row("nodes searched for them", Rounded(static_cast<double>(nodes)));
  for (const auto& [depth, count] : depths) {
    row(fmt::format("depth {} to {}", depth, depth + 9), WithCommas(static_cast<std::uint64_t>(count)));
  }
  for (const auto& [engine, count] : engines) row("by " + engine, WithCommas(static_cast<std::uint64_t>(count)));
  Print(table.ToString());
  return absl::OkStatus();
}

absl::Status Prune(const StoreOptions& options) {
  absl::StatusOr<StoreFile> file = OpenExisting(options.path);
  if (!file.ok()) return file.status();
  std::int64_t removed = 0;
  if (options.older_days > 0) {
    const absl::Time time = absl::Now() - absl::Hours(24) * options.older_days;
    const absl::StatusOr<std::int64_t> old = file->RemoveOlder(absl::ToChronoTime(time));
    if (!old.ok()) return old.status();
    removed += *old;
  }
  if (options.max_mb > 0) {
    const absl::StatusOr<std::int64_t> pruned = file->Prune(options.max_mb << 20);
    if (!pruned.ok()) return pruned.status();
    removed += *pruned;
  }
  if (absl::Status status = file->Vacuum(); !status.ok()) return status;
  Print(fmt::format("removed {} results\n", WithCommas(static_cast<std::uint64_t>(removed))));
  return absl::OkStatus();
}

absl::StatusOr<std::string> ToLine(const std::string& position, const StoredResult& result) {
  v1::AnalysisUpdate analysis;
  std::string text;
  if (!analysis.ParseFromString(result.analysis) ||
      !google::protobuf::util::MessageToJsonString(analysis, &text).ok()) {
    return absl::DataLossError(absl::StrCat("the result of ", position, " cannot be read"));
  }
  const ordered_json line = {{"position", position},
                             {"lines", result.lines},
                             {"depth", result.depth},
                             {"nodes", result.nodes},
                             {"engine", result.engine},
                             {"evaluation", result.evaluation},
                             {"found", absl::FormatTime(absl::FromChrono(result.found), absl::UTCTimeZone())},
                             {"analysis", ordered_json::parse(text)}};
  return line.dump() + "\n";
}

absl::StatusOr<std::pair<std::string, StoredResult>> FromLine(const std::string& text) {
  const ordered_json line = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!line.is_object()) return absl::InvalidArgumentError("is no JSON object");
  try {
    v1::AnalysisUpdate analysis;
    const auto parsed = google::protobuf::util::JsonStringToMessage(line.at("analysis").dump(), &analysis);
    if (!parsed.ok()) return absl::InvalidArgumentError(absl::StrCat("analysis: ", parsed.ToString()));
    absl::Time found;
    std::string problem;
    if (!absl::ParseTime(absl::RFC3339_full, line.at("found").get<std::string>(), &found, &problem)) {
      return absl::InvalidArgumentError(absl::StrCat("found: ", problem));
    }
    return std::pair(line.at("position").get<std::string>(),
                     StoredResult{.lines = line.at("lines").get<int>(),
                                  .depth = line.at("depth").get<int>(),
                                  .nodes = line.at("nodes").get<std::int64_t>(),
                                  .engine = line.at("engine").get<std::string>(),
                                  .evaluation = line.at("evaluation").get<std::string>(),
                                  .found = absl::ToChronoTime(found),
                                  .analysis = analysis.SerializeAsString()});
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
}

absl::Status Export(const StoreOptions& options) {
  absl::StatusOr<StoreFile> file = OpenExisting(options.path);
  if (!file.ok()) return file.status();
  return file->ForEach([](const std::string& position, const StoredResult& result) {
    const absl::StatusOr<std::string> line = ToLine(position, result);
    if (!line.ok()) return line.status();
    Print(*line);
    return absl::OkStatus();
  });
}

// All of it or, of each thousand lines, nothing.
absl::Status Import(const StoreOptions& options) {
  absl::StatusOr<StoreFile> file = StoreFile::Open(options.path);
  if (!file.ok()) return file.status();
  std::int64_t number = 0;
  absl::Status status = file->Begin();
  for (std::string text; status.ok() && std::getline(std::cin, text);) {
    ++number;
    if (text.empty()) continue;
    const auto line = text.size() > kMaxLine ? absl::InvalidArgumentError("is too long") : FromLine(text);
    if (!line.ok()) {
      file->Rollback();
      return absl::InvalidArgumentError(absl::StrCat("line ", number, ": ", line.status().message()));
    }
    status = file->Add(line->first, line->second);
    if (status.ok() && number % kBatch == 0) {
      status = file->Commit();
      if (status.ok()) status = file->Begin();
    }
  }
  if (status.ok()) status = file->Commit();
  if (!status.ok()) {
    file->Rollback();
    return status;
  }
  const absl::StatusOr<std::int64_t> results = file->CountResults();
  if (!results.ok()) return results.status();
  Print(fmt::format("read {} lines; the store has {} results\n", WithCommas(static_cast<std::uint64_t>(number)),
                    WithCommas(static_cast<std::uint64_t>(*results))));
  return absl::OkStatus();
}

absl::Status Check(const StoreOptions& options) {
  absl::StatusOr<StoreFile> file = OpenExisting(options.path);
  if (!file.ok()) return file.status();
  if (absl::Status status = file->Check(); !status.ok()) return status;
  std::int64_t results = 0;
  const absl::Status status = file->ForEach([&](const std::string& position, const StoredResult& result) {
    ++results;
    return ToLine(position, result).status();
  });
  if (!status.ok()) return status;
  Print(fmt::format("the file is whole: {} results\n", WithCommas(static_cast<std::uint64_t>(results))));
  return absl::OkStatus();
}

}  // namespace

void AddStoreCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<StoreOptions>();
  CLI::App* command = app.add_subcommand("store", "Look after a server's file of results");
  command->require_subcommand(1);
  const auto add = [&](const char* name, const char* words, absl::Status (*run)(const StoreOptions&)) {
    CLI::App* action = command->add_subcommand(name, words);
    action->add_option("FILE", options->path, "The file that --store names to the server")->type_name("")->required();
    action->callback([options, run, &exit_code] {
      const absl::Status status = run(*options);
      exit_code = status.ok() ? kExitOk : ReportFailure(status, /*interrupted=*/false);
    });
    return action;
  };
  add("stats", "Tell what is in it", ShowStats);
  CLI::App* prune = add("prune", "Remove what is old, or what is worth least", Prune);
  prune->add_option("--max-mb", options->max_mb, "Leave no more than this")->type_name("MIB");
  prune->add_option("--older-days", options->older_days, "Remove what was found longer ago")->type_name("DAYS");
  add("export", "Print every result, one JSON object a line", Export);
  add("import", "Read such lines from standard input; deeper results replace shallower ones", Import);
  add("check", "Tell whether the file is whole", Check);
  command->footer(
      "Examples:\n"
      "  kibitz store stats results.db\n"
      "  kibitz store prune results.db --max-mb 500\n"
      "  kibitz store export results.db | gzip > results.jsonl.gz\n"
      "  zcat results.jsonl.gz | kibitz store import other.db\n"
      "\n"
      "A server may use the file meanwhile.");
}

}  // namespace kibitz::client
