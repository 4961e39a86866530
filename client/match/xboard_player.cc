#include "client/match/xboard_player.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "client/match/game_record.h"
#include "engine/board/fen.h"

namespace kibitz::client {
namespace {

using Words = std::vector<absl::string_view>;

// How long an engine that does not say when its features end may take for them.
constexpr absl::Duration kFeatureTime = absl::Seconds(2);
// How long the move may come after a claim that the game is over.
constexpr absl::Duration kAfterClaim = absl::Seconds(1);

Words WordsOf(absl::string_view line) { return absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty()); }

// The move that a line makes, or nothing: "move e7e5" or, as engines of the first version and GNU Chess have it,
// "1. ... e7e5".
absl::string_view MoveOf(const Words& words) {
  if (words.size() > 1 && words[0] == "move") return words[1];
  return words.size() == 3 && words[1] == "..." ? words[2] : "";
}

enum class Saying : std::uint8_t { kOther, kMove, kResignation, kClaim };

// What a line means when `side` is the engine's. Whoever says that the other has won resigns.
Saying Meaning(const Words& words, Color side) {
  if (words.empty()) return Saying::kOther;
  if (!MoveOf(words).empty()) return Saying::kMove;
  if (words[0] == "resign") return Saying::kResignation;
  const auto outcome = ParseOutcome(words[0] == "result" && words.size() > 1 ? words[1] : words[0]);
  if (!outcome.ok()) return Saying::kOther;
  return *outcome == WinOf(~side) ? Saying::kResignation : Saying::kClaim;
}

// The engine's move in UCI notation. The protocol has castling as a move of the king, but some write it as people do.
std::string UciMove(absl::string_view written, Color side) {
  const std::string move = absl::AsciiStrToLower(written);
  const bool white = side == Color::kWhite;
  if (move == "o-o" || move == "0-0") return white ? "e1g1" : "e8g8";
  if (move == "o-o-o" || move == "0-0-0") return white ? "e1c1" : "e8c8";
  return move;
}

// Takes in a line of thinking: depth, score, centiseconds, nodes, moves. The depth may have a mark behind it.
void ReadThinking(const Words& words, Thought& thought) {
  // Mates are written as this and the number of moves.
  constexpr int kMate = 100'000;
  if (words.size() < 4) return;
  absl::string_view mark = words[0];
  while (!mark.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(mark.back()))) mark.remove_suffix(1);
  int depth = 0;
  int score = 0;
  int time = 0;
  std::int64_t nodes = 0;
  if (!absl::SimpleAtoi(mark, &depth) || !absl::SimpleAtoi(words[1], &score) || !absl::SimpleAtoi(words[2], &time) ||
      !absl::SimpleAtoi(words[3], &nodes)) {
    return;
  }
  thought.depth = depth;
  thought.nodes = nodes;
  if (std::abs(score) > kMate) {
    thought.score = {.is_mate = true, .value = score > 0 ? score - kMate : score + kMate};
  } else {
    thought.score = {.is_mate = false, .value = score};
  }
}

bool LooksLikeAMove(absl::string_view word) {
  const auto is_square = [](absl::string_view at) {
    return at.size() == 2 && at[0] >= 'a' && at[0] <= 'h' && at[1] >= '1' && at[1] <= '8';
  };
  return word.size() <= 5 && word.size() >= 4 && is_square(word.substr(0, 2)) && is_square(word.substr(2, 2));
}

// The command that "Error (unknown command): sd" or "Illegal move: e2e5" complains of, if the game cannot do without.
absl::string_view RefusedCommand(absl::string_view line) {
  constexpr std::array<absl::string_view, 5> kNeeded = {"level", "sd", "setboard", "st", "usermove"};
  const bool complains = absl::StartsWith(line, "Error") || absl::StartsWith(line, "Illegal move") ||
                         absl::StartsWith(line, "Invalid move");
  if (!complains) return "";
  const std::size_t colon = line.rfind(':');
  if (colon == absl::string_view::npos) return "";
  const absl::string_view command = absl::StripAsciiWhitespace(line.substr(colon + 1));
  const absl::string_view word = command.substr(0, command.find(' '));
  const bool needed = std::find(kNeeded.begin(), kNeeded.end(), word) != kNeeded.end() || LooksLikeAMove(word);
  return needed ? command : "";
}

