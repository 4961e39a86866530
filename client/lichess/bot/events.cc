#include "client/lichess/bot/events.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "client/http/json.h"
#include "client/http/request.h"

namespace kibitz::client::lichess {
namespace {

using http::BoolAt;
using http::IntegerAt;
using http::ObjectAt;
using http::OneLine;
using http::StringAt;
using nlohmann::json;

// More than the longest game that the seventy-five-move rule allows.
constexpr std::size_t kMaxMoves = 12'000;
constexpr std::size_t kMaxName = 64;
constexpr std::int64_t kLongestMs = std::int64_t{400} * 24 * 3600 * 1000;

absl::Status Wrong(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the field ", field, " ", what));
}

// An identity that goes into paths, files and logs.
bool IsId(std::string_view text) {
  return !text.empty() && text.size() <= 32 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return absl::ascii_isalnum(c); });
}

absl::StatusOr<std::string> IdAt(const json& object, absl::string_view field, const char* name) {
  const std::optional<std::string> id = StringAt(object, name);
  if (!id) return Wrong(field, "is missing or no text");
  if (!IsId(*id)) return Wrong(field, "is no identity of letters and digits");
  return *id;
}

absl::StatusOr<json> ParseObject(std::string_view text) {
  absl::StatusOr<json> value = http::ParseJson(text);
  if (value.ok() && !value->is_object()) return absl::InvalidArgumentError("JSON that is no object");
  return value;
}

absl::Duration Milliseconds(std::int64_t value) {
  return absl::Milliseconds(std::clamp<std::int64_t>(value, 0, kLongestMs));
}
absl::Duration Seconds(std::int64_t value) { return Milliseconds(std::clamp<std::int64_t>(value, 0, 1 << 30) * 1000); }

Player PlayerOf(const json* object) {
  Player player;
  if (object == nullptr) return player;
  if (const auto level = IntegerAt(*object, "aiLevel")) {
    player.name = absl::StrCat("Stockfish level ", *level);
    return player;
  }
  player.id = OneLine(StringAt(*object, "id").value_or(""), kMaxName);
  player.name =
      OneLine(StringAt(*object, "name").value_or(StringAt(*object, "username").value_or(player.id)), kMaxName);
  player.title = OneLine(StringAt(*object, "title").value_or(""), kMaxName);
  player.rating = static_cast<int>(std::clamp<std::int64_t>(IntegerAt(*object, "rating").value_or(0), 0, 5000));
  return player;
}

std::string VariantOf(const json& object) {
  const json* const variant = ObjectAt(object, "variant");
  return variant == nullptr ? "standard" : OneLine(StringAt(*variant, "key").value_or("standard"), kMaxName);
}

absl::StatusOr<Challenge> ChallengeAt(const json& event) {
  const json* const object = ObjectAt(event, "challenge");
  if (object == nullptr) return Wrong("challenge", "is missing or no object");
  absl::StatusOr<std::string> id = IdAt(*object, "challenge.id", "id");
  if (!id.ok()) return id.status();
  Challenge challenge{.id = *std::move(id),
                      .from = PlayerOf(ObjectAt(*object, "challenger")),
                      .to = PlayerOf(ObjectAt(*object, "destUser")),
                      .variant = VariantOf(*object),
                      .rated = BoolAt(*object, "rated").value_or(false)};
  const json* const control = ObjectAt(*object, "timeControl");
  if (control != nullptr && StringAt(*control, "type") == "clock") {
    const auto limit = IntegerAt(*control, "limit");
    const auto increment = IntegerAt(*control, "increment");
    if (!limit || !increment) return Wrong("challenge.timeControl", "has no limit and increment in seconds");
    challenge.clock = ClockControl{.initial = Seconds(*limit), .increment = Seconds(*increment)};
  }
  return challenge;
}

absl::StatusOr<std::string> GameIdAt(const json& event) {
  const json* const game = ObjectAt(event, "game");
  if (game == nullptr) return Wrong("game", "is missing or no object");
  return IdAt(*game, "game.gameId", game->contains("gameId") ? "gameId" : "id");
}

