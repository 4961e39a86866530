#include "tests/support/lichess/world.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "engine/board/fen.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;

absl::Status NoSuchGame() { return absl::NotFoundError("No such game"); }

std::string Speed(const std::optional<int>& limit, int increment) {
  if (!limit) return "correspondence";
  const int total = *limit + 40 * increment;
  return total < 30     ? "ultraBullet"
         : total < 180  ? "bullet"
         : total < 480  ? "blitz"
         : total < 1500 ? "rapid"
                        : "classical";
}

}  // namespace

std::string Account::id() const { return absl::AsciiStrToLower(name); }

World::World(const WorldOptions& options) : options_(options), random_(options.seed) {
  watch_ = std::thread([this] { LookAround(); });
}

World::~World() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (auto& [id, stream] : events_) stream->End();
    for (auto& [id, watched] : games_) {
      for (auto& [name, streams] : watched->watchers) {
        for (auto& stream : streams) stream->End();
      }
    }
    changed_.notify_all();
  }
  watch_.join();
}

void World::AddAccount(Account account) {
  const std::lock_guard lock(mutex_);
  std::string id = account.id();
  accounts_[std::move(id)] = std::move(account);
}

std::optional<Account> World::WhoIs(const std::string& token) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, account] : accounts_) {
    if (!token.empty() && account.token == token) return account;
  }
  return std::nullopt;
}

std::optional<Account> World::Find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const Account* account = AccountOf(absl::AsciiStrToLower(name));
  return account == nullptr ? std::nullopt : std::optional(*account);
}

const Account* World::AccountOf(const std::string& id) const {
  const auto found = accounts_.find(id);
  return found == accounts_.end() ? nullptr : &found->second;
}

World::Watched* World::GameOf(const std::string& id) {
  const auto found = games_.find(id);
  return found == games_.end() ? nullptr : found->second.get();
}

absl::Status World::Upgrade(const std::string& id) {
  const std::lock_guard lock(mutex_);
  Account& account = accounts_[id];
  if (account.bot) return absl::InvalidArgumentError("Account is already a bot");
  if (account.games_played > 0) {
    return absl::InvalidArgumentError("Can't upgrade account to bot: it has already played a game");
  }
  account.bot = true;
  return absl::OkStatus();
}

json World::SeatJson(const std::string& id) const {
  const Account* account = AccountOf(id);
  json out{{"id", id}, {"name", account->name}, {"rating", account->rating}, {"title", nullptr}, {"online", true}};
  if (account->bot) out["title"] = "BOT";
  return out;
}

json World::AccountJson(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const Account* account = AccountOf(id);
  const json perf{{"games", account->games_played}, {"rating", account->rating}, {"rd", 45}, {"prog", 0}};
  json out{{"id", id},
           {"username", account->name},
           {"perfs", {{"bullet", perf}, {"blitz", perf}, {"rapid", perf}}},
           {"createdAt", 1290415680000},
           {"count", {{"all", account->games_played}}}};
  if (account->bot) out["title"] = "BOT";
  return out;
}

json World::GameEvent(const char* type, const LiveGame& game, const std::string& id) const {
  const Color side = *game.SideOf(id);
  const GameSpec& spec = game.spec();
  const Seat& other = spec.seats[side == Color::kWhite ? 1 : 0];
  json body{{"fullId", spec.id + "abcd"},
            {"gameId", spec.id},
            {"id", spec.id},
            {"fen", ToFen(game.position())},
            {"color", side == Color::kWhite ? "white" : "black"},
            {"lastMove", game.moves().empty() ? "" : game.moves().back()},
            {"source", "friend"},
            {"status", {{"id", game.over() ? 30 : 20}, {"name", game.status()}}},
            {"variant", {{"key", spec.variant}, {"name", spec.variant}}},
            {"speed", "blitz"},
            {"perf", "blitz"},
            {"rated", spec.rated},
            {"hasMoved", game.moves().size() > (side == Color::kWhite ? 0u : 1u)},
            {"opponent", {{"id", other.id}, {"username", other.name}, {"rating", other.rating}}},
            {"isMyTurn", game.position().side_to_move() == side},
            {"secondsLeft", absl::ToInt64Seconds(game.ClockOf(side, absl::Now()))},
            {"compat", {{"bot", true}, {"board", true}}}};
  return {{"type", type}, {"game", std::move(body)}};
}

