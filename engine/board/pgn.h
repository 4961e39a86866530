// Portable Game Notation, in and out.

#ifndef KIBITZ_ENGINE_BOARD_PGN_H_
#define KIBITZ_ENGINE_BOARD_PGN_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

struct PgnMove {
  Move move;
  std::string comment;  // what stands in braces after the move
};

struct PgnGame {
  // In the order of the file. ToPgn adds SetUp, FEN and Variant where the start position needs them and they are
  // missing.
  std::vector<std::pair<std::string, std::string>> tags;
  Position start;
  std::vector<PgnMove> moves;
  std::string result = "*";  // or "1-0", "0-1", "1/2-1/2"

  // The value of a tag, empty if there is none.
  absl::string_view Tag(absl::string_view name) const;
};

// Reads the games of a text one by one. Generous: tags may be few, numbers, glyphs and variations are skipped, and a
// game may end without its result.
class PgnReader {
 public:
  // The text must outlive the reader.
  explicit PgnReader(absl::string_view text);

  // The next game, nothing at the end of the text, or what is wrong with the next game and in which line. Goes on after
  // an error with the game behind it.
  absl::StatusOr<std::optional<PgnGame>> Next();
  // What is not read yet.
  absl::string_view rest() const { return text_.substr(place_); }

 private:
  absl::Status ReadTags(PgnGame& game);
  absl::Status ReadMoves(PgnGame& game);
  // Reads one item of the movetext. Returns whether the game is over.
  absl::StatusOr<bool> ReadItem(PgnGame& game, Position& position);
  absl::StatusOr<std::string> ReadComment();
  absl::Status SkipVariation();
  void SkipSpace();
  void SkipLine();
  void SkipToNextTags();
  absl::string_view ReadWord();
  absl::Status Error(absl::string_view what) const;
  bool AtEnd() const { return place_ >= text_.size(); }
  char Here() const { return text_[place_]; }

  absl::string_view text_;
  std::size_t place_ = 0;
};

// Writes a game, with lines of at most 80 characters where words allow it, and an empty line at its end.
std::string ToPgn(const PgnGame& game);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PGN_H_
