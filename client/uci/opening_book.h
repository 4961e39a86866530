// The opening book that a GUI may give the engine to play from.

#ifndef KIBITZ_CLIENT_UCI_OPENING_BOOK_H_
#define KIBITZ_CLIENT_UCI_OPENING_BOOK_H_

#include <optional>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "engine/board/position.h"
#include "engine/book/polyglot_book.h"

namespace kibitz::client::uci {

// Empty at first.
class OpeningBook {
 public:
  // Reads a Polyglot book; an empty path takes the book away. After a failure there is none.
  absl::Status Load(const std::string& path);

  // A move in the notation of the position's variant, chosen at random by the book's weights. Empty: no move known.
  std::string ChooseMove(const Position& position);

 private:
  std::optional<PolyglotBook> book_;
  std::mt19937_64 random_{std::random_device()()};
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_OPENING_BOOK_H_
