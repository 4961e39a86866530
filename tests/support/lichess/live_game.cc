#include "tests/support/lichess/live_game.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;

std::size_t Place(Color side) { return side == Color::kWhite ? 0 : 1; }
const char* NameOf(Color side) { return side == Color::kWhite ? "white" : "black"; }

json JsonOf(const Seat& seat) {
  json out{{"id", seat.id}, {"name", seat.name}, {"rating", seat.rating}, {"title", nullptr}};
  if (!seat.title.empty()) out["title"] = seat.title;
  return out;
}

bool HasBareKing(const Position& position, Color side) { return std::popcount(position.board().Of(side)) == 1; }

}  // namespace

absl::StatusOr<LiveGame> LiveGame::Start(GameSpec spec, absl::Time now) {
  const Variant variant = spec.variant == "chess960" ? Variant::kChess960 : Variant::kStandard;
  absl::StatusOr<Position> start = ParseFen(spec.initial_fen == "startpos" ? kStartFen : spec.initial_fen, variant);
  if (!start.ok()) return start.status();
  return LiveGame(std::move(spec), *std::move(start), now);
}

LiveGame::LiveGame(GameSpec spec, Position start, absl::Time now)
    : spec_(std::move(spec)),
      start_(std::move(start)),
      position_(start_),
      clocks_{spec_.initial, spec_.initial},
      turn_began_(now),
      created_(now) {}

std::optional<Color> LiveGame::SideOf(const std::string& id) const {
  if (spec_.seats[0].id == id) return Color::kWhite;
  if (spec_.seats[1].id == id) return Color::kBlack;
  return std::nullopt;
}

absl::Status LiveGame::MustBeOn() const {
  return over() ? absl::FailedPreconditionError("This game is already over") : absl::OkStatus();
}

absl::Status LiveGame::Move(Color side, const std::string& uci, bool offering_draw, absl::Time now) {
  LookAtClocks(now);
  if (over() || position_.side_to_move() != side) {
    return absl::FailedPreconditionError("Not your turn, or game already over");
  }
  const absl::StatusOr<kibitz::Move> move = ParseUciMove(position_, uci);
  if (!move.ok()) return absl::InvalidArgumentError(absl::StrCat(uci, ": ", move.status().message()));
  if (ClocksRun()) clocks_[Place(side)] = ClockOf(side, now) + spec_.increment;
  turn_began_ = now;
  // Lichess writes castling as king takes rook in every variant.
  moves_.push_back(ToUci(*move, Variant::kChess960));
  position_.MakeMove(*move);
  position_.ForgetUndo();
  // A move declines what was offered.
  offers_draw_[Place(~side)] = false;
  wants_takeback_ = {};
  offers_draw_[Place(side)] = offering_draw;
  SettleByRules();
  return absl::OkStatus();
}

void LiveGame::SettleByRules() {
  switch (position_.Status()) {
    case GameStatus::kCheckmate:
      return End("mate", ~position_.side_to_move());
    case GameStatus::kStalemate:
      return End("stalemate", std::nullopt);
    case GameStatus::kFivefoldRepetition:
    case GameStatus::kSeventyFiveMoves:
    case GameStatus::kDeadPosition:
      return End("draw", std::nullopt);
    default:
      return;
  }
}

void LiveGame::End(std::string status, std::optional<Color> winner) {
  status_ = std::move(status);
  winner_ = winner;
}

absl::Status LiveGame::Abort() {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  if (moves_.size() >= 2) return absl::FailedPreconditionError("This game can no longer be aborted");
  End("aborted", std::nullopt);
  return absl::OkStatus();
}

absl::Status LiveGame::Resign(Color side) {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  if (moves_.size() < 2) return absl::FailedPreconditionError("This game can no longer be resigned");
  End("resign", ~side);
  return absl::OkStatus();
}

absl::Status LiveGame::Draw(Color side, bool yes) {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  const GameStatus status = position_.Status();
  const bool claimable = status == GameStatus::kThreefoldRepetition || status == GameStatus::kFiftyMoves;
  if (yes && (claimable || offers_draw_[Place(~side)])) {
    End("draw", std::nullopt);
  } else if (yes) {
    if (moves_.size() < 2) return absl::FailedPreconditionError("It is too early for a draw");
    offers_draw_[Place(side)] = true;
  } else {
    offers_draw_ = {};
  }
  return absl::OkStatus();
}