std::string LimitCommands(const TimeControl& control) {
  // For an engine that is limited by depth alone.
  constexpr char kLongGame[] = "level 0 100 0\n";
  std::string commands;
  if (control.move_time > absl::ZeroDuration()) {
    commands = absl::StrCat("st ", absl::ToInt64Seconds(control.move_time), "\n");
  } else if (control.HasClock()) {
    // The base is in whole seconds, and some engines divide by it; "time" tells the clock as it is.
    const std::int64_t base =
        std::max<std::int64_t>(1, absl::ToInt64Seconds(absl::Ceil(control.base, absl::Seconds(1))));
    const std::string seconds = base % 60 == 0 ? "" : absl::StrFormat(":%02d", base % 60);
    commands = absl::StrCat("level ", control.period_moves, " ", base / 60, seconds, " ",
                            absl::ToDoubleSeconds(control.increment), "\n");
  } else {
    commands = kLongGame;
  }
  if (control.depth > 0) absl::StrAppend(&commands, "sd ", control.depth, "\n");
  return commands;
}

std::string ClockCommands(const MoveRequest& request) {
  const auto centiseconds = [](const GameClock& clock) { return absl::ToInt64Milliseconds(clock.left()) / 10; };
  if (!request.clock.control().HasClock()) return "";
  // A player without a clock of its own has as much as the other.
  const GameClock& other = request.opponent_clock.control().HasClock() ? request.opponent_clock : request.clock;
  return absl::StrCat("time ", centiseconds(request.clock), "\notim ", centiseconds(other), "\n");
}

}  // namespace

