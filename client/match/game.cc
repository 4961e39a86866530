#include "client/match/game.h"

#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz::client {
namespace {

const char* Name(Color side) { return side == Color::kWhite ? "White" : "Black"; }

// The game while it is played.
class LiveGame {
 public:
  LiveGame(const Seat& white, const Seat& black, const Opening& opening, const GameRules& rules)
      : seats_{&white, &black},
        clocks_{GameClock(white.control), GameClock(black.control)},
        rules_(rules),
        adjudicator_(rules.adjudication),
        position_(opening.start),
        start_fen_(ToFen(opening.start)) {
    game_.opening = opening;
    for (const Move move : opening.moves) Play({.move = move, .thought = std::nullopt, .clock_left = {}});
  }

  PlayedGame Run() {
    for (const Color side : {Color::kWhite, Color::kBlack}) {
      const absl::Status ready = seats_[Index(side)]->player.NewGame(position_.variant());
      if (!ready.ok()) return LostBeforeStart(game_.opening, side, ready.message());
    }
    while (!EndsByRules() && PlayNextMove()) {
    }
    return std::move(game_);
  }

 private:
  // Returns whether the game goes on.
  bool PlayNextMove() {
    const Color side = position_.side_to_move();
    GameClock& clock = clocks_[Index(side)];
    const absl::Duration allowance = clock.Allowance();
    const bool clock_runs = allowance < absl::InfiniteDuration();
    const absl::StatusOr<Thought> thought =
        seats_[Index(side)]->player.Think({.start_fen = start_fen_,
                                           .moves = uci_moves_,
                                           .variant = position_.variant(),
                                           .side = side,
                                           .clock = clock,
                                           .opponent_clock = clocks_[Index(~side)],
                                           .patience = clock_runs ? allowance : rules_.hang_after});
    if (!thought.ok()) {
      if (thought.status().code() == absl::StatusCode::kDeadlineExceeded && clock_runs)
        return LoseOnTime(side, allowance);
      return Lose(side, Termination::kAbandoned, thought.status().message());
    }
    if (thought->elapsed > allowance) return LoseOnTime(side, allowance);
    if (thought->resigns) return End(WinOf(~side), Termination::kNormal, absl::StrCat(Name(side), " resigns"));
    const absl::StatusOr<Move> move = ParseUciMove(position_, thought->move);
    if (!move.ok())
      return Lose(side, Termination::kRulesInfraction, absl::StrCat("illegal move: ", move.status().message()));
    clock.Spend(thought->elapsed);
    Play({.move = *move,
          .thought = *thought,
          .clock_left = clock.control().HasClock() ? clock.left() : absl::ZeroDuration()});
    return !EndsByAdjudication(thought->score);
  }

  void Play(PlayedMove played) {
    uci_moves_.push_back(ToUci(played.move, position_.variant()));
    position_.MakeMove(played.move);
    position_.ForgetUndo();
    game_.moves.push_back(std::move(played));
  }

  bool LoseOnTime(Color side, absl::Duration allowance) {
    return Lose(side, Termination::kTimeForfeit,
                absl::StrCat("no move within ", absl::ToInt64Milliseconds(allowance), " ms, the margin included"));
  }

  bool Lose(Color side, Termination termination, absl::string_view why) {
    game_.failed = side;
    return End(WinOf(~side), termination, absl::StrCat(Name(side), " loses: ", why));
  }

  bool End(GameOutcome outcome, Termination termination, std::string reason) {
    game_.outcome = outcome;
    game_.termination = termination;
    game_.reason = std::move(reason);
    return false;
  }

  bool EndsByRules() {
    const auto draw = [&](const char* reason) { return !End(GameOutcome::kDraw, Termination::kNormal, reason); };
    switch (position_.Status()) {
      case GameStatus::kOngoing:
        return false;
      case GameStatus::kCheckmate: {
        const Color winner = ~position_.side_to_move();
        return !End(WinOf(winner), Termination::kNormal, absl::StrCat(Name(winner), " mates"));
      }
      case GameStatus::kStalemate:
        return draw("Draw by stalemate");
      case GameStatus::kThreefoldRepetition:
      case GameStatus::kFivefoldRepetition:
        return draw("Draw by threefold repetition");
      case GameStatus::kFiftyMoves:
      case GameStatus::kSeventyFiveMoves:
        return draw("Draw by the fifty-move rule");
      case GameStatus::kDeadPosition:
        return draw("Draw by insufficient material");
    }
    return false;
  }

  bool EndsByAdjudication(const std::optional<PlayerScore>& score) {
    const auto verdict = adjudicator_.AfterMove(position_, score, static_cast<int>(game_.moves.size()) / 2);
    // Mate on the board is mate, whatever was said.
    if (!verdict || position_.Status() != GameStatus::kOngoing) return false;
    return !End(verdict->outcome, Termination::kAdjudication, verdict->reason);
  }

  std::array<const Seat*, kNumColors> seats_;
  std::array<GameClock, kNumColors> clocks_;
  const GameRules& rules_;
  Adjudicator adjudicator_;
  Position position_;
  const std::string start_fen_;
  std::vector<std::string> uci_moves_;
  PlayedGame game_;
};

}  // namespace

PlayedGame PlayGame(const Seat& white, const Seat& black, const Opening& opening, const GameRules& rules) {
  return LiveGame(white, black, opening, rules).Run();
}

PlayedGame LostBeforeStart(const Opening& opening, Color loser, absl::string_view why) {
  PlayedGame game;
  game.opening = opening;
  for (const Move move : opening.moves) game.moves.push_back({.move = move, .thought = std::nullopt, .clock_left = {}});
  game.outcome = WinOf(~loser);
  game.termination = Termination::kAbandoned;
  game.reason = absl::StrCat(Name(loser), " loses: ", why);
  game.failed = loser;
  return game;
}

}  // namespace kibitz::client