absl::Status LiveGame::Takeback(Color side, bool yes, absl::Time now) {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  if (!yes) {
    wants_takeback_ = {};
    return absl::OkStatus();
  }
  if (!wants_takeback_[Place(~side)]) {
    if (moves_.size() < 2) return absl::FailedPreconditionError("There is nothing to take back");
    wants_takeback_[Place(side)] = true;
    return absl::OkStatus();
  }
  // The other's last move goes, and ours after it if there is one.
  const std::size_t count = position_.side_to_move() == side ? 1 : 2;
  if (moves_.size() < count) return absl::FailedPreconditionError("There is nothing to take back");
  if (ClocksRun()) clocks_[Place(position_.side_to_move())] = ClockOf(position_.side_to_move(), now);
  moves_.resize(moves_.size() - count);
  turn_began_ = now;
  wants_takeback_ = {};
  offers_draw_ = {};
  Replay();
  return absl::OkStatus();
}

void LiveGame::Replay() {
  position_ = start_;
  for (const std::string& uci : moves_) position_.MakeMove(*ParseUciMove(position_, uci));
  position_.ForgetUndo();
}

absl::Status LiveGame::ClaimVictory(Color side) {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  End("timeout", side);
  return absl::OkStatus();
}

absl::Status LiveGame::ClaimDraw() {
  if (absl::Status on = MustBeOn(); !on.ok()) return on;
  End("timeout", std::nullopt);
  return absl::OkStatus();
}

bool LiveGame::LookAtClocks(absl::Time now) {
  if (over()) return false;
  const Color side = position_.side_to_move();
  if (ClocksRun() && ClockOf(side, now) <= absl::ZeroDuration()) {
    clocks_[Place(side)] = absl::ZeroDuration();
    End("outoftime", HasBareKing(position_, ~side) ? std::nullopt : std::optional(~side));
    return true;
  }
  if (moves_.size() < 2 && now - turn_began_ > spec_.first_move) {
    End("aborted", std::nullopt);
    return true;
  }
  return false;
}

absl::Duration LiveGame::ClockOf(Color side, absl::Time now) const {
  const absl::Duration left = clocks_[Place(side)];
  if (!ClocksRun() || position_.side_to_move() != side) return left;
  return std::max(absl::ZeroDuration(), left - (now - turn_began_));
}

json LiveGame::State(absl::Time now) const {
  constexpr std::int64_t kNoClock = 2147483647;
  const auto time = [&](Color side) {
    return spec_.has_clock ? absl::ToInt64Milliseconds(ClockOf(side, now)) : kNoClock;
  };
  json out{{"type", "gameState"},
           {"moves", absl::StrJoin(moves_, " ")},
           {"wtime", time(Color::kWhite)},
           {"btime", time(Color::kBlack)},
           {"winc", absl::ToInt64Milliseconds(spec_.increment)},
           {"binc", absl::ToInt64Milliseconds(spec_.increment)},
           {"status", status_}};
  if (winner_) out["winner"] = NameOf(*winner_);
  if (offers_draw_[0]) out["wdraw"] = true;
  if (offers_draw_[1]) out["bdraw"] = true;
  if (wants_takeback_[0]) out["wtakeback"] = true;
  if (wants_takeback_[1]) out["btakeback"] = true;
  if (moves_.size() < 2 && !over()) {
    out["expiration"] = {{"idleMillis", absl::ToInt64Milliseconds(now - turn_began_)},
                         {"millisToMove", absl::ToInt64Milliseconds(spec_.first_move)}};
  }
  return out;
}

json LiveGame::Full(absl::Time now) const {
  json out{{"type", "gameFull"},
           {"id", spec_.id},
           {"variant", {{"key", spec_.variant}, {"name", spec_.variant}, {"short", spec_.variant}}},
           {"speed", "blitz"},
           {"perf", {{"name", "Blitz"}}},
           {"rated", spec_.rated},
           {"createdAt", absl::ToUnixMillis(created_)},
           {"white", JsonOf(spec_.seats[0])},
           {"black", JsonOf(spec_.seats[1])},
           {"initialFen", spec_.initial_fen},
           {"state", State(now)}};
  if (spec_.has_clock) {
    out["clock"] = {{"initial", absl::ToInt64Milliseconds(spec_.initial)},
                    {"increment", absl::ToInt64Milliseconds(spec_.increment)}};
  } else {
    out["clock"] = nullptr;
  }
  return out;
}

}  // namespace kibitz::stand_in
