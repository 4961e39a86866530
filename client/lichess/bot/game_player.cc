#include "client/lichess/bot/game_player.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "client/lichess/bot/words.h"
#include "server/log/log_fields.h"

namespace kibitz::client::lichess {
namespace {

using server::LogFields;

// How often a game is read anew from its beginning, after something in it that cannot be.
constexpr int kMaxTroubles = 3;
constexpr int kMaxReplies = 20;
constexpr int kMaxClaims = 5;
// After the account has said that a game is over, its own stream has so long to say how.
constexpr std::chrono::seconds kLastWord{5};

// While a clock runs nobody waits for long.
http::BackoffOptions StreamBackoff(http::BackoffOptions options) {
  options.longest = std::min(options.longest, absl::Seconds(3));
  return options;
}

SteadyTime Later(absl::Duration time) { return std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(time); }

}  // namespace

GamePlayer::GamePlayer(const PlayContext& context, std::string game, std::function<void()> on_done)
    : context_(context),
      id_(std::move(game)),
      on_done_(std::move(on_done)),
      watch_(context.policy.draw, context.policy.resign),
      backoff_(context.api.times().backoff) {
  thread_ = std::thread([this] { Run(); });
}

GamePlayer::~GamePlayer() {
  stop_.request_stop();
  mailbox_.Post([this] { done_ = true; });
  thread_.join();
}

void GamePlayer::Resign() {
  mailbox_.Post([this] {
    if (!Act("resign")) Act("abort");
  });
}

void GamePlayer::HearThatItIsOver() {
  mailbox_.Post([this] {
    if (!over_by_) over_by_ = std::chrono::steady_clock::now() + kLastWord;
  });
}

void GamePlayer::Run() {
  thinker_ = std::make_unique<Thinker>(
      context_.connection,
      Thinker::Events{.on_progress =
                          [this](std::int64_t question, Answer answer) {
                            mailbox_.Post(
                                [this, question, answer = std::move(answer)] { OnProgress(question, answer); });
                          },
                      .on_answer =
                          [this](std::int64_t question, Answer answer) {
                            mailbox_.Post([this, question, answer = std::move(answer)] { OnAnswer(question, answer); });
                          },
                      .on_failure =
                          [this](std::int64_t question, const absl::Status& status) {
                            mailbox_.Post([this, question, status] {
                              if (search_ && search_->question == question) OnSearchLost(status);
                            });
                          },
                      .on_lost =
                          [this](const absl::Status& status) {
                            mailbox_.Post([this, status] {
                              if (search_ && thinker_->IsLost()) OnSearchLost(status);
                            });
                          }});
  stream_ = std::make_unique<KeptStream>(
      [this](const std::stop_token& stop) { return context_.api.OpenGame(id_, stop); },
      KeptStream::Events{
          .on_open =
              [this] {
                ++openings_;
                context_.report.Count([](BotCounts& counts) { ++counts.streams_opened; });
              },
          .on_line =
              [this](std::string line) {
                if (!lines_.Give()) return;
                const SteadyTime received = std::chrono::steady_clock::now();
                mailbox_.Post([this, line = std::move(line), received, opening = openings_.load()] {
                  OnLine(line, received, opening);
                });
              },
          .on_lost =
              [this](const absl::Status& status) {
                mailbox_.Post([this, status] {
                  ++streams_lost_;
                  context_.report.Count([](BotCounts& counts) { ++counts.streams_lost; });
                  LogFields("stream lost").Add("game", id_).Add("why", status.message()).Log(spdlog::level::info);
                });
              },
          .on_refused =
              [this](const absl::Status& status) {
                mailbox_.Post([this, status] { Finish(absl::StrCat("the server refuses it: ", status.message())); });
              }},
      StreamBackoff(context_.api.times().backoff));
  while (!done_) {
    if (const std::optional<Mailbox::Task> task = mailbox_.Take(NextDeadline())) (*task)();
    if (!done_) OnTime(std::chrono::steady_clock::now());
  }
  stream_.reset();
  thinker_.reset();
  context_.report.Forget(id_);
  on_done_();
}

std::optional<SteadyTime> GamePlayer::NextDeadline() const {
  std::optional<SteadyTime> next;
  const auto consider = [&](const std::optional<SteadyTime>& time) {
    if (time && (!next || *time < *next)) next = time;
  };
  consider(claim_at_);
  consider(abort_at_);
  consider(over_by_);
  if (outgoing_) consider(outgoing_->next);
  if (search_) consider(search_->patience_ends);
  return next;
}

void GamePlayer::OnTime(SteadyTime now) {
  if (over_by_ && now >= *over_by_) return Finish("the account says that it is over");
  if (claim_at_ && now >= *claim_at_) ClaimVictory();
  if (abort_at_ && now >= *abort_at_) {
    abort_at_.reset();
    LogFields("aborting, the opponent does not move").Add("game", id_).Log(spdlog::level::info);
    Act("abort");
  }
  if (search_ && search_->patience_ends && now >= *search_->patience_ends) PlayWhatIsKnown();
  if (outgoing_ && now >= outgoing_->next) SendMove();
}

void GamePlayer::OnLine(const std::string& line, SteadyTime received, int opening) {
  if (lines_.Take()) stream_->Reopen();
  absl::StatusOr<GameEvent> event = ParseGameEvent(line);
  if (!event.ok()) return OnTrouble(event.status());
  const bool is_full = std::holds_alternative<GameFull>(*event);
  std::visit([&](auto& each) { OnEvent(std::move(each), received); }, *event);
  // The game as it stands, without the move.
  if (!is_full || opening < wanted_opening_ || !outgoing_ || outgoing_->state != Outgoing::State::kUnsure) return;
  outgoing_->state = Outgoing::State::kToSend;
  outgoing_->next = Later(backoff_.Next());
}

void GamePlayer::OnEvent(GameFull full, SteadyTime received) {
  if (!game_) return Begin(std::move(full), received);
  OnEvent(std::move(full.state), received);
}

void GamePlayer::Begin(GameFull full, SteadyTime received) {
  absl::StatusOr<FollowedGame> game = FollowedGame::Begin(std::move(full), context_.us, received);
  if (!game.ok()) return OnTrouble(game.status());
  game_ = *std::move(game);
  context_.report.Count([](BotCounts& counts) { ++counts.games_started; });
  const GameFull& told = game_->full();
  LogFields("game")
      .Add("game", id_)
      .Add("opponent", game_->opponent().name)
      .Add("rating", static_cast<std::int64_t>(game_->opponent().rating))
      .Add("color", game_->us() == Color::kWhite ? "white" : "black")
      .Add("variant", told.variant)
      .Add("clock", ClockText(told))
      .Add("rated", told.rated ? "yes" : "no")
      .Add("ply", static_cast<std::int64_t>(game_->moves().size()))
      .Log(spdlog::level::info);
  if (game_->moves().empty() && !context_.policy.chat.greeting.empty()) Say("player", context_.policy.chat.greeting);
  OnNewState();
}

void GamePlayer::OnEvent(GameState state, SteadyTime received) {
  // Before its beginning is told a state says nothing.
  if (!game_) return;
  const std::size_t before = game_->moves().size();
  if (absl::Status status = game_->Take(std::move(state), received); !status.ok()) return OnTrouble(status);
  if (game_->moves().size() < before) {
    watch_.Reset();
    notes_.erase(notes_.lower_bound(game_->moves().size()), notes_.end());
  }
  OnNewState();
}

void GamePlayer::OnEvent(const ChatLine& chat, SteadyTime /*received*/) {
  if (!game_ || !context_.policy.chat.commands || chat.name == game_->full().players[Place(game_->us())].name) return;
  const std::string reply = ReplyTo(chat.text, chat.room == "spectator", latest_, context_.engine);
  if (reply.empty() || ++replies_ > kMaxReplies) return;
  Say(chat.room == "spectator" ? "spectator" : "player", reply);
}

void GamePlayer::OnEvent(const OpponentGone& gone, SteadyTime /*received*/) {
  claim_at_.reset();
  if (gone.gone && gone.claim_in && context_.policy.play.claim_victory) claim_at_ = Later(*gone.claim_in);
}

void GamePlayer::OnEvent(const UnknownEvent& event, SteadyTime /*received*/) {
  LogFields("unknown event").Add("game", id_).Add("type", event.type).Log(spdlog::level::debug);
}

void GamePlayer::OnTrouble(const absl::Status& status) {
  context_.report.Count([](BotCounts& counts) { ++counts.bad_events; });
  LogFields("the server cannot be followed").Add("game", id_).Add("why", status.message()).Log(spdlog::level::warn);
  if (++troubles_ < kMaxTroubles && !absl::IsUnimplemented(status)) return stream_->Reopen();
  // Nobody is to wait for us until the clock has run out.
  if (!Act("abort")) Act("resign");
  Finish(std::string(status.message()));
}

void GamePlayer::OnNewState() {
  NoteClocks();
  Report();
  if (game_->IsOver()) {
    Archive();
    if (!context_.policy.chat.goodbye.empty()) Say("player", context_.policy.chat.goodbye);
    return Finish(game_->state().status);
  }
  AnswerTakeback();
  AnswerDrawOffer();
  abort_at_.reset();
  if (game_->moves().size() < 2 && !game_->IsOurTurn()) abort_at_ = Later(context_.policy.play.abort_after);
  // The move is made, or was taken back.
  if (outgoing_ && outgoing_->moment != Now()) outgoing_.reset();
  ThinkOrWait();
}

void GamePlayer::AnswerTakeback() {
  if (!game_->state().wants_takeback[Place(~game_->us())] || takeback_answered_ == Now()) return;
  takeback_answered_ = Now();
  const PlayPolicy& policy = context_.policy.play;
  const bool wanted = policy.takebacks == TakebackPolicy::kAlways ||
                      (policy.takebacks == TakebackPolicy::kCasual && !game_->full().rated);
  const bool yes = wanted && takebacks_ < policy.takebacks_per_game;
  if (yes) ++takebacks_;
  Act(yes ? "takeback/yes" : "takeback/no");
}

void GamePlayer::AnswerDrawOffer() {
  // While we think, the search decides: see ClaimsDraw.
  const bool offered = game_->state().offers_draw[Place(~game_->us())];
  if (!offered || game_->IsOurTurn() || draw_answered_ == Now() || !watch_.WantsToAccept()) return;
  draw_answered_ = Now();
  Act("draw/yes");
}

void GamePlayer::NoteClocks() {
  const std::size_t plies = game_->moves().size();
  if (plies == 0 || !game_->full().clock) return;
  const Color mover = ~game_->position().side_to_move();
  notes_[plies - 1].clock = game_->state().time[Place(mover)];
}

void GamePlayer::Archive() {
  const std::string result = ResultText(*game_);
  const auto& winner = game_->state().winner;
  const bool on_time = game_->state().status == "outoftime";
  context_.report.Count([&](BotCounts& counts) {
    if (winner) {
      ++(*winner == game_->us() ? counts.wins : counts.losses);
      if (on_time && *winner != game_->us()) ++counts.lost_on_time;
    } else {
      ++(result == "*" ? counts.unfinished : counts.draws);
    }
  });
  if (game_->moves().empty()) return;
  const PgnGame pgn = ToPgnGame(*game_, notes_, context_.api.host());
  if (absl::Status status = context_.archive.Add(pgn); !status.ok()) {
    LogFields("the game is not archived").Add("game", id_).Add("why", status.message()).Log(spdlog::level::err);
  }
}

void GamePlayer::Finish(const std::string& why) {
  if (done_) return;
  done_ = true;
  const bool over = game_ && game_->IsOver();
  if (game_ && !over) context_.report.Count([](BotCounts& counts) { ++counts.unfinished; });
  LogFields line(over ? "game over" : "game left");
  line.Add("game", id_).Add("why", why);
  if (game_) {
    line.Add("result", over ? ResultText(*game_) : "*")
        .Add("plies", static_cast<std::int64_t>(game_->moves().size()))
        .Add("our_time_s", absl::ToDoubleSeconds(game_->TimeOf(game_->us(), std::chrono::steady_clock::now())))
        .Add("sent_again", static_cast<std::int64_t>(moves_sent_again_))
        .Add("streams_lost", static_cast<std::int64_t>(streams_lost_))
        .Add("round_trip_ms", absl::ToDoubleMilliseconds(context_.round_trip.mean()));
  }
  line.Log(over ? spdlog::level::info : spdlog::level::warn);
}

bool GamePlayer::Act(const std::string& action) {
  const absl::Status status = context_.api.Act(id_, action, stop_.get_token());
  LogFields line(action);
  line.Add("game", id_);
  if (!status.ok()) line.Add("why", status.message());
  line.Log(spdlog::level::info);
  return status.ok();
}

void GamePlayer::ClaimVictory() {
  constexpr absl::Duration kPause = absl::Seconds(5);
  claim_at_.reset();
  if (Act("claim-victory") || Act("claim-draw")) return;
  if (++claims_ < kMaxClaims) claim_at_ = Later(kPause);
}

void GamePlayer::Say(const std::string& room, const std::string& text) {
  constexpr std::size_t kMost = 140;
  const absl::Status status = context_.api.Chat(id_, room, text.substr(0, kMost), stop_.get_token());
  if (!status.ok()) LogFields("not said").Add("game", id_).Add("why", status.message()).Log(spdlog::level::debug);
}

void GamePlayer::Report() {
  if (!game_ || game_->IsOver()) return;
  const GameFull& full = game_->full();
  const SteadyTime now = std::chrono::steady_clock::now();
  GameView view{.id = id_,
                .opponent = game_->opponent(),
                .us = game_->us(),
                .variant = full.variant,
                .speed = full.speed,
                .rated = full.rated,
                .position = game_->position(),
                .time = {game_->TimeOf(Color::kWhite, now), game_->TimeOf(Color::kBlack, now)},
                .has_clock = full.clock.has_value(),
                .score = ScoreText(latest_),
                .depth = latest_.depth,
                .line = latest_.line};
  if (!game_->state().moves.empty()) view.last_move = game_->state().moves.back();
  context_.report.Show(view);
}

}  // namespace kibitz::client::lichess
