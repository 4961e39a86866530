#include "tests/support/lichess/emission.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/board/uci_move.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;
using Words = std::vector<absl::string_view>;

constexpr int kMaxLines = 5;
constexpr std::size_t kMaxPv = 30;

absl::Status Unexpected(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("unexpected token: ", what));
}

bool IsUciMove(absl::string_view word) {
  const auto is_square = [](absl::string_view text) { return ParseSquare(text).has_value(); };
  const bool sized = word.size() == 4 || word.size() == 5;
  return word == "0000" || (sized && is_square(word.substr(0, 2)) && is_square(word.substr(2, 2)));
}

template <typename Number>
bool ReadNumber(const Words& words, std::size_t& at, Number& number) {
  return at < words.size() && absl::SimpleAtoi(words[at++], &number);
}

}  // namespace

absl::StatusOr<Emission::Info> Emission::Parse(const Words& words) {
  // Known, and of no concern to the board.
  static constexpr absl::string_view kNumbers[] = {"seldepth", "currmovenumber", "hashfull", "nps",
                                                   "tbhits",   "sbhits",         "cpuload"};
  Info info;
  for (std::size_t at = 1; at < words.size();) {
    const absl::string_view word = words[at++];
    std::int64_t number = 0;
    if (word == "string") break;
    if (word == "pv") {
      info.pv.emplace();
      while (at < words.size() && IsUciMove(words[at])) info.pv->emplace_back(words[at++]);
    } else if (word == "currmove") {
      if (at >= words.size() || !IsUciMove(words[at++])) return Unexpected(word);
    } else if (word == "score") {
      const absl::string_view kind = at < words.size() ? words[at++] : "";
      if ((kind != "cp" && kind != "mate") || !ReadNumber(words, at, number)) return Unexpected(word);
      (kind == "cp" ? info.cp : info.mate) = static_cast<int>(number);
      for (; at < words.size() && (words[at] == "lowerbound" || words[at] == "upperbound"); ++at) {
        info.is_bounded = true;
      }
    } else if (!ReadNumber(words, at, number)) {
      return Unexpected(word);
    } else if (word == "multipv") {
      if (number < 1 || number > kMaxLines) return absl::InvalidArgumentError("supported range is 1 to 5");
      info.multi_pv = static_cast<int>(number);
    } else if (word == "depth") {
      info.depth = static_cast<int>(number);
    } else if (word == "time") {
      info.time = static_cast<int>(number);
    } else if (word == "nodes") {
      info.nodes = number;
    } else if (std::find(std::begin(kNumbers), std::end(kNumbers), word) == std::end(kNumbers)) {
      return Unexpected(word);
    }
  }
  return info;
}

std::vector<std::string> Emission::Normalize(const std::vector<std::string>& pv) {
  std::vector<std::string> moves;
  Position position = position_;
  for (const std::string& word : pv) {
    if (moves.size() == kMaxPv) {
      ++cut_;
      break;
    }
    const absl::StatusOr<Move> move = ParseUciMove(position, word);
    if (!move.ok()) break;
    moves.push_back(ToUci(*move, Variant::kChess960));
    position.MakeMove(*move);
  }
  return moves;
}

absl::Status Emission::Update(const Info& info) {
  if (info.multi_pv == 1) {
    time_ = info.time.value_or(time_);
    depth_ = info.depth.value_or(depth_);
    nodes_ = info.nodes.value_or(nodes_);
    std::fill(pvs_.begin(), pvs_.end(), std::nullopt);
  } else if (info.depth) {
    depth_ = std::min(depth_, *info.depth);
  }
  const auto count = static_cast<std::size_t>(info.multi_pv);
  if (pvs_.size() < count) pvs_.resize(count);
  if (!info.depth || !info.pv || (!info.cp && !info.mate)) return absl::OkStatus();
  if (info.multi_pv == 1 && info.is_bounded) {
    ++bounded_;
    return absl::OkStatus();
  }
  const int sign = position_.side_to_move() == Color::kWhite ? 1 : -1;
  json pv{{"depth", *info.depth}, {"moves", Normalize(*info.pv)}};
  if (info.cp) pv["cp"] = sign * *info.cp;
  if (info.mate) pv["mate"] = sign * *info.mate;
  pvs_[count - 1] = std::move(pv);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<json>> Emission::Take(absl::string_view line) {
  const Words words = absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  if (words.empty()) return std::nullopt;
  if (words[0] == "bestmove") {
    if (words.size() > 1 && words[1] != "(none)" && !IsUciMove(words[1])) return Unexpected(words[1]);
    finished_ = true;
    std::erase_if(pvs_, [](const auto& pv) { return !pv.has_value(); });
  } else if (words[0] == "info") {
    absl::StatusOr<Info> info = Parse(words);
    if (!info.ok()) return info.status();
    if (absl::Status status = Update(*info); !status.ok()) return status;
  } else {
    return std::nullopt;
  }
  const bool whole = !pvs_.empty() && std::all_of(pvs_.begin(), pvs_.end(), [](const auto& pv) { return pv; });
  if (!whole && !finished_) return std::nullopt;
  json shown{{"time", time_}, {"depth", depth_}, {"nodes", nodes_}, {"pvs", json::array()}};
  for (const auto& pv : pvs_) shown["pvs"].push_back(*pv);
  if (finished_ && words.size() > 1) shown["bestmove"] = std::string(words[1]);
  return shown;
}

}  // namespace kibitz::stand_in
