#include "client/cli/review_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/cli/command_context.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/json.h"
#include "client/cli/live_text.h"
#include "client/cli/patience.h"
#include "client/cli/pgn_stream.h"
#include "client/cli/quantity.h"
#include "client/cli/review_page.h"
#include "client/cli/review_progress.h"
#include "client/cli/review_text.h"

namespace kibitz::client {
namespace {

// What goes into one call: enough that no worker is idle at the end of a game, few enough that what Ctrl-C throws away
// is little.
constexpr std::size_t kGamesPerCall = 8;
constexpr std::size_t kBytesPerCall = 128 << 10;

struct ReviewOptions {
  CommonFlags common;
  std::vector<std::string> files;
  std::optional<std::int64_t> nodes;
  std::optional<int> movetime_ms;
  std::optional<int> depth;
  double budget_seconds = 0;
  int multi_pv = 0;
  v1::Color side = v1::COLOR_UNSPECIFIED;
  std::string pgn_path;
  std::string html_path;
  bool resume = false;
  double wait_seconds = 0;
};

// Games that are reviewed together.
struct Lot {
  std::vector<std::string> games;
  std::uint64_t bytes = 0;
};

std::size_t CountGames(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  PgnStream stream(file);
  std::size_t games = 0;
  for (std::string game; stream.Next(game);) ++games;
  return games;
}

class Reviewer {
 public:
  Reviewer(const ReviewOptions& options, const CommandContext& context) : options_(options), context_(context) {}

  ExitCode Run();

 private:
  absl::Status OpenOutput();
  absl::Status ReviewFile(const std::string& path);
  absl::Status ReviewLot(const Lot& lot);
  v1::AnalyzeGameRequest ToRequest(const Lot& lot) const;
  void Hear(const v1::AnalyzeGameResponse& event);
  // Shows the games that are complete, in their order.
  void ShowComplete();
  void Show(const ReviewOfGame& review);
  void DrawProgress();

  const ReviewOptions& options_;
  const CommandContext& context_;
  const Palette& palette_ = PaletteOf(stdout);
  const absl::Time start_ = absl::Now();
  LiveText live_{stderr};
  std::ofstream pgn_;
  std::ofstream page_;
  std::size_t to_skip_ = 0;  // games that an earlier run has done
  std::uint64_t total_bytes_ = 0;
  std::uint64_t done_bytes_ = 0;
  ReviewState state_;
  int shown_ = 0;

