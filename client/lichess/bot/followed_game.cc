#include "client/lichess/bot/followed_game.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "client/http/request.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz::client::lichess {
namespace {

absl::StatusOr<Position> StartOf(const GameFull& full) {
  const bool chess960 = full.variant == "chess960";
  if (!chess960 && full.variant != "standard" && full.variant != "fromPosition") {
    return absl::UnimplementedError(absl::StrCat("the variant '", full.variant, "' is not one that we play"));
  }
  const std::string fen = full.initial_fen.empty() ? kStartFen : full.initial_fen;
  absl::StatusOr<Position> start = ParseFen(fen, chess960 ? Variant::kChess960 : Variant::kStandard);
  // A position of somebody's own may have the castling rights of Chess960.
  if (!start.ok() && full.variant == "fromPosition") {
    if (absl::StatusOr<Position> other = ParseFen(fen, Variant::kChess960); other.ok()) return other;
  }
  if (start.ok()) return start;
  return absl::InvalidArgumentError(
      absl::StrCat("the position '", http::OneLine(fen, 100), "' is none: ", start.status().message()));
}

}  // namespace

absl::StatusOr<FollowedGame> FollowedGame::Begin(GameFull full, const std::string& us, SteadyTime received) {
  const bool white = full.players[0].id == us;
  if (!white && full.players[1].id != us) return absl::InvalidArgumentError("the game is not ours");
  absl::StatusOr<Position> start = StartOf(full);
  if (!start.ok()) return start.status();
  GameState state = full.state;
  FollowedGame game(std::move(full), white ? Color::kWhite : Color::kBlack, *std::move(start));
  if (absl::Status status = game.Take(std::move(state), received); !status.ok()) return status;
  return game;
}

FollowedGame::FollowedGame(GameFull full, Color us, Position start)
    : full_(std::move(full)), us_(us), start_(std::move(start)), position_(start_) {}

absl::Status FollowedGame::Take(GameState state, SteadyTime received) {
  const auto [end_of_old, end_of_new] =
      std::mismatch(state_.moves.begin(), state_.moves.end(), state.moves.begin(), state.moves.end());
  const bool goes_on = end_of_old == state_.moves.end();
  Position position = goes_on ? position_ : start_;
  std::vector<Move> moves = goes_on ? moves_ : std::vector<Move>();
  for (std::size_t i = moves.size(); i < state.moves.size(); ++i) {
    const absl::StatusOr<Move> move = ParseUciMove(position, state.moves[i]);
    if (!move.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("the server tells of an illegal move, number ", i + 1, ", '",
                                                     http::OneLine(state.moves[i], 20), "'"));
    }
    position.MakeMove(*move);
    position.ForgetUndo();
    moves.push_back(*move);
  }
  position_ = std::move(position);
  moves_ = std::move(moves);
  state_ = std::move(state);
  received_ = received;
  return absl::OkStatus();
}

std::vector<std::string> FollowedGame::UciMoves() const {
  std::vector<std::string> words;
  words.reserve(moves_.size());
  for (const Move move : moves_) words.push_back(ToUci(move, start_.variant()));
  return words;
}

absl::Duration FollowedGame::TimeOf(Color side, SteadyTime now) const {
  const absl::Duration told = state_.time[Place(side)];
  if (!ClocksRun() || position_.side_to_move() != side) return told;
  return std::max(absl::ZeroDuration(), told - absl::FromChrono(now - received_));
}

}  // namespace kibitz::client::lichess
