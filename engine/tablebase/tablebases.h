// Syzygy endgame tables: who wins with few pieces on the board, and how to keep it.

#ifndef KIBITZ_ENGINE_TABLEBASE_TABLEBASES_H_
#define KIBITZ_ENGINE_TABLEBASE_TABLEBASES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/move.h"
#include "engine/board/position.h"

namespace kibitz {

// The result for the side to move with best play. A cursed win or blessed loss is drawn by the fifty-move rule.
enum class TablebaseResult : std::uint8_t { kLoss, kBlessedLoss, kDraw, kCursedWin, kWin };

// A move of a root, and what it is worth. Ranks only compare: the moves of the highest keep the best result, with the
// fifty-move clock as it stands and if need be by making progress.
struct RankedMove {
  Move move;
  int rank = 0;
  TablebaseResult result = TablebaseResult::kDraw;  // for the side that makes the move
};

// The tables of one or more folders. The library behind it (Fathom) keeps one set per process and Debian's build of it
// takes no locks, so all probes of a process go one by one, under one lock; any thread may ask at any time.
class Tablebases {
 public:
  // `path` is folders separated by colons. As long as one Tablebases of a process lives, another can be opened on the
  // same path only: they share the set. An error names the folder that is missing, or the file that is damaged.
  static absl::StatusOr<std::unique_ptr<Tablebases>> Open(const std::string& path);
  ~Tablebases();
  Tablebases(const Tablebases&) = delete;
  Tablebases& operator=(const Tablebases&) = delete;

  // The largest number of pieces, kings included, that the tables cover.
  int max_pieces() const { return max_pieces_; }

  // Whether a probe can say anything: few enough pieces and no castling rights.
  bool Covers(const Position& position) const;

  // The result right after a capture or a pawn move; nothing with another clock, or where a table is missing.
  std::optional<TablebaseResult> Probe(const Position& position) const;

  // All legal moves in their order of worth, best first, or nothing if a table is missing. Uses the tables of distance,
  // so that whoever plays the best one at every move wins what can be won.
  std::vector<RankedMove> RankMoves(const Position& position) const;

 private:
  explicit Tablebases(int max_pieces) : max_pieces_(max_pieces) {}

  const int max_pieces_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_TABLEBASE_TABLEBASES_H_
