#include "client/fishnet/work.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "client/http/json.h"
#include "client/http/request.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"

namespace kibitz::client::fishnet {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxIdBytes = 100;
constexpr std::size_t kMaxMoves = 12'000;
constexpr std::int64_t kMaxDepth = 246;
constexpr std::int64_t kMaxLines = 256;
constexpr absl::Duration kLongest = absl::Hours(1);

// What the levels of a move mean here: a rating (0: none, full strength) and a time to think.
struct Level {
  int elo;
  absl::Duration time;
};
constexpr std::array<Level, 8> Levels() {
  return {{{1000, absl::Milliseconds(50)},
           {1150, absl::Milliseconds(100)},
           {1350, absl::Milliseconds(150)},
           {1600, absl::Milliseconds(200)},
           {1850, absl::Milliseconds(300)},
           {2100, absl::Milliseconds(400)},
           {2400, absl::Milliseconds(500)},
           {0, absl::Milliseconds(1000)}}};
}

absl::Status Wrong(absl::string_view member, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(member, " ", what));
}

// A number of the range; absent or null is nothing.
absl::StatusOr<std::optional<std::int64_t>> NumberAt(const json& object, const char* name, std::int64_t min,
                                                     std::int64_t max) {
  const auto member = object.find(name);
  if (member == object.end() || member->is_null()) return std::nullopt;
  const std::optional<std::int64_t> number = http::IntegerAt(object, name);
  if (!number || *number < min || *number > max) {
    return Wrong(absl::StrCat("work.", name), absl::StrCat("is not a number from ", min, " to ", max));
  }
  return number;
}

google::protobuf::Duration ToProto(absl::Duration duration) {
  google::protobuf::Duration proto;
  proto.set_seconds(absl::IDivDuration(duration, absl::Seconds(1), &duration));
  proto.set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(duration)));
  return proto;
}

absl::Status ReadLimits(const json& work, Work& read) {
  const auto nodes = work.find("nodes");
  // Older servers have one number for all.
  if (const auto one = http::IntegerAt(work, "nodes"); one && *one > 0) read.nodes["classical"] = *one;
  if (nodes != work.end() && nodes->is_object()) {
    for (const auto& [name, limit] : nodes->items()) {
      if (!limit.is_number_integer() || limit <= 0) return Wrong("work.nodes", "has a limit that is no number above 0");
      read.nodes[name] = limit.get<std::int64_t>();
    }
  }
  const auto depth = NumberAt(work, "depth", 1, kMaxDepth);
  if (!depth.ok()) return depth.status();
  if (*depth) read.depth = static_cast<int>(**depth);
  if (read.nodes.empty() && !read.depth) return Wrong("work.nodes", "is missing");
  const auto lines = NumberAt(work, "multipv", 1, kMaxLines);
  if (!lines.ok()) return lines.status();
  if (*lines) read.multi_pv = static_cast<int>(**lines);
  const auto timeout = NumberAt(work, "timeout", 1, absl::ToInt64Milliseconds(kLongest));
  if (!timeout.ok()) return timeout.status();
  if (*timeout) read.timeout = absl::Milliseconds(**timeout);
  return absl::OkStatus();
}

absl::Status ReadLevel(const json& work, Work& read) {
  const auto level = NumberAt(work, "level", 1, Levels().size());
  if (!level.ok()) return level.status();
  if (!*level) return Wrong("work.level", "is missing");
  read.level = static_cast<int>(**level);
  const json* const clock = http::ObjectAt(work, "clock");
  if (clock == nullptr) return absl::OkStatus();
  constexpr std::int64_t kMaxCentiseconds = 24 * 60 * 60 * 100;
  std::array<std::int64_t, 3> times;
  for (int i = 0; const char* name : {"wtime", "btime", "inc"}) {
    const auto time = NumberAt(*clock, name, 0, kMaxCentiseconds);
    if (!time.ok()) return time.status();
    times[i++] = time->value_or(0);
  }
  read.clock = {absl::Milliseconds(10 * times[0]), absl::Milliseconds(10 * times[1]), absl::Seconds(times[2])};
  return absl::OkStatus();
}

// Standard chess where it can be read so: then castling is written as people write it.
absl::StatusOr<Position> ReadStart(const std::string& fen, const std::string& variant) {
  if (absl::EqualsIgnoreCase(variant, "chess960")) return ParseFen(fen, Variant::kChess960);
  const bool is_chess = variant.empty() || absl::EqualsIgnoreCase(variant, "standard") ||
                        absl::EqualsIgnoreCase(variant, "chess") || absl::EqualsIgnoreCase(variant, "fromPosition");
  if (!is_chess) return Wrong("variant", absl::StrCat("is '", http::OneLine(variant, 40), "', not chess"));
  absl::StatusOr<Position> position = ParseFen(fen);
  if (!position.ok() && absl::EqualsIgnoreCase(variant, "fromPosition")) {
    if (absl::StatusOr<Position> other = ParseFen(fen, Variant::kChess960); other.ok()) return other;
  }
  return position;
}

