// The keys by which Polyglot books know positions.

#ifndef KIBITZ_ENGINE_BOOK_POLYGLOT_KEY_H_
#define KIBITZ_ENGINE_BOOK_POLYGLOT_KEY_H_

#include <vector>

#include "engine/board/position.h"
#include "engine/board/zobrist.h"

namespace kibitz {

// The key of a position, where en passant counts only if such a capture is legal.
Key PolyglotKey(const Position& position);

// All keys under which a book may hold this position, the likeliest first. The format counts en passant as soon as a
// pawn stands beside the one that made a double step, even if its king forbids the capture. The rules, and so Position,
// make no difference there; books do.
std::vector<Key> PolyglotKeys(const Position& position);

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOOK_POLYGLOT_KEY_H_
