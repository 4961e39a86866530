#include "client/match/uci_player.h"

#include <chrono>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace kibitz::client {
namespace {

std::string GoCommand(const MoveRequest& request) {
  const TimeControl& own = request.clock.control();
  std::string go = "go";
  if (own.HasClock()) {
    const bool white = request.side == Color::kWhite;
    const GameClock& white_clock = white ? request.clock : request.opponent_clock;
    const GameClock& black_clock = white ? request.opponent_clock : request.clock;
    absl::StrAppend(&go, " wtime ", absl::ToInt64Milliseconds(white_clock.left()), " btime ",
                    absl::ToInt64Milliseconds(black_clock.left()), " winc ",
                    absl::ToInt64Milliseconds(white_clock.control().increment), " binc ",
                    absl::ToInt64Milliseconds(black_clock.control().increment));
    if (request.clock.moves_to_go() > 0) absl::StrAppend(&go, " movestogo ", request.clock.moves_to_go());
  }
  if (own.move_time > absl::ZeroDuration()) {
    absl::StrAppend(&go, " movetime ", absl::ToInt64Milliseconds(own.move_time));
  }
  if (own.nodes > 0) absl::StrAppend(&go, " nodes ", own.nodes);
  if (own.depth > 0) absl::StrAppend(&go, " depth ", own.depth);
  return go;
}

// Takes depth, nodes and score out of an info line. Other lines than the first of several are not what will be played.
void ReadInfo(const std::vector<absl::string_view>& words, Thought& thought) {
  Thought read = thought;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (words[i] == "pv" || words[i] == "string") break;
    int number = 0;
    if (words[i] == "depth" && absl::SimpleAtoi(words[i + 1], &number)) read.depth = number;
    if (words[i] == "multipv" && words[i + 1] != "1") return;
    if (words[i] == "nodes" && !absl::SimpleAtoi(words[i + 1], &read.nodes)) read.nodes = thought.nodes;
    const bool is_score = i > 1 && words[i - 1] == "score" && (words[i] == "cp" || words[i] == "mate");
    if (is_score && absl::SimpleAtoi(words[i + 1], &number)) read.score = {words[i] == "mate", number};
  }
  thought = std::move(read);
}

}  // namespace

absl::StatusOr<std::unique_ptr<UciPlayer>> UciPlayer::Start(const EngineOptions& options, absl::Duration patience) {
  absl::StatusOr<std::unique_ptr<EngineProcess>> process = EngineProcess::Start(options.command);
  if (!process.ok()) return process.status();
  std::unique_ptr<UciPlayer> player(new UciPlayer(*std::move(process), patience));
  const auto introduction = player->process_->Ask("uci\n", "uciok", patience);
  if (!introduction.ok()) return introduction.status();
  for (absl::string_view line : *introduction) {
    if (absl::StartsWith(line, "option name UCI_Chess960 ")) player->knows_chess960_ = true;
  }
  std::string commands;
  for (const auto& [name, value] : options.options) {
    absl::StrAppend(&commands, "setoption name ", name, " value ", value, "\n");
  }
  const auto ready = player->process_->Ask(commands + "isready\n", "readyok", patience);
  if (!ready.ok()) return ready.status();
  return player;
}

absl::Status UciPlayer::NewGame(Variant variant) {
  std::string commands;
  if (knows_chess960_) {
    const bool chess960 = variant == Variant::kChess960;
    commands = absl::StrCat("setoption name UCI_Chess960 value ", chess960 ? "true" : "false", "\n");
  } else if (variant == Variant::kChess960) {
    return absl::UnimplementedError("the engine does not play Chess960");
  }
  return process_->Ask(commands + "ucinewgame\nisready\n", "readyok", patience_).status();
}

absl::StatusOr<Thought> UciPlayer::Think(const MoveRequest& request) {
  const std::string moves = request.moves.empty() ? "" : " moves " + absl::StrJoin(request.moves, " ");
  const std::string commands = absl::StrCat("position fen ", request.start_fen, moves, "\n", GoCommand(request), "\n");
  const auto start = std::chrono::steady_clock::now();
  const auto deadline = start + absl::ToChronoNanoseconds(request.patience);
  if (absl::Status status = process_->Send(commands); !status.ok()) return status;
  Thought thought;
  while (true) {
    const absl::StatusOr<std::string> line = process_->ReadLine(deadline);
    if (!line.ok()) return line.status();
    thought.elapsed = absl::FromChrono(std::chrono::steady_clock::now() - start);
    const std::vector<absl::string_view> words = absl::StrSplit(*line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    if (words.empty()) continue;
    if (words[0] == "info") ReadInfo(words, thought);
    if (words[0] != "bestmove") continue;
    thought.move = words.size() > 1 ? std::string(words[1]) : "";
    return thought;
  }
}

}  // namespace kibitz::client
