// How a game's moves are found and sent. Its events are in game_player.cc.

#include <algorithm>
#include <cmath>
#include <utility>

#include "client/lichess/bot/game_player.h"
#include "client/lichess/bot/words.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"
#include "server/log/log_fields.h"

namespace kibitz::client::lichess {
namespace {

using server::LogFields;

// The same move is not offered more often to a server that refuses it: then the game is given up.
constexpr int kMaxRefusals = 3;

SteadyTime After(SteadyTime time, absl::Duration wait) { return time + absl::ToChronoNanoseconds(wait); }

}  // namespace

void GamePlayer::ThinkOrWait() {
  if (game_->IsOurTurn()) {
    if (outgoing_) return;
    if (search_ && search_->moment == Now()) {
      if (search_->pondering) {
        search_->pondering = false;
        search_->began = std::chrono::steady_clock::now();
        search_->patience_ends = After(search_->began, Patience(search_->began));
        if (search_->early) return Decide(*search_->early);
        thinker_->PonderHit();
      }
      return;
    }
    return StartThinking();
  }
  if (search_ && search_->pondering) return;
  if (search_) thinker_->Stop();
  search_.reset();
  StartPondering();
}

void GamePlayer::StartThinking() {
  search_.reset();
  const MoveList legal = LegalMoves(game_->position());
  // The server will say how it has ended.
  if (legal.empty()) return;
  if (PlayFromBook()) return;
  if (legal.size() == 1) return Play(legal[0], /*offers_draw=*/false);
  const SteadyTime now = std::chrono::steady_clock::now();
  const std::int64_t question = thinker_->Ask(AskAbout(game_->UciMoves()), /*ponder=*/false);
  search_ = Search{.question = question, .moment = Now(), .began = now};
  search_->patience_ends = After(now, Patience(now));
}

// A server that has fallen silent is not to cost the game: the best that is known is better then than the best.
absl::Duration GamePlayer::Patience(SteadyTime now) const {
  constexpr absl::Duration kLeniency = absl::Seconds(2);
  const PlayPolicy& policy = context_.policy.play;
  if (!game_->full().clock) return policy.correspondence_time + 5 * kLeniency;
  const absl::Duration left = game_->TimeOf(game_->us(), now);
  const absl::Duration usual = left / 2 + game_->state().increment[Place(game_->us())] + kLeniency;
  // The move has to arrive as well.
  const absl::Duration way = std::max(policy.move_overhead / 2 + context_.round_trip.Overhead(), left / 10);
  return std::max(std::min(usual, left - way), absl::Milliseconds(10));
}

void GamePlayer::StartPondering() {
  if (!context_.policy.play.ponder || expected_.empty() || !game_->ClocksRun()) return;
  const absl::StatusOr<kibitz::Move> move = ParseUciMove(game_->position(), expected_);
  expected_.clear();
  if (!move.ok()) return;
  Position after = game_->position();
  after.MakeMove(*move);
  if (!after.HasLegalMove()) return;
  std::vector<std::string> moves = game_->UciMoves();
  moves.push_back(ToUci(*move, after.variant()));
  const std::int64_t question = thinker_->Ask(AskAbout(moves), /*ponder=*/true);
  search_ = Search{.question = question, .moment = {after.key(), moves.size()}, .pondering = true};
}

bool GamePlayer::PlayFromBook() {
  const PlayPolicy& policy = context_.policy.play;
  if (!context_.book || game_->position().fullmove_number() > policy.book_moves) return false;
  const std::optional<kibitz::Move> move = context_.book->PickMove(game_->position(), random_());
  if (!move) return false;
  context_.report.Count([](BotCounts& counts) { ++counts.book_moves; });
  Play(*move, /*offers_draw=*/false);
  return true;
}

Question GamePlayer::AskAbout(const std::vector<std::string>& moves) const {
  const PlayPolicy& policy = context_.policy.play;
  Question question{.fen = game_->full().initial_fen,
                    .chess960 = game_->start().variant() == Variant::kChess960,
                    .moves = moves,
                    .move_time = policy.max_move_time,
                    .move_overhead = policy.move_overhead + context_.round_trip.Overhead(),
                    .nodes = policy.max_nodes,
                    .threads = policy.threads,
                    .strength_elo = policy.strength_elo};
  if (!game_->full().clock) {
    question.move_time = std::min(policy.correspondence_time, policy.max_move_time);
    return question;
  }
  const SteadyTime now = std::chrono::steady_clock::now();
  question.clocks = Question::Clocks{.white = game_->TimeOf(Color::kWhite, now),
                                     .black = game_->TimeOf(Color::kBlack, now),
                                     .white_increment = game_->state().increment[0],
                                     .black_increment = game_->state().increment[1]};
  return question;
}

void GamePlayer::OnProgress(std::int64_t question, Answer answer) {
  if (!search_ || search_->question != question || answer.best_move.empty()) return;
  search_->latest = answer;
  // What is seen on the opponent's time is of another position.
  if (search_->pondering) return;
  latest_ = std::move(answer);
  Report();
}

void GamePlayer::OnAnswer(std::int64_t question, const Answer& answer) {
  if (!search_ || search_->question != question) return;
  if (!search_->pondering) return Decide(answer);
  search_->early = answer;
}

void GamePlayer::OnSearchLost(const absl::Status& status) {
  context_.report.Count([](BotCounts& counts) { ++counts.searches_lost; });
  LogFields("search lost").Add("game", id_).Add("why", status.message()).Log(spdlog::level::warn);
  if (search_->pondering || !game_->IsOurTurn()) return search_.reset();
  // With time left another is asked for soon: the server may have been started anew.
  constexpr absl::Duration kPatience = absl::Seconds(1);
  const SteadyTime now = std::chrono::steady_clock::now();
  const absl::Duration spare = game_->full().clock ? game_->TimeOf(game_->us(), now) / 10 : absl::Seconds(5);
  if (!search_->latest.best_move.empty() || spare < kPatience) return PlayWhatIsKnown();
  const Moment moment = Now();
  if (!http::RealClock().WaitFor(kPatience / 2, stop_.get_token())) return;
  if (moment == Now()) StartThinking();
}

void GamePlayer::PlayWhatIsKnown() {
  Answer answer = search_->latest;
  thinker_->Stop();
  if (answer.best_move.empty()) {
    const MoveList legal = LegalMoves(game_->position());
    answer.best_move = ToUci(legal[random_() % legal.size()], game_->position().variant());
  }
  LogFields("playing what is known, time is short").Add("game", id_).Log(spdlog::level::warn);
  Decide(std::move(answer));
}

void GamePlayer::Decide(Answer answer) {
  const SteadyTime began = search_->began;
  search_.reset();
  const absl::StatusOr<kibitz::Move> move = ParseUciMove(game_->position(), answer.best_move);
  if (!move.ok()) {
    // Not by our server: a stranger's, or one of another version.
    LogFields("the search gives no move").Add("game", id_).Add("move", answer.best_move).Log(spdlog::level::err);
    return Play(LegalMoves(game_->position())[0], /*offers_draw=*/false);
  }
  watch_.Add(answer);
  latest_ = answer;
  notes_[game_->moves().size()] = {.answer = answer,
                                   .time = absl::FromChrono(std::chrono::steady_clock::now() - began)};
  if (watch_.WantsToResign() && Act("resign")) return;
  Play(*move, watch_.WantsToOffer(game_->position().fullmove_number()));
  expected_ = answer.ponder_move;
  // If it is a draw, that comes first; if not, the move goes a little later.
  if (ClaimsDraw()) {
    const absl::Duration wait = std::max(2 * context_.round_trip.mean(), absl::Milliseconds(100));
    outgoing_->next = After(std::chrono::steady_clock::now(), wait);
  }
}

bool GamePlayer::ClaimsDraw() {
  const GameStatus status = game_->position().Status();
  const bool by_rule = status == GameStatus::kThreefoldRepetition || status == GameStatus::kFiftyMoves;
  const bool offered = game_->state().offers_draw[Place(~game_->us())];
  if (draw_answered_ == Now()) return false;
  if (!(by_rule && watch_.WantsToClaim()) && !(offered && watch_.WantsToAccept())) return false;
  draw_answered_ = Now();
  return Act("draw/yes");
}

void GamePlayer::Play(kibitz::Move move, bool offers_draw) {
  expected_.clear();
  // Lichess takes castling as king takes rook in every variant.
  outgoing_ = Outgoing{.moment = Now(),
                       .uci = ToUci(move, Variant::kChess960),
                       .offers_draw = offers_draw,
                       .next = After(std::chrono::steady_clock::now(), HumanDelay())};
  backoff_.Reset();
}

void GamePlayer::SendMove() {
  Outgoing& outgoing = *outgoing_;
  // Whatever was lost comes with another stream.
  if (outgoing.state != Outgoing::State::kToSend) return LookWhetherItWasMade();
  const SteadyTime began = std::chrono::steady_clock::now();
  const absl::Duration answer = context_.api.times().answer;
  const absl::Duration left = game_->full().clock ? game_->TimeOf(game_->us(), began) : absl::InfiniteDuration();
  const absl::Duration patience = std::min(answer, std::max(left / 4, answer / 20));
  const absl::Status status = context_.api.Move(id_, outgoing.uci, outgoing.offers_draw, patience, stop_.get_token());
  const SteadyTime now = std::chrono::steady_clock::now();
  if (status.ok()) {
    context_.round_trip.Add(absl::FromChrono(now - began));
    context_.report.SetRoundTrip(context_.round_trip.mean());
    context_.report.Count([](BotCounts& counts) { ++counts.moves; });
    outgoing.state = Outgoing::State::kSent;
    outgoing.next = After(now, context_.api.times().silence);
    return;
  }
  if (!http::MayPass(status)) return OnRefused(status);
  ++moves_sent_again_;
  context_.report.Count([](BotCounts& counts) { ++counts.moves_sent_again; });
  LogFields("move not sent").Add("game", id_).Add("why", status.message()).Log(spdlog::level::info);
  // What was asked too often was not done.
  if (!absl::IsResourceExhausted(status)) return LookWhetherItWasMade();
  outgoing.next = After(now, backoff_.Next());
}

void GamePlayer::LookWhetherItWasMade() {
  outgoing_->state = Outgoing::State::kUnsure;
  outgoing_->next = After(std::chrono::steady_clock::now(), context_.api.times().silence);
  wanted_opening_ = openings_ + 1;
  stream_->Reopen();
}

void GamePlayer::OnRefused(const absl::Status& status) {
  if (absl::IsCancelled(status)) return;
  LogFields("move refused")
      .Add("game", id_)
      .Add("move", outgoing_->uci)
      .Add("why", status.message())
      .Log(spdlog::level::info);
  context_.report.Count([](BotCounts& counts) { ++counts.moves_refused; });
  if (++outgoing_->refusals <= kMaxRefusals) return LookWhetherItWasMade();
  if (!Act("abort")) Act("resign");
  Finish("the server refuses our moves");
}

absl::Duration GamePlayer::HumanDelay() {
  if (!context_.policy.play.human_times || !game_->ClocksRun()) return absl::ZeroDuration();
  const absl::Duration left = game_->TimeOf(game_->us(), std::chrono::steady_clock::now());
  const absl::Duration usual = left / 50 + game_->state().increment[Place(game_->us())] / 2;
  const double whim = std::lognormal_distribution<>(-0.2, 0.6)(random_);
  return std::clamp(usual * whim, std::min(absl::Milliseconds(300), left / 50), left / 8);
}

}  // namespace kibitz::client::lichess