absl::StatusOr<GameState> StateOf(const json& object) {
  GameState state;
  const std::optional<std::string> moves = StringAt(object, "moves");
  if (!moves) return Wrong("moves", "is missing or no text");
  state.moves = absl::StrSplit(*moves, ' ', absl::SkipEmpty());
  if (state.moves.size() > kMaxMoves) return Wrong("moves", "has more moves than any game");
  constexpr std::array<const char*, 2> kTimes = {"wtime", "btime"};
  constexpr std::array<const char*, 2> kIncrements = {"winc", "binc"};
  constexpr std::array<const char*, 2> kDraws = {"wdraw", "bdraw"};
  constexpr std::array<const char*, 2> kTakebacks = {"wtakeback", "btakeback"};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto time = IntegerAt(object, kTimes[side]);
    if (!time) return Wrong(kTimes[side], "is missing or no whole number");
    state.time[side] = Milliseconds(*time);
    state.increment[side] = Milliseconds(IntegerAt(object, kIncrements[side]).value_or(0));
    state.offers_draw[side] = BoolAt(object, kDraws[side]).value_or(false);
    state.wants_takeback[side] = BoolAt(object, kTakebacks[side]).value_or(false);
  }
  const std::optional<std::string> status = StringAt(object, "status");
  if (!status) return Wrong("status", "is missing or no text");
  state.status = OneLine(*status, kMaxName);
  const std::optional<std::string> winner = StringAt(object, "winner");
  if (winner == "white") state.winner = Color::kWhite;
  if (winner == "black") state.winner = Color::kBlack;
  return state;
}

absl::StatusOr<GameFull> FullOf(const json& object) {
  absl::StatusOr<std::string> id = IdAt(object, "id", "id");
  if (!id.ok()) return id.status();
  const json* const inner = ObjectAt(object, "state");
  if (inner == nullptr) return Wrong("state", "is missing or no object");
  absl::StatusOr<GameState> state = StateOf(*inner);
  if (!state.ok()) return absl::InvalidArgumentError(absl::StrCat("in state, ", state.status().message()));
  GameFull full{.id = *std::move(id),
                .variant = VariantOf(object),
                .speed = OneLine(StringAt(object, "speed").value_or(""), kMaxName),
                .initial_fen = StringAt(object, "initialFen").value_or(""),
                .rated = BoolAt(object, "rated").value_or(false),
                .players = {PlayerOf(ObjectAt(object, "white")), PlayerOf(ObjectAt(object, "black"))},
                .state = *std::move(state)};
  if (full.initial_fen == "startpos") full.initial_fen.clear();
  if (const json* const clock = ObjectAt(object, "clock")) {
    full.clock = ClockControl{.initial = Milliseconds(IntegerAt(*clock, "initial").value_or(0)),
                              .increment = Milliseconds(IntegerAt(*clock, "increment").value_or(0))};
  }
  return full;
}

// A parsed part, as an event of any kind.
template <typename Event, typename Part>
absl::StatusOr<Event> As(absl::StatusOr<Part> part) {
  if (!part.ok()) return part.status();
  return Event(*std::move(part));
}

}  // namespace

absl::StatusOr<AccountEvent> ParseAccountEvent(std::string_view line) {
  const absl::StatusOr<json> event = ParseObject(line);
  if (!event.ok()) return event.status();
  const std::optional<std::string> type = StringAt(*event, "type");
  if (!type) return Wrong("type", "is missing or no text");
  if (*type == "gameStart" || *type == "gameFinish") {
    absl::StatusOr<std::string> id = GameIdAt(*event);
    if (!id.ok()) return id.status();
    if (*type == "gameFinish") return GameFinished{*std::move(id)};
    return GameStarted{.id = *std::move(id), .opponent = PlayerOf(ObjectAt(*ObjectAt(*event, "game"), "opponent"))};
  }
  const bool canceled = *type == "challengeCanceled";
  const bool declined = *type == "challengeDeclined";
  if (*type != "challenge" && !canceled && !declined) return UnknownEvent{OneLine(*type, kMaxName)};
  absl::StatusOr<Challenge> challenge = ChallengeAt(*event);
  if (!challenge.ok()) return challenge.status();
  if (canceled) return ChallengeCanceled{challenge->id};
  if (!declined) return ChallengeMade{*std::move(challenge)};
  const std::string reason = StringAt(*ObjectAt(*event, "challenge"), "declineReasonKey").value_or("");
  return ChallengeDeclined{.id = challenge->id, .reason = OneLine(reason, kMaxName)};
}

