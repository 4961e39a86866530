// Opening books in Polyglot's format.

#ifndef KIBITZ_ENGINE_BOOK_POLYGLOT_BOOK_H_
#define KIBITZ_ENGINE_BOOK_POLYGLOT_BOOK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/board/zobrist.h"

namespace kibitz {

struct BookMove {
  Move move;
  int weight = 0;  // against the other moves of the position; 0: known, but not to be played

  friend bool operator==(const BookMove&, const BookMove&) = default;
};

// A book, held in memory: 16 bytes an entry. It never changes, so any number of threads may ask it.
class PolyglotBook {
 public:
  // Reads a book, or says what is wrong with the file: it cannot be read, is not whole entries, is out of order.
  static absl::StatusOr<PolyglotBook> Open(const std::string& path);
  // The same from a file's contents.
  static absl::StatusOr<PolyglotBook> FromBytes(absl::string_view bytes);

  // How many entries there are.
  std::size_t size() const { return entries_.size(); }

  // The legal moves that the book has for a position, the heaviest first, each once. Castling is understood as king
  // takes rook, as the format has it, and in standard chess as the king's two steps too. What is not legal is left out:
  // another position may have the same key.
  std::vector<BookMove> Moves(const Position& position) const;

  // The heaviest move, if there is one to play.
  std::optional<Move> BestMove(const Position& position) const;
  // A move by its weight, chosen by 64 random bits: the same bits choose the same move.
  std::optional<Move> PickMove(const Position& position, std::uint64_t random) const;

 private:
  struct Entry {
    Key key;
    std::uint16_t move;
    std::uint16_t weight;
  };

  explicit PolyglotBook(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  std::vector<Entry> entries_;  // by key
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOOK_POLYGLOT_BOOK_H_