json World::Playing(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  json now_playing = json::array();
  for (const auto& [name, watched] : games_) {
    if (!watched->game.over() && watched->game.SideOf(id)) {
      now_playing.push_back(GameEvent("gameStart", watched->game, id)["game"]);
    }
  }
  return {{"nowPlaying", std::move(now_playing)}};
}

std::vector<std::string> World::OnlineBots(int max) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& [id, account] : accounts_) {
    const auto stream = events_.find(id);
    if (!account.bot || stream == events_.end() || stream->second->closed()) continue;
    const json perf{{"games", 100}, {"rating", account.rating}, {"rd", 45}};
    lines.push_back(json{{"id", id},
                         {"username", account.name},
                         {"title", "BOT"},
                         {"perfs", {{"bullet", perf}, {"blitz", perf}, {"rapid", perf}}}}
                        .dump());
    if (static_cast<int>(lines.size()) == max) break;
  }
  return lines;
}

std::shared_ptr<LineStream> World::OpenEvents(const std::string& id) {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_shared<LineStream>();
  if (auto& open = events_[id]; open != nullptr) open->End();
  events_[id] = stream;
  for (const auto& [name, challenge] : challenges_) {
    if (challenge.to == id || challenge.from == id) {
      stream->Push(json{{"type", "challenge"}, {"challenge", ChallengeJson(challenge)}}.dump());
    }
  }
  for (const auto& [name, watched] : games_) {
    if (!watched->game.over() && watched->game.SideOf(id)) {
      stream->Push(GameEvent("gameStart", watched->game, id).dump());
    }
  }
  return stream;
}

absl::StatusOr<std::shared_ptr<LineStream>> World::OpenGame(const std::string& id, const std::string& game) {
  const std::lock_guard lock(mutex_);
  auto stream = std::make_shared<LineStream>();
  Watched* const watched = GameOf(game);
  if (watched == nullptr || !watched->game.SideOf(id)) return NoSuchGame();
  stream->Push(watched->game.Full(absl::Now()).dump());
  if (watched->game.over()) {
    stream->End();
    return stream;
  }
  watched->watchers[id].push_back(stream);
  watched->left.erase(id);
  if (watched->told_gone.erase(id) > 0) {
    const json back{{"type", "opponentGone"}, {"gone", false}};
    for (auto& [name, streams] : watched->watchers) {
      if (name == id) continue;
      for (auto& each : streams) each->Push(back.dump());
    }
  }
  return stream;
}

std::string World::NewId() {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::string id;
  for (int i = 0; i < 8; ++i) id += kLetters[random_() % 62];
  return id;
}

json World::ChallengeJson(const OpenChallenge& challenge) const {
  const ChallengeSpec& spec = challenge.spec;
  json out{{"id", challenge.id},
           {"url", "https://lichess.org/" + challenge.id},
           {"status", "created"},
           {"challenger", SeatJson(challenge.from)},
           {"destUser", SeatJson(challenge.to)},
           {"variant", {{"key", spec.variant}, {"name", spec.variant}, {"short", spec.variant}}},
           {"rated", spec.rated},
           {"speed", Speed(spec.limit_seconds, spec.increment_seconds)},
           {"color", spec.color},
           {"finalColor", spec.color == "random" ? "white" : spec.color},
           {"perf", {{"icon", ""}, {"name", "Blitz"}}}};
  if (spec.limit_seconds) {
    out["timeControl"] = {{"type", "clock"},
                          {"limit", *spec.limit_seconds},
                          {"increment", spec.increment_seconds},
                          {"show", absl::StrCat(*spec.limit_seconds / 60, "+", spec.increment_seconds)}};
  } else {
    out["timeControl"] = {{"type", "unlimited"}};
  }
  if (!spec.fen.empty()) out["initialFen"] = spec.fen;
  return out;
}