absl::StatusOr<GameEvent> ParseGameEvent(std::string_view line) {
  const absl::StatusOr<json> event = ParseObject(line);
  if (!event.ok()) return event.status();
  const std::optional<std::string> type = StringAt(*event, "type");
  if (!type) return Wrong("type", "is missing or no text");
  if (*type == "gameFull") return As<GameEvent>(FullOf(*event));
  if (*type == "gameState") return As<GameEvent>(StateOf(*event));
  if (*type == "chatLine") {
    return ChatLine{.room = OneLine(StringAt(*event, "room").value_or(""), kMaxName),
                    .name = OneLine(StringAt(*event, "username").value_or(""), kMaxName),
                    .text = OneLine(StringAt(*event, "text").value_or(""), 200)};
  }
  if (*type == "opponentGone") {
    OpponentGone gone{.gone = BoolAt(*event, "gone").value_or(false)};
    if (const auto seconds = IntegerAt(*event, "claimWinInSeconds")) gone.claim_in = Seconds(*seconds);
    return gone;
  }
  return UnknownEvent{OneLine(*type, kMaxName)};
}

absl::StatusOr<std::vector<std::string>> ParsePlaying(std::string_view text) {
  const absl::StatusOr<json> value = ParseObject(text);
  if (!value.ok()) return value.status();
  const json* const games = http::ArrayAt(*value, "nowPlaying");
  if (games == nullptr) return Wrong("nowPlaying", "is missing or no list");
  std::vector<std::string> ids;
  for (const json& game : *games) {
    absl::StatusOr<std::string> id = IdAt(game, "nowPlaying.gameId", "gameId");
    if (!id.ok()) return id.status();
    ids.push_back(*std::move(id));
  }
  return ids;
}

absl::StatusOr<Account> ParseAccount(std::string_view text) {
  const absl::StatusOr<json> value = ParseObject(text);
  if (!value.ok()) return value.status();
  Account account{.player = PlayerOf(&*value)};
  if (account.player.id.empty()) return Wrong("id", "is missing or no text");
  const json* const count = ObjectAt(*value, "count");
  if (count != nullptr) {
    account.games = static_cast<int>(std::clamp<std::int64_t>(IntegerAt(*count, "all").value_or(0), 0, 1 << 30));
  }
  return account;
}

absl::StatusOr<OnlineBot> ParseOnlineBot(std::string_view line) {
  const absl::StatusOr<json> value = ParseObject(line);
  if (!value.ok()) return value.status();
  OnlineBot bot{.player = PlayerOf(&*value)};
  if (bot.player.id.empty()) return Wrong("id", "is missing or no text");
  const json* const perfs = ObjectAt(*value, "perfs");
  if (perfs == nullptr) return bot;
  for (const char* speed : {"bullet", "blitz", "rapid", "classical"}) {
    const json* const perf = ObjectAt(*perfs, speed);
    const auto rating = perf == nullptr ? std::nullopt : IntegerAt(*perf, "rating");
    if (rating) bot.ratings.emplace_back(speed, static_cast<int>(std::clamp<std::int64_t>(*rating, 0, 5000)));
  }
  return bot;
}

int OnlineBot::RatingFor(std::string_view speed) const {
  for (const auto& [name, rating] : ratings) {
    if (name == speed) return rating;
  }
  return 0;
}

std::string SpeedOf(const ClockControl& clock) {
  const absl::Duration total = clock.initial + 40 * clock.increment;
  if (total < absl::Seconds(30)) return "ultraBullet";
  if (total < absl::Minutes(3)) return "bullet";
  if (total < absl::Minutes(8)) return "blitz";
  return total < absl::Minutes(25) ? "rapid" : "classical";
}

}  // namespace kibitz::client::lichess