  // Of the lot at hand.
  std::vector<ReviewOfGame> games_;
  std::map<int, bool> complete_;
  int next_ = 0;
};

absl::Status Reviewer::OpenOutput() {
  if (!options_.html_path.empty()) {
    page_.open(options_.html_path, std::ios::trunc);
    if (!page_) return absl::InvalidArgumentError(absl::StrCat("'", options_.html_path, "' cannot be written"));
    page_ << PageBegin();
  }
  if (options_.pgn_path.empty()) return absl::OkStatus();
  if (options_.resume) to_skip_ = CountGames(options_.pgn_path);
  pgn_.open(options_.pgn_path, options_.resume ? std::ios::app : std::ios::trunc);
  if (!pgn_) return absl::InvalidArgumentError(absl::StrCat("'", options_.pgn_path, "' cannot be written"));
  if (to_skip_ > 0) fmt::print(stderr, "{} games are done already\n", to_skip_);
  return absl::OkStatus();
}

ExitCode Reviewer::Run() {
  absl::Status status = OpenOutput();
  for (const std::string& file : options_.files) {
    std::error_code error;
    if (file != "-") total_bytes_ += std::filesystem::file_size(file, error);
  }
  for (const std::string& file : options_.files) {
    if (!status.ok()) break;
    status = ReviewFile(file);
  }
  live_.Clear();
  if (page_.is_open()) page_ << PageEnd();
  pgn_.flush();
  page_.flush();
  if (status.ok() && (!pgn_ || !page_))
    status = absl::DataLossError("the games could not be written: is the disk full?");
  if (status.ok() && shown_ == 0 && to_skip_ == 0) status = absl::InvalidArgumentError("there is no game to review");
  if (status.ok()) return kExitOk;
  const ExitCode code = ReportFailure(status, context_.interrupted());
  if (context_.interrupted() && !options_.pgn_path.empty()) {
    fmt::print(stderr, "       go on with --resume: {} games are in '{}'\n", shown_ + to_skip_, options_.pgn_path);
  }
  return code;
}

absl::Status Reviewer::ReviewFile(const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    if (!file) return absl::NotFoundError(absl::StrCat("'", path, "' cannot be read"));
  }
  PgnStream stream(path == "-" ? std::cin : file);
  Lot lot;
  const auto review = [&] {
    lot.bytes = stream.bytes() + done_bytes_;
    const absl::Status status = lot.games.empty() ? absl::OkStatus() : ReviewLot(lot);
    lot = {};
    return status;
  };
  std::size_t bytes = 0;
  for (std::string game; stream.Next(game);) {
    if (to_skip_ > 0 && static_cast<std::size_t>(state_.games) < to_skip_) {
      ++state_.games;
      continue;
    }
    bytes += game.size();
    lot.games.push_back(std::move(game));
    if (lot.games.size() < kGamesPerCall && bytes < kBytesPerCall) continue;
    bytes = 0;
    if (absl::Status status = review(); !status.ok()) return status;
  }
  if (absl::Status status = review(); !status.ok()) return status;
  done_bytes_ += stream.bytes();
  return absl::OkStatus();
}

v1::AnalyzeGameRequest Reviewer::ToRequest(const Lot& lot) const {
  v1::AnalyzeGameRequest request;
  for (const std::string& game : lot.games) absl::StrAppend(request.mutable_pgn(), game, "\n\n");
  v1::AnalyzeGameRequest::Budget& budget = *request.mutable_budget();
  if (options_.nodes) budget.set_nodes_per_move(*options_.nodes);
  if (options_.movetime_ms) *budget.mutable_time_per_move() = ToProto(absl::Milliseconds(*options_.movetime_ms));
  if (options_.depth) budget.set_depth(*options_.depth);
  if (options_.budget_seconds > 0) {
    // What is left, by this lot's part of what is left to read.
    const absl::Duration left = absl::Seconds(options_.budget_seconds) - (absl::Now() - start_);
    const double part = state_.files_share < 1 ? state_.current_share / (1 - state_.files_share) : 1;
    *budget.mutable_total_time() = ToProto(std::max(absl::Milliseconds(10), left * std::min(1.0, part)));
  }
  request.set_multi_pv(options_.multi_pv);
  request.set_side(options_.side);
  return request;
}

absl::Status Reviewer::ReviewLot(const Lot& lot) {
  const double share = total_bytes_ > 0 ? static_cast<double>(lot.bytes) / static_cast<double>(total_bytes_) : 1;
  state_.current_share = std::max(0.0, share - state_.files_share);
  games_.clear();
  complete_.clear();
  next_ = 0;
  const v1::AnalyzeGameRequest request = ToRequest(lot);
  const absl::Status status = RunPatiently(absl::Seconds(options_.wait_seconds), context_.stop(), [&] {
    return context_.client().AnalyzeGame(
        request, [this](const v1::AnalyzeGameResponse& event) { Hear(event); }, context_.LongCall());
  });
  state_.files_share = share;
  state_.current_share = 0;
  state_.current.Clear();
  return status;
}

void Reviewer::Hear(const v1::AnalyzeGameResponse& event) {
  if (context_.json()) Print(ToJsonLine(event));
  if (event.has_accepted()) {
    for (const auto& game : event.accepted().games()) games_.push_back({.game = game, .plies = {}, .summary = {}});
  }
  if (event.has_progress()) {
    state_.current = event.progress();
    DrawProgress();
  }
  if (event.has_ply()) {
    games_.at(event.ply().game()).plies[event.ply().review().ply()] = event.ply().review();
  }
  if (event.has_summary()) {
    games_.at(event.summary().game()).summary = event.summary();
    complete_[event.summary().game()] = true;
    ShowComplete();
  }
}

void Reviewer::ShowComplete() {
  for (; complete_.contains(next_); ++next_) {
    Show(games_[next_]);
    games_[next_] = {};
  }
}

void Reviewer::Show(const ReviewOfGame& review) {
  live_.Clear();
  ++state_.games;
  if (!context_.json()) {
    Print((shown_ > 0 ? "\n" : "") + ReviewText(review, state_.games, SizeOf(stdout).columns, palette_));
  }
  ++shown_;
  if (pgn_.is_open()) pgn_ << review.summary.annotated_pgn() << std::flush;
  if (page_.is_open()) page_ << PageGame(review, state_.games) << std::flush;
  DrawProgress();
}

void Reviewer::DrawProgress() {
  state_.elapsed = absl::Now() - start_;
  live_.Show(ProgressText(state_, SizeOf(stderr).columns));
}

ExitCode RunReview(const ReviewOptions& options) {
  const auto context = CommandContext::Open(options.common);
  if (!context.ok()) return ReportFailure(context.status(), /*interrupted=*/false);
  return Reviewer(options, **context).Run();
}

}  // namespace

void AddReviewCommand(CLI::App& app, ExitCode& exit_code) {
  auto options = std::make_shared<ReviewOptions>();
  CLI::App* command = app.add_subcommand("review", "Tell what went wrong in games, move by move");
  command->add_option("FILE", options->files, "Games in PGN; - for standard input")->type_name("")->required();
  command->add_option("--nodes", options->nodes, "Positions to search for each move; 100,000 if nothing else is given")
      ->type_name("N");
  command->add_option("--movetime", options->movetime_ms, "Time for each move")->type_name("MS");
  command->add_option("--depth", options->depth, "Iterations for each move")->type_name("N");
  command->add_option("--budget", options->budget_seconds, "Time for all games together")->type_name("SECONDS");
  command->add_option("--multipv", options->multi_pv, "How many lines to find for each move")->type_name("N");
  command->add_option("--side", options->side, "Judge the moves of one side only")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, v1::Color>{{"white", v1::COLOR_WHITE}, {"black", v1::COLOR_BLACK}})
                      .description(""))
      ->type_name("white|black");
  CLI::Option* pgn = command->add_option("--pgn", options->pgn_path, "Write the annotated games to this file");
  pgn->type_name("FILE");
  command->add_option("--html", options->html_path, "Write a page with graphs and diagrams to this file")
      ->type_name("FILE");
  command->add_flag("--resume", options->resume, "Go on where an earlier run with the same --pgn ended")->needs(pgn);
  AddWaitFlag(*command, options->wait_seconds);
  AddCommonFlags(*command, options->common);
  command->footer(
      "Examples:\n"
      "  kibitz review game.pgn\n"
      "  kibitz review games.pgn --nodes 500000 --pgn annotated.pgn --html review.html\n"
      "  kibitz review games.pgn --budget 600 --side white --json > review.jsonl\n"
      "\n"
      "For each game: how accurate both sides were, White's chances as they went up and down, and the moves that\n"
      "decided it, with what would have been better. Values are those of the side that moved. Files of any size are\n"
      "read game by game. After Ctrl-C the same command with --resume goes on. With --json each event is an\n"
      "AnalyzeGameResponse: accepted, progress, ply or summary; eight games at most follow one accepted.");
  command->callback([options, &exit_code] { exit_code = RunReview(*options); });
}

}  // namespace kibitz::client
