// Any bytes as a file of games. What is read must survive being written, and reading must come to an end.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/pgn.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {
namespace {

void RequireSameLine(const PgnLine& again, const PgnLine& line) {
  Require(again.size() == line.size(), "all moves are kept");
  for (std::size_t i = 0; i < line.size(); ++i) {
    Require(again[i].move == line[i].move, "moves are kept");
    Require(again[i].comment == line[i].comment, "comments are kept");
    Require(again[i].comment_before == line[i].comment_before, "comments before moves are kept");
    Require(again[i].glyphs == line[i].glyphs, "glyphs are kept");
    Require(again[i].variations.size() == line[i].variations.size(), "variations are kept");
    for (std::size_t j = 0; j < line[i].variations.size(); ++j) {
      RequireSameLine(again[i].variations[j], line[i].variations[j]);
    }
  }
}

void RequireReadAgain(const PgnGame& game) {
  const std::string text = ToPgn(game);
  PgnReader reader(text);
  const absl::StatusOr<std::optional<PgnGame>> again = reader.Next();
  Require(again.ok() && again->has_value(), "a written game can be read");
  RequireSame((*again)->start, game.start);
  Require((*again)->tags == game.tags, "tags are kept");
  Require((*again)->result == game.result, "the result is kept");
  RequireSameLine((*again)->moves, game.moves);
  const absl::StatusOr<std::optional<PgnGame>> end = reader.Next();
  Require(end.ok() && !end->has_value(), "one game is written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  PgnReader reader(absl::string_view(reinterpret_cast<const char*>(data), size));
  // Each answer uses up at least one byte.
  for (std::size_t i = 0; i <= size; ++i) {
    const absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) {
      RequireGoodRefusal(game.status());
    } else if (!game->has_value()) {
      return 0;
    } else {
      RequireReadAgain(**game);
    }
  }
  Require(false, "reading comes to an end");
  return 0;
}

}  // namespace kibitz