void World::Tell(const std::string& id, const json& event) {
  if (const auto stream = events_.find(id); stream != events_.end()) stream->second->Push(event.dump());
}

void World::TellWatchers(Watched& watched, const json& message) {
  const std::string line = message.dump();
  for (auto& [name, streams] : watched.watchers) {
    for (auto& stream : streams) stream->Push(line);
  }
}

absl::Status World::DailyLimit(const std::string& from, const std::string& to) const {
  if (!AccountOf(from)->bot || !AccountOf(to)->bot) return absl::OkStatus();
  for (const std::string& id : {from, to}) {
    const auto count = bot_games_.find(id);
    if (count != bot_games_.end() && count->second >= options_.bot_games_a_day) {
      return absl::ResourceExhaustedError("bot.vsBot.day");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<json> World::Challenge(const std::string& from, const std::string& to, const ChallengeSpec& spec) {
  const std::lock_guard lock(mutex_);
  const std::string dest = absl::AsciiStrToLower(to);
  if (AccountOf(dest) == nullptr) return absl::NotFoundError("No such user");
  if (from == dest) return absl::InvalidArgumentError("You cannot challenge yourself");
  if (absl::Status limit = DailyLimit(from, dest); !limit.ok()) return limit;
  const OpenChallenge challenge{.id = NewId(), .from = from, .to = dest, .spec = spec, .made = absl::Now()};
  challenges_[challenge.id] = challenge;
  const json body = ChallengeJson(challenge);
  const json event{{"type", "challenge"}, {"challenge", body}, {"compat", {{"bot", true}, {"board", true}}}};
  Tell(dest, event);
  Tell(from, event);
  return body;
}

GameSpec World::SpecOf(const OpenChallenge& challenge) {
  const ChallengeSpec& wanted = challenge.spec;
  const bool white = wanted.color == "white" || (wanted.color == "random" && (random_() & 1) != 0);
  const auto seat = [&](const std::string& id) {
    const Account* account = AccountOf(id);
    return Seat{.id = id, .name = account->name, .title = account->bot ? "BOT" : "", .rating = account->rating};
  };
  GameSpec spec;
  spec.id = challenge.id;
  spec.seats = {seat(white ? challenge.from : challenge.to), seat(white ? challenge.to : challenge.from)};
  spec.variant = wanted.variant;
  if (!wanted.fen.empty()) spec.initial_fen = wanted.fen;
  spec.has_clock = wanted.limit_seconds.has_value();
  spec.initial = Scaled(absl::Seconds(wanted.limit_seconds.value_or(0)));
  spec.increment = Scaled(absl::Seconds(wanted.increment_seconds));
  spec.rated = wanted.rated;
  spec.first_move = Scaled(options_.first_move);
  return spec;
}

absl::Status World::Accept(const std::string& id, const std::string& challenge) {
  const std::lock_guard lock(mutex_);
  const auto found = challenges_.find(challenge);
  if (found == challenges_.end() || found->second.to != id) return absl::NotFoundError("No such challenge");
  const OpenChallenge accepted = found->second;
  if (absl::Status limit = DailyLimit(accepted.from, accepted.to); !limit.ok()) return limit;
  challenges_.erase(found);
  if (AccountOf(accepted.from)->bot && AccountOf(accepted.to)->bot) {
    ++bot_games_[accepted.from];
    ++bot_games_[accepted.to];
  }
  return Begin(SpecOf(accepted)).status();
}

absl::Status World::Decline(const std::string& id, const std::string& challenge, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  const auto found = challenges_.find(challenge);
  if (found == challenges_.end() || found->second.to != id) return absl::NotFoundError("No such challenge");
  json body = ChallengeJson(found->second);
  body["status"] = "declined";
  body["declineReason"] = "I don't want to play this.";
  body["declineReasonKey"] = absl::AsciiStrToLower(reason);
  Tell(found->second.from, {{"type", "challengeDeclined"}, {"challenge", body}});
  ++declines_[reason];
  challenges_.erase(found);
  return absl::OkStatus();
}

absl::Status World::Cancel(const std::string& id, const std::string& challenge) {
  const std::lock_guard lock(mutex_);
  const auto found = challenges_.find(challenge);
  if (found == challenges_.end() || found->second.from != id) return absl::NotFoundError("No such challenge");
  Tell(found->second.to, {{"type", "challengeCanceled"}, {"challenge", ChallengeJson(found->second)}});
  challenges_.erase(found);
  return absl::OkStatus();
}

absl::StatusOr<std::string> World::StartGame(GameSpec spec) {
  const std::lock_guard lock(mutex_);
  if (spec.id.empty()) spec.id = NewId();
  return Begin(std::move(spec));
}

absl::StatusOr<std::string> World::Begin(GameSpec spec) {
  const absl::Time now = absl::Now();
  absl::StatusOr<LiveGame> game = LiveGame::Start(std::move(spec), now);
  if (!game.ok()) return game.status();
  const std::string id = game->spec().id;
  auto watched = std::make_unique<Watched>(*std::move(game));
  for (const Seat& seat : watched->game.spec().seats) {
    watched->left[seat.id] = now;
    if (AccountOf(seat.id) != nullptr) Tell(seat.id, GameEvent("gameStart", watched->game, seat.id));
  }
  games_[id] = std::move(watched);
  return id;
}

template <typename Action>
absl::Status World::InGame(const std::string& id, const std::string& game, Action action) {
  const std::lock_guard lock(mutex_);
  Watched* const watched = GameOf(game);
  if (watched == nullptr) return NoSuchGame();
  const std::optional<Color> side = watched->game.SideOf(id);
  if (!side) return NoSuchGame();
  const bool was_over = watched->game.over();
  const absl::Status status = action(*watched, *side);
  if (status.ok() || watched->game.over() != was_over) AfterChange(*watched);
  return status;
}

void World::AfterChange(Watched& watched) {
  const absl::Time now = absl::Now();
  TellWatchers(watched, watched.game.State(now));
  if (!watched.game.over()) return;
  for (auto& [name, streams] : watched.watchers) {
    for (auto& stream : streams) stream->End();
  }
  const LiveGame& game = watched.game;
  for (const Seat& seat : game.spec().seats) {
    if (AccountOf(seat.id) != nullptr) Tell(seat.id, GameEvent("gameFinish", game, seat.id));
  }
  finished_.push_back({.spec = game.spec(),
                       .moves = game.moves(),
                       .status = game.status(),
                       .winner = game.winner(),
                       .clocks = {game.ClockOf(Color::kWhite, now), game.ClockOf(Color::kBlack, now)}});
  changed_.notify_all();
}

absl::Status World::Move(const std::string& id, const std::string& game, const std::string& uci, bool offering_draw) {
  return InGame(id, game, [&](Watched& watched, Color side) {
    absl::Status status = watched.game.Move(side, uci, offering_draw, absl::Now());
    if (absl::IsInvalidArgument(status))
      illegal_moves_.push_back(absl::StrCat(id, " in ", game, ": ", status.message()));
    return status;
  });
}

absl::Status World::Abort(const std::string& id, const std::string& game) {
  return InGame(id, game, [](Watched& watched, Color) { return watched.game.Abort(); });
}
absl::Status World::Resign(const std::string& id, const std::string& game) {
  return InGame(id, game, [](Watched& watched, Color side) { return watched.game.Resign(side); });
}
absl::Status World::Draw(const std::string& id, const std::string& game, bool yes) {
  return InGame(id, game, [&](Watched& watched, Color side) { return watched.game.Draw(side, yes); });
}
absl::Status World::Takeback(const std::string& id, const std::string& game, bool yes) {
  return InGame(id, game, [&](Watched& watched, Color side) { return watched.game.Takeback(side, yes, absl::Now()); });
}

absl::Status World::ClaimVictory(const std::string& id, const std::string& game) {
  return InGame(id, game, [&](Watched& watched, Color side) {
    const Seat& other = watched.game.spec().seats[side == Color::kWhite ? 1 : 0];
    const auto left = watched.left.find(other.id);
    const absl::Duration needed = Scaled(options_.gone_after + options_.claim_after);
    if (left == watched.left.end() || absl::Now() - left->second < needed) {
      return absl::InvalidArgumentError("The opponent is still there");
    }
    return watched.game.ClaimVictory(side);
  });
}

absl::Status World::ClaimDraw(const std::string& id, const std::string& game) {
  return InGame(id, game, [](Watched& watched, Color) { return watched.game.ClaimDraw(); });
}

absl::Status World::Chat(const std::string& id, const std::string& game, const std::string& room,
                         const std::string& text) {
  const std::lock_guard lock(mutex_);
  Watched* const watched = GameOf(game);
  if (watched == nullptr || !watched->game.SideOf(id)) return NoSuchGame();
  if (text.size() > 140) return absl::InvalidArgumentError("The text is too long");
  const std::string name = AccountOf(id) == nullptr ? id : AccountOf(id)->name;
  chat_.push_back(absl::StrCat(name, ": ", text));
  TellWatchers(*watched, {{"type", "chatLine"}, {"room", room}, {"username", name}, {"text", text}});
  return absl::OkStatus();
}

void World::Inject(const std::string& game, const std::string& line) {
  const std::lock_guard lock(mutex_);
  Watched* const watched = GameOf(game);
  if (watched == nullptr) return;
  for (auto& [name, streams] : watched->watchers) {
    for (auto& stream : streams) stream->Push(line);
  }
}

void World::InjectEvent(const std::string& id, const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (const auto stream = events_.find(id); stream != events_.end()) stream->second->Push(line);
}

void World::LookAround() {
  constexpr std::chrono::milliseconds kStep{5};
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kStep, [&] { return stopping_; });
    const absl::Time now = absl::Now();
    std::erase_if(challenges_, [&](const auto& each) {
      if (now - each.second.made < Scaled(options_.challenge_life)) return false;
      const json event{{"type", "challengeCanceled"}, {"challenge", ChallengeJson(each.second)}};
      Tell(each.second.to, event);
      Tell(each.second.from, event);
      return true;
    });
    for (auto& [id, watched] : games_) {
      if (watched->game.over()) continue;
      if (watched->game.LookAtClocks(now)) {
        AfterChange(*watched);
      } else {
        LookForGone(*watched, now);
      }
    }
    // What is over long since is forgotten, so that a thousand games cost no more than a few.
    constexpr std::size_t kRemembered = 300;
    for (auto game = games_.begin(); games_.size() > kRemembered && game != games_.end();) {
      game = game->second->game.over() ? games_.erase(game) : std::next(game);
    }
  }
}

void World::LookForGone(Watched& watched, absl::Time now) {
  for (const Seat& seat : watched.game.spec().seats) {
    auto& streams = watched.watchers[seat.id];
    std::erase_if(streams, [](const auto& stream) { return stream->closed(); });
    if (!streams.empty()) continue;
    const absl::Time left = watched.left.try_emplace(seat.id, now).first->second;
    if (now - left < Scaled(options_.gone_after) || !watched.told_gone.insert(seat.id).second) continue;
    const json gone{
        {"type", "opponentGone"},
        {"gone", true},
        {"claimWinInSeconds", absl::ToInt64Seconds(absl::Ceil(Scaled(options_.claim_after), absl::Seconds(1)))}};
    for (auto& [name, others] : watched.watchers) {
      if (name == seat.id) continue;
      for (auto& stream : others) stream->Push(gone.dump());
    }
  }
}

std::vector<FinishedGame> World::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

std::size_t World::live_games() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(
      std::count_if(games_.begin(), games_.end(), [](const auto& each) { return !each.second->game.over(); }));
}

bool World::AwaitFinished(std::size_t count, absl::Duration patience) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoMilliseconds(patience), [&] { return finished_.size() >= count; });
}

std::vector<std::string> World::illegal_moves() const {
  const std::lock_guard lock(mutex_);
  return illegal_moves_;
}

std::map<std::string, int> World::declines() const {
  const std::lock_guard lock(mutex_);
  return declines_;
}

std::vector<std::string> World::chat() const {
  const std::lock_guard lock(mutex_);
  return chat_;
}

}  // namespace kibitz::stand_in
