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

void RequireReadAgain(const PgnGame& game) {
  const std::string text = ToPgn(game);
  PgnReader reader(text);
  const absl::StatusOr<std::optional<PgnGame>> again = reader.Next();
  Require(again.ok() && again->has_value(), "a written game can be read");
  RequireSame((*again)->start, game.start);
  Require((*again)->tags == game.tags, "tags are kept");
  Require((*again)->result == game.result, "the result is kept");
  Require((*again)->moves.size() == game.moves.size(), "all moves are kept");
  for (std::size_t i = 0; i < game.moves.size(); ++i) {
    Require((*again)->moves[i].move == game.moves[i].move, "moves are kept");
    Require((*again)->moves[i].comment == game.moves[i].comment, "comments are kept");
  }
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
