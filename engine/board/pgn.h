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

struct PgnMove;
using PgnLine = std::vector<PgnMove>;

struct PgnMove {
  Move move;
  std::string comment;                // what stands in braces after the move
  std::string comment_before{};       // what stands before it, at the start of a line
  std::vector<int> glyphs{};          // numeric annotation glyphs: 1 is "!", 2 "?", 4 "??"
  std::vector<PgnLine> variations{};  // what could have been played instead
};

// Where a game cannot be read further, and why.
struct PgnDefect {
  int line = 1;
  int column = 1;
  int ply = 0;  // the move that could not be read; 0: it is in the tags
  std::string what;
};

struct PgnGame {
  // In the order of the file. ToPgn adds SetUp, FEN and Variant where the start position needs them and they are
  // missing.
  std::vector<std::pair<std::string, std::string>> tags;
  Position start;
  PgnLine moves;
  std::string result = "*";         // or "1-0", "0-1", "1/2-1/2"
  std::optional<PgnDefect> defect;  // the moves before it are good

  // The value of a tag, empty if there is none.
  absl::string_view Tag(absl::string_view name) const;
};

// Reads the games of a text one by one. Generous: tags may be few, numbers are not looked at, a variation ends at what
// cannot be read of it, and a game may end without its result.
class PgnReader {
 public:
  // The text must outlive the reader.
  explicit PgnReader(absl::string_view text);

  // The next game, as far as it can be read; nothing at the end of the text. Goes on after a defect with the game
  // behind it.
  std::optional<PgnGame> NextReadable();
  // The same for those who want whole games: what is wrong with the next game, and in which line, is an error.
  absl::StatusOr<std::optional<PgnGame>> Next();
  // What is not read yet.
  absl::string_view rest() const { return text_.substr(place_); }

 private:
  // A line that is being read, and the position that it has come to.
  struct Cursor {
    PgnLine& line;
    Position position;
    std::string comment{};  // that stands before the first move
  };

  absl::Status ReadTags(PgnGame& game);
  absl::Status ReadMoves(PgnGame& game);
  // Reads one item of the movetext. Returns whether the game is over.
  absl::StatusOr<bool> ReadItem(PgnGame& game, Cursor& cursor);
  void AddComment(Cursor& cursor, const std::string& comment) const;
  absl::Status ReadMove(Cursor& cursor, absl::string_view word);
  absl::StatusOr<std::string> ReadComment();
  std::string ReadLineComment();
  // Reads what stands in brackets; `depth` counts the brackets around it.
  absl::Status ReadVariation(const Cursor& around, int depth);
  absl::Status SkipVariation();
  // To the bracket that closes the one that was last opened and read.
  absl::Status SkipToClosing();
  // The comments of a line's end are part of the movetext, and else of no interest.
  void SkipSpace(bool keep_comments = false);
  void SkipLine();
  void SkipToEndOfGame();
  void SkipToNextTags();
  absl::string_view ReadWord();
  // What is wrong, with where the reader stands, or has begun to read a word.
  absl::Status Error(absl::string_view what) { return ErrorAt(place_, what); }
  absl::Status ErrorAt(std::size_t place, absl::string_view what);
  bool AtEnd() const { return place_ >= text_.size(); }
  char Here() const { return text_[place_]; }

  absl::string_view text_;
  std::size_t place_ = 0;
  std::size_t error_place_ = 0;
};

// Writes a game, with lines of at most 80 characters where words allow it, and an empty line at its end.
std::string ToPgn(const PgnGame& game);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PGN_H_
