#include "client/lichess/bot/bot.h"

#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "server/log/log_fields.h"

namespace kibitz::client::lichess {
namespace {

using server::LogFields;

constexpr int kAttempts = 4;
// From an accepted challenge to its game.
constexpr std::chrono::seconds kUntilGameBegins{30};
constexpr std::size_t kMaxDeclined = 1000;
constexpr int kMaxOnlineBots = 200;

SteadyTime AtOrAfterNow(absl::Time time) {
  const absl::Duration wait = std::clamp(time - absl::Now(), absl::ZeroDuration(), absl::Hours(24));
  return std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(wait);
}

absl::Status NotABot(const Account& account) {
  return absl::FailedPreconditionError(absl::StrCat(
      account.player.name, " is the account of a person, and only bots may play by a program: say --upgrade to make a ",
      "bot of it, which cannot be undone",
      account.games > 0 ? absl::StrCat(" (but it has played ", account.games,
                                       " games already, and Lichess upgrades only accounts that have played none)")
                        : ""));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Bot>> Bot::Start(LichessApi& api, const Connection& connection, BotOptions options,
                                                const std::stop_token& stop) {
  std::optional<PolyglotBook> book;
  if (!options.policy.play.book.empty()) {
    absl::StatusOr<PolyglotBook> opened = PolyglotBook::Open(options.policy.play.book);
    if (!opened.ok()) return opened.status();
    book = *std::move(opened);
  }
  absl::StatusOr<Account> account = api.CheckAccount(stop);
  if (!account.ok()) return account.status();
  if (!account->player.IsBot()) {
    if (!options.upgrade) return NotABot(*account);
    if (absl::Status upgraded = api.UpgradeToBot(stop); !upgraded.ok()) {
      return absl::Status(upgraded.code(),
                          absl::StrCat(account->player.name, " does not become a bot: ", upgraded.message()));
    }
    LogFields("the account is a bot now").Add("account", account->player.name).Log(spdlog::level::info);
  }
  return std::unique_ptr<Bot>(new Bot(api, connection, std::move(options), *std::move(account), std::move(book)));
}

Bot::Bot(LichessApi& api, const Connection& connection, BotOptions options, Account account,
         std::optional<PolyglotBook> book)
    : api_(api),
      options_(std::move(options)),
      account_(std::move(account)),
      book_(std::move(book)),
      archive_(options_.pgn_file),
      context_{.api = api_,
               .connection = connection,
               .policy = options_.policy,
               .book = book_,
               .report = report_,
               .round_trip = round_trip_,
               .archive = archive_,
               .us = account_.player.id,
               .engine = options_.engine},
      matchmaker_(options_.policy.matchmaking, options_.policy.challenges, account_.player.id) {
  report_.Be(account_.player.name, api_.host());
}

Bot::~Bot() = default;

std::unique_ptr<KeptStream> Bot::OpenEvents() {
  return std::make_unique<KeptStream>(
      [this](const std::stop_token& stop) { return api_.OpenEvents(stop); },
      KeptStream::Events{.on_open =
                             [this] {
                               report_.SetOnline(true);
                               report_.Count([](BotCounts& counts) { ++counts.streams_opened; });
                             },
                         .on_line =
                             [this](std::string line) {
                               if (!lines_.Give()) return;
                               mailbox_.Post([this, line = std::move(line)] { OnLine(line); });
                             },
                         .on_lost =
                             [this](const absl::Status& status) {
                               report_.SetOnline(false);
                               report_.Count([](BotCounts& counts) { ++counts.streams_lost; });
                               LogFields("events lost").Add("why", status.message()).Log(spdlog::level::info);
                             },
                         .on_refused =
                             [this](const absl::Status& status) {
                               report_.SetOnline(false);
                               mailbox_.Post([this, status] {
                                 end_ = absl::Status(status.code(),
                                                     absl::StrCat(api_.host(), " shows no events: ", status.message()));
                                 done_ = true;
                               });
                             }},
      api_.times().backoff);
}

absl::Status Bot::Run(const std::stop_token& stop) {
  LogFields("online").Add("account", account_.player.name).Add("server", api_.host()).Log(spdlog::level::info);
  matchmaker_.Touch(absl::Now());
  mailbox_.Post([this] { FindRunningGames(); });
  events_ = OpenEvents();
  const std::stop_callback on_stop(stop, [this] { mailbox_.Post([this] { BeginToStop(); }); });
  while (!done_) {
    if (const std::optional<Mailbox::Task> task = mailbox_.Take(NextDeadline())) (*task)();
    OnTime(std::chrono::steady_clock::now());
  }
  leaving_.request_stop();
  events_.reset();
  games_.clear();
  report_.SetOnline(false);
  return end_;
}

std::optional<SteadyTime> Bot::NextDeadline() const {
  std::optional<SteadyTime> next = leave_at_;
  const auto consider = [&](SteadyTime time) { next = next ? std::min(*next, time) : time; };
  for (const auto& [id, pending] : pending_) consider(pending.until);
  const bool free = games_.empty() && pending_.empty() && !stopping_;
  if (free && matchmaker_.next() < absl::InfiniteFuture()) consider(AtOrAfterNow(matchmaker_.next()));
  return next;
}

void Bot::OnTime(SteadyTime now) {
  for (auto pending = pending_.begin(); pending != pending_.end();) {
    if (now < pending->second.until) {
      ++pending;
      continue;
    }
    opponents_.erase(pending->first);
    pending = pending_.erase(pending);
  }
  if (games_.empty() && pending_.empty() && !stopping_ && absl::Now() >= matchmaker_.next()) Seek();
  if (!stopping_) return;
  if (leave_at_ && now >= *leave_at_ && !games_.empty()) {
    LogFields("leaving games").Add("games", static_cast<std::int64_t>(games_.size())).Log(spdlog::level::warn);
    done_ = true;
  }
  if (games_.empty() && pending_.empty()) done_ = true;
}

void Bot::OnLine(const std::string& line) {
  if (lines_.Take()) events_->Reopen();
  const absl::StatusOr<AccountEvent> event = ParseAccountEvent(line);
  if (event.ok()) return std::visit([&](const auto& each) { OnEvent(each); }, *event);
  report_.Count([](BotCounts& counts) { ++counts.bad_events; });
  LogFields("an event that cannot be read").Add("why", event.status().message()).Log(spdlog::level::warn);
}

void Bot::OnEvent(const GameStarted& started) { Play(started.id, started.opponent); }

void Bot::OnEvent(const GameFinished& finished) {
  if (const auto game = games_.find(finished.id); game != games_.end()) game->second->HearThatItIsOver();
}

void Bot::OnEvent(const ChallengeMade& made) {
  const Challenge& challenge = made.challenge;
  // Our own come back to us, and all that are open come again with each new stream.
  if (challenge.from.id == account_.player.id) return;
  if (games_.contains(challenge.id) || declined_.contains(challenge.id)) return;
  const std::string reason = ReasonToDecline(options_.policy.challenges, challenge, OccupationFor(challenge.from));
  if (reason.empty()) {
    Accept(challenge);
  } else {
    Decline(challenge, reason);
  }
}

void Bot::OnEvent(const ChallengeCanceled& canceled) {
  // With it goes what was waited for; or it is what became of a challenge of ours.
  if (games_.contains(canceled.id)) return;
  pending_.erase(canceled.id);
  opponents_.erase(canceled.id);
}

void Bot::OnEvent(const ChallengeDeclined& declined) {
  LogFields("declined").Add("challenge", declined.id).Add("reason", declined.reason).Log(spdlog::level::info);
  pending_.erase(declined.id);
  opponents_.erase(declined.id);
}

void Bot::OnEvent(const UnknownEvent& event) {
  LogFields("unknown event").Add("type", event.type).Log(spdlog::level::debug);
}

// The events tell them as well, as a rule. What both tell is played once.
void Bot::FindRunningGames() {
  const auto games = api_.Playing(leaving_.get_token());
  if (!games.ok()) {
    LogFields("running games are not told").Add("why", games.status().message()).Log(spdlog::level::warn);
    return;
  }
  for (const std::string& game : *games) Play(game, {});
}

void Bot::Play(const std::string& game, const Player& opponent) {
  if (!opponent.id.empty()) opponents_.try_emplace(game, opponent);
  if (games_.contains(game)) return;
  const auto pending = pending_.find(game);
  if (pending != pending_.end()) {
    daily_.Add(pending->second.opponent, absl::Now());
    pending_.erase(pending);
  }
  matchmaker_.Touch(absl::Now());
  games_[game] =
      std::make_unique<GamePlayer>(context_, game, [this, game] { mailbox_.Post([this, game] { OnGameDone(game); }); });
  if (stopping_ && options_.policy.on_stop == StopPolicy::kResign) games_[game]->Resign();
}

void Bot::OnGameDone(const std::string& game) {
  games_.erase(game);
  opponents_.erase(game);
  matchmaker_.Touch(absl::Now());
}

Occupation Bot::OccupationFor(const Player& opponent) const {
  const absl::Time now = absl::Now();
  Occupation occupation{.games = static_cast<int>(games_.size() + pending_.size()),
                        .games_with_opponent_today = daily_.Against(opponent.id, now),
                        .bot_games_today = daily_.AgainstBots(now),
                        .stopping = stopping_};
  for (const auto& [id, each] : opponents_) {
    if (each.id == opponent.id) ++occupation.games_with_opponent;
  }
  return occupation;
}

absl::Status Bot::Patiently(const std::function<absl::Status()>& attempt) const {
  http::Backoff backoff(api_.times().backoff);
  absl::Status status;
  for (int i = 0; i < kAttempts; ++i) {
    status = attempt();
    if (status.ok() || !http::MayPass(status)) break;
    if (!http::RealClock().WaitFor(backoff.Next(), leaving_.get_token())) break;
  }
  return status;
}

void Bot::Accept(const Challenge& challenge) {
  // Before the answer: the game may begin first.
  pending_[challenge.id] = {challenge.from, std::chrono::steady_clock::now() + kUntilGameBegins};
  opponents_[challenge.id] = challenge.from;
  const absl::Status status = Patiently([&] { return api_.Accept(challenge.id, leaving_.get_token()); });
  LogFields line("accepted");
  line.Add("challenge", challenge.id).Add("from", challenge.from.name).Add("variant", challenge.variant);
  if (status.ok()) {
    report_.Count([](BotCounts& counts) { ++counts.challenges_accepted; });
    return line.Log(spdlog::level::info);
  }
  line.Add("why", status.message()).Log(spdlog::level::warn);
  // If the answer was lost, the game will begin all the same. A refusal is certain.
  if (http::MayPass(status)) return;
  pending_.erase(challenge.id);
  opponents_.erase(challenge.id);
}

void Bot::Decline(const Challenge& challenge, const std::string& reason) {
  if (declined_.size() >= kMaxDeclined) declined_.clear();
  declined_.insert(challenge.id);
  const absl::Status status = Patiently([&] { return api_.Decline(challenge.id, reason, leaving_.get_token()); });
  report_.Count([&](BotCounts& counts) { ++counts.challenges_declined[reason]; });
  LogFields line("declining");
  line.Add("challenge", challenge.id).Add("from", challenge.from.name).Add("reason", reason);
  if (!status.ok()) line.Add("why", status.message());
  line.Log(spdlog::level::info);
}

void Bot::Seek() {
  const absl::Time now = absl::Now();
  matchmaker_.Touch(now);
  if (daily_.AgainstBots(now) >= options_.policy.challenges.bot_games_a_day)
    return matchmaker_.Rest(now + absl::Hours(1));
  const auto online = api_.OnlineBots(kMaxOnlineBots, leaving_.get_token());
  if (!online.ok()) {
    LogFields("no list of bots").Add("why", online.status().message()).Log(spdlog::level::info);
    return;
  }
  const auto choice = matchmaker_.Choose(*online, now);
  if (!choice) return LogFields("no opponent fits").Log(spdlog::level::info);
  const auto id = api_.MakeChallenge(choice->opponent.name, choice->offer, leaving_.get_token());
  LogFields line("challenge made");
  line.Add("to", choice->opponent.name);
  if (id.ok()) {
    report_.Count([](BotCounts& counts) { ++counts.challenges_made; });
    pending_[*id] = {choice->opponent, std::chrono::steady_clock::now() + kUntilGameBegins};
    opponents_[*id] = choice->opponent;
    return line.Add("challenge", *id).Log(spdlog::level::info);
  }
  line.Add("why", id.status().message()).Log(spdlog::level::info);
  // The day's games against bots are played.
  if (absl::IsResourceExhausted(id.status())) matchmaker_.Rest(now + absl::Hours(1));
}

void Bot::BeginToStop() {
  if (stopping_) return;
  stopping_ = true;
  const StopPolicy policy = options_.policy.on_stop;
  LogFields("stopping").Add("games", static_cast<std::int64_t>(games_.size())).Log(spdlog::level::info);
  absl::Duration grace = options_.policy.grace;
  if (policy == StopPolicy::kLeave) grace = absl::ZeroDuration();
  if (policy == StopPolicy::kResign) {
    grace = std::min(grace, absl::Seconds(10));
    for (auto& [id, game] : games_) game->Resign();
  }
  leave_at_ = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(grace);
}

}  // namespace kibitz::client::lichess
