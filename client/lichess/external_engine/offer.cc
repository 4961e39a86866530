#include "client/lichess/external_engine/offer.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/http/json.h"
#include "client/http/request.h"

namespace kibitz::client::lichess {
namespace {

using nlohmann::json;

// The broker takes no more lines of play.
constexpr std::int64_t kMaxLines = 5;
constexpr std::size_t kMaxIdBytes = 200;
constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;

absl::Status Wrong(absl::string_view member, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("work.", member, " ", what));
}

// Which rules: those of chess in all of its names. Chess960 includes standard chess.
bool IsChess(absl::string_view variant) {
  constexpr absl::string_view kNames[] = {"chess", "standard", "chess960", "fromPosition"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](absl::string_view name) { return absl::EqualsIgnoreCase(variant, name); });
}

// A number of at least one. Absent and null are nothing.
absl::StatusOr<std::optional<std::int64_t>> NumberAt(const json& work, const char* name) {
  const auto member = work.find(name);
  if (member == work.end() || member->is_null()) return std::nullopt;
  const std::optional<std::int64_t> number = http::IntegerAt(work, name);
  if (!number || *number < 1) return Wrong(name, "is not a number of at least 1");
  return number;
}

absl::Status ReadPosition(const json& work, v1::Position& position) {
  const std::string variant = http::StringAt(work, "variant").value_or("chess");
  if (!IsChess(variant)) return Wrong("variant", absl::StrCat("is '", http::OneLine(variant, 40), "', not chess"));
  position.set_variant(v1::VARIANT_CHESS960);
  const std::optional<std::string> fen = http::StringAt(work, "initialFen");
  if (!fen || fen->empty()) return Wrong("initialFen", "is missing");
  position.set_fen(*fen);
  const json* const moves = http::ArrayAt(work, "moves");
  if (moves == nullptr) return Wrong("moves", "is no array");
  for (const json& move : *moves) {
    if (!move.is_string()) return Wrong(absl::StrCat("moves[", position.moves_size(), "]"), "is no text");
    position.add_moves(move.get<std::string>());
  }
  return absl::OkStatus();
}

// None of the bounds: the search goes on until the board has seen enough.
absl::Status ReadLimits(const json& work, const OfferCaps& caps, v1::Limits& limits) {
  const auto movetime = NumberAt(work, "movetime");
  if (!movetime.ok()) return movetime.status();
  const auto depth = NumberAt(work, "depth");
  if (!depth.ok()) return depth.status();
  const auto nodes = NumberAt(work, "nodes");
  if (!nodes.ok()) return nodes.status();
  if (*movetime) {
    const std::int64_t milliseconds = std::min(**movetime, kDayMs);
    limits.mutable_movetime()->set_seconds(milliseconds / 1000);
    limits.mutable_movetime()->set_nanos(static_cast<int>(milliseconds % 1000 * 1'000'000));
  }
  if (*depth) limits.set_depth(static_cast<int>(std::min<std::int64_t>(**depth, caps.max_depth)));
  if (*nodes) limits.set_nodes(**nodes);
  limits.set_infinite(!*movetime && !*depth && !*nodes);
  return absl::OkStatus();
}

absl::StatusOr<v1::AnalyzeRequest> ReadWork(const json& offer, const OfferCaps& caps) {
  const json* const work = http::ObjectAt(offer, "work");
  if (work == nullptr) return absl::InvalidArgumentError("work is no object");
  v1::AnalyzeRequest request;
  if (absl::Status status = ReadPosition(*work, *request.mutable_position()); !status.ok()) return status;
  if (absl::Status status = ReadLimits(*work, caps, *request.mutable_limits()); !status.ok()) return status;
  const auto lines = NumberAt(*work, "multiPv");
  if (!lines.ok()) return lines.status();
  const auto threads = NumberAt(*work, "threads");
  if (!threads.ok()) return threads.status();
  request.set_multi_pv(static_cast<int>(std::min(lines->value_or(1), kMaxLines)));
  request.set_threads(static_cast<int>(std::min<std::int64_t>(threads->value_or(1), caps.max_threads)));
  // The table is the pool's: as large as any that may be asked for, and shared.
  if (const auto hash = NumberAt(*work, "hash"); !hash.ok()) return hash.status();
  return request;
}

}  // namespace

absl::StatusOr<Offer> ParseOffer(std::string_view text, const OfferCaps& caps) {
  const absl::StatusOr<json> offer = http::ParseJson(text);
  if (!offer.ok()) return offer.status();
  const std::optional<std::string> id = http::StringAt(*offer, "id");
  if (!id || id->empty() || id->size() > kMaxIdBytes) {
    return absl::InvalidArgumentError("id is not a text of 1 to 200 bytes");
  }
  return Offer{.id = *id, .request = ReadWork(*offer, caps)};
}

}  // namespace kibitz::client::lichess