absl::Status CheckXboardLimits(const TimeControl& control) {
  if (control.nodes > 0) {
    return absl::InvalidArgumentError("the xboard protocol has no limit of nodes: give that engine a tc, st or depth");
  }
  if (control.move_time != absl::Trunc(control.move_time, absl::Seconds(1))) {
    return absl::InvalidArgumentError(
        "the xboard protocol has whole seconds for a move: give that engine st=1 or a tc");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<XboardPlayer>> XboardPlayer::Start(const EngineOptions& options,
                                                                  absl::Duration patience) {
  absl::StatusOr<std::unique_ptr<EngineProcess>> process = EngineProcess::Start(options.command);
  if (!process.ok()) return process.status();
  std::unique_ptr<XboardPlayer> player(new XboardPlayer(*std::move(process), patience));
  if (absl::Status status = player->Introduce(); !status.ok()) return status;
  if (absl::Status status = player->SetOptions(options); !status.ok()) return status;
  if (absl::Status status = player->WaitUntilReady(); !status.ok()) return status;
  return player;
}

absl::Status XboardPlayer::Introduce() {
  const TimePoint start = std::chrono::steady_clock::now();
  if (absl::Status status = process_->Send("xboard\nprotover 2\n"); !status.ok()) return status;
  while (!features_.done.value_or(false)) {
    const absl::Duration allowed = features_.done ? patience_ : std::min(patience_, kFeatureTime);
    const absl::StatusOr<std::string> line = process_->ReadLine(start + absl::ToChronoNanoseconds(allowed));
    if (absl::IsDeadlineExceeded(line.status()) && !features_.done) break;
    if (!line.ok()) return line.status();
    if (!absl::StartsWith(*line, "feature ")) continue;
    if (absl::Status status = process_->Send(features_.Read(*line)); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status XboardPlayer::SetOptions(const EngineOptions& options) {
  std::string commands;
  for (const auto& [name, value] : options.options) {
    const std::vector<std::string>& known = features_.options;
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      absl::StrAppend(&commands, "option ", name, "=", value, "\n");
    } else if (name == "Hash") {
      if (features_.memory) absl::StrAppend(&commands, "memory ", value, "\n");
    } else if (name == "Threads") {
      if (features_.smp) absl::StrAppend(&commands, "cores ", value, "\n");
    } else {
      return absl::InvalidArgumentError(absl::StrCat("the engine has no option '", name, "', only Hash, Threads",
                                                     known.empty() ? "" : ", ", absl::StrJoin(known, ", ")));
    }
  }
  return process_->Send(commands);
}

absl::Status XboardPlayer::WaitUntilReady() {
  if (!features_.ping) return absl::OkStatus();
  const int number = ++pings_;
  return process_->Ask(absl::StrCat("ping ", number, "\n"), absl::StrCat("pong ", number), patience_).status();
}

absl::Status XboardPlayer::NewGame(Variant variant) {
  if (variant != Variant::kStandard) {
    return absl::UnimplementedError("Chess960 is not played with engines of the xboard protocol");
  }
  known_moves_.reset();
  // "new" sets the engine to answer as Black, "force" to wait; "easy" is not to think on the other's time.
  if (absl::Status status = process_->Send("new\nforce\npost\neasy\n"); !status.ok()) return status;
  return WaitUntilReady();
}

bool XboardPlayer::ResignedMeanwhile(Color side) {
  constexpr int kMaxLines = 10'000;
  for (int i = 0; i < kMaxLines; ++i) {
    const absl::StatusOr<std::string> line = process_->ReadLine(std::chrono::steady_clock::now());
    // If the engine ended, the next command tells.
    if (!line.ok()) return false;
    const Saying saying = Meaning(WordsOf(*line), side);
    if (saying == Saying::kClaim) plays_ = false;
    if (saying == Saying::kResignation && known_moves_) return true;
  }
  return false;
}

absl::StatusOr<std::string> XboardPlayer::CommandsFor(const MoveRequest& request) const {
  std::string commands;
  if (!known_moves_) {
    commands = LimitCommands(request.clock.control());
    if (request.start_fen != kStartFen) {
      if (!features_.setboard) {
        return absl::UnimplementedError(
            "the engine has no 'setboard': it can only begin with the starting position, and moves from there");
      }
      absl::StrAppend(&commands, "setboard ", request.start_fen, "\n");
    }
  }
  const std::size_t known = known_moves_.value_or(0);
  const std::string clocks = features_.time ? ClockCommands(request) : "";
  const bool answers = plays_ && known_moves_ && request.moves.size() == known + 1;
  absl::StrAppend(&commands, answers ? clocks : "force\n");
  for (std::size_t i = known; i < request.moves.size(); ++i) {
    absl::StrAppend(&commands, features_.usermove ? "usermove " : "", request.moves[i], "\n");
  }
  if (!answers) absl::StrAppend(&commands, clocks, "go\n");
  return commands;
}

absl::StatusOr<Thought> XboardPlayer::Think(const MoveRequest& request) {
  if (ResignedMeanwhile(request.side)) {
    Thought thought;
    thought.resigns = true;
    return thought;
  }
  const absl::StatusOr<std::string> commands = CommandsFor(request);
  if (!commands.ok()) return commands.status();
  const TimePoint start = std::chrono::steady_clock::now();
  if (absl::Status status = process_->Send(*commands); !status.ok()) return status;
  plays_ = true;
  known_moves_ = request.moves.size() + 1;
  return ReadAnswer(request, start);
}

absl::StatusOr<Thought> XboardPlayer::ReadAnswer(const MoveRequest& request, TimePoint start) {
  TimePoint deadline = start + absl::ToChronoNanoseconds(request.patience);
  std::string claim;
  Thought thought;
  while (true) {
    const absl::StatusOr<std::string> line = process_->ReadLine(deadline);
    const TimePoint now = std::chrono::steady_clock::now();
    if (absl::IsDeadlineExceeded(line.status()) && !claim.empty()) {
      return absl::FailedPreconditionError(absl::StrCat("the engine claims '", claim, "' and makes no move"));
    }
    if (!line.ok()) return line.status();
    thought.elapsed = absl::FromChrono(now - start);
    const Words words = WordsOf(*line);
    switch (Meaning(words, request.side)) {
      case Saying::kMove:
        thought.move = UciMove(MoveOf(words), request.side);
        return thought;
      case Saying::kResignation:
        thought.resigns = true;
        return thought;
      case Saying::kClaim:
        // The rules are ours to apply. Some engines claim first and move then, others would wait for ever.
        claim = *line;
        plays_ = false;
        deadline = std::min(deadline, now + absl::ToChronoNanoseconds(kAfterClaim));
        break;
      case Saying::kOther:
        if (const absl::string_view refused = RefusedCommand(*line); !refused.empty()) {
          return absl::FailedPreconditionError(absl::StrCat("the engine refuses '", refused, "'"));
        }
        ReadThinking(words, thought);
    }
  }
}

}  // namespace kibitz::client
