#include "client/position_key.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace kibitz::client {
namespace {

// Games that have so many moves in common are about the same: their next question is of use to each other.
constexpr int kMoves = 10;
// Pieces, side to move, castling rights, en passant; the clocks follow.
constexpr std::size_t kFields = 4;
constexpr char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

// FNV-1a: quick, and easily said in any language.
std::uint64_t Hash(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string PositionKey(const v1::Position& position) {
  const std::string fen = position.fen().empty() ? kStart : position.fen();
  std::string text;
  if (position.variant() == v1::VARIANT_CHESS960) text = "960";
  const std::vector<std::string> fields = absl::StrSplit(fen, absl::ByAnyChar(" \t\n"), absl::SkipWhitespace());
  for (std::size_t field = 0; field < std::min(fields.size(), kFields); ++field)
    absl::StrAppend(&text, " ", fields[field]);
  const int moves = std::min(position.moves_size(), kMoves);
  for (int move = 0; move < moves; ++move) absl::StrAppend(&text, " ", position.moves(move));
  return absl::StrCat(absl::Hex(Hash(text), absl::kZeroPad16));
}

}  // namespace kibitz::client