absl::Status ReadGame(const json& offer, Work& read) {
  const std::string fen = http::StringAt(offer, "position").value_or("");
  absl::StatusOr<Position> position = ReadStart(fen, http::StringAt(offer, "variant").value_or("standard"));
  if (!position.ok()) return Wrong("position:", position.status().message());
  read.game.set_fen(fen);
  read.game.set_variant(position->variant() == Variant::kChess960 ? v1::VARIANT_CHESS960 : v1::VARIANT_STANDARD);
  const std::string moves = http::StringAt(offer, "moves").value_or("");
  for (const absl::string_view word : absl::StrSplit(moves, ' ', absl::SkipEmpty())) {
    if (static_cast<std::size_t>(read.game.moves_size()) == kMaxMoves) return Wrong("moves", "are too many");
    const absl::StatusOr<Move> move = ParseUciMove(*position, word);
    if (!move.ok()) return Wrong(absl::StrCat("moves[", read.game.moves_size(), "]:"), move.status().message());
    read.game.add_moves(ToUci(*move, position->variant()));
    position->MakeMove(*move);
    position->ForgetUndo();
  }
  return absl::OkStatus();
}

absl::Status ReadSkipped(const json& offer, Work& read) {
  const json* const skipped = http::ArrayAt(offer, "skipPositions");
  if (skipped == nullptr) return absl::OkStatus();
  for (const json& place : *skipped) {
    if (!place.is_number_integer() || place < 0 || place >= read.positions()) {
      return Wrong("skipPositions", absl::StrCat("has a place that is not 0 to ", read.positions() - 1));
    }
    read.skipped.insert(place.get<int>());
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> ReadWork(const json& offer, const json& work, const std::string& id) {
  Work read{.id = id};
  const std::string type = http::StringAt(work, "type").value_or("");
  if (type != "analysis" && type != "move") return Wrong("work.type", "is neither analysis nor move");
  read.kind = type == "move" ? Work::Kind::kMove : Work::Kind::kAnalysis;
  absl::Status status = type == "move" ? ReadLevel(work, read) : ReadLimits(work, read);
  if (status.ok()) status = ReadGame(offer, read);
  if (status.ok()) status = ReadSkipped(offer, read);
  if (!status.ok()) return status;
  return read;
}

// Of several limits for nets the last by name is the newest.
std::optional<std::int64_t> NodesFor(const Work& work, std::string_view evaluation) {
  const auto classical = work.nodes.find("classical");
  if (evaluation == "classical" && classical != work.nodes.end()) return classical->second;
  for (auto limit = work.nodes.rbegin(); limit != work.nodes.rend(); ++limit) {
    if (limit->first != "classical") return limit->second;
  }
  return classical == work.nodes.end() ? std::nullopt : std::optional(classical->second);
}

v1::AnalyzeRequest RequestAt(const Work& work, int place) {
  v1::AnalyzeRequest request;
  *request.mutable_position() = work.game;
  request.mutable_position()->mutable_moves()->DeleteSubrange(place, work.game.moves_size() - place);
  request.set_threads(1);
  // Nobody looks at a search under way.
  *request.mutable_min_update_interval() = ToProto(absl::Hours(1));
  return request;
}

}  // namespace

absl::StatusOr<Offer> ParseOffer(std::string_view text) {
  const absl::StatusOr<json> offer = http::ParseJson(text);
  if (!offer.ok()) return offer.status();
  const json* const work = http::ObjectAt(*offer, "work");
  if (work == nullptr) return Wrong("work", "is no object");
  const std::optional<std::string> id = http::StringAt(*work, "id");
  if (!id || id->empty() || id->size() > kMaxIdBytes) return Wrong("work.id", "is not a text of 1 to 100 bytes");
  return Offer{.id = *id, .work = ReadWork(*offer, *work, *id)};
}

v1::AnalyzeRequest AnalysisRequest(const Work& work, int place, std::string_view evaluation) {
  v1::AnalyzeRequest request = RequestAt(work, place);
  if (const auto nodes = NodesFor(work, evaluation)) request.mutable_limits()->set_nodes(*nodes);
  if (work.depth) request.mutable_limits()->set_depth(*work.depth);
  *request.mutable_limits()->mutable_movetime() = ToProto(work.timeout);
  request.set_multi_pv(work.multi_pv.value_or(1));
  request.set_priority(v1::PRIORITY_BATCH);
  return request;
}

v1::AnalyzeRequest MoveRequest(const Work& work) {
  v1::AnalyzeRequest request = RequestAt(work, work.game.moves_size());
  const Level level = Levels()[static_cast<std::size_t>(work.level - 1)];
  *request.mutable_limits()->mutable_movetime() = ToProto(level.time);
  request.set_strength_elo(level.elo);
  if (work.clock) {
    v1::Limits::Clock& clock = *request.mutable_limits()->mutable_clock();
    *clock.mutable_white_time() = ToProto(work.clock->white);
    *clock.mutable_black_time() = ToProto(work.clock->black);
    *clock.mutable_white_increment() = ToProto(work.clock->increment);
    *clock.mutable_black_increment() = ToProto(work.clock->increment);
  }
  request.set_priority(v1::PRIORITY_INTERACTIVE);
  return request;
}

}  // namespace kibitz::client::fishnet
