// What depends on the pawns alone, remembered between evaluations: pawns seldom move.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_PAWN_STRUCTURE_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_PAWN_STRUCTURE_H_

#include <array>
#include <vector>

#include "engine/board/bitboard.h"
#include "engine/board/position.h"
#include "engine/board/zobrist.h"
#include "engine/eval/classical/evaluation_weights.h"
#include "engine/eval/classical/tapered.h"

namespace kibitz {

struct PawnStructure {
  Key key = 0;
  std::array<Tapered, kNumColors> value{};    // doubled, isolated, backward, connected, candidates
  std::array<Tapered, kNumColors> squares{};  // the pawns' piece-square values
  std::array<Bitboard, kNumColors> passed{};  // nothing but pieces can stop them; of doubled pawns the first
  std::array<Bitboard, kNumColors> spans{};   // the squares that a side's pawns attack now or once they have advanced
};

// Defined for OwnWeights and GivenWeights.
template <typename WeightsPointer>
PawnStructure AnalyzePawns(const Board& board, WeightsPointer weights);

// One evaluator's memory of structures, by the engine's own weights.
class PawnTable {
 public:
  static constexpr std::size_t kSize = 4096;
  static constexpr std::size_t kBytes = kSize * sizeof(PawnStructure);

  PawnTable() : entries_(kSize) {}

  const PawnStructure& Get(const Position& position) {
    PawnStructure& entry = entries_[position.pawn_key() % kSize];
    if (entry.key != position.pawn_key() || position.pawn_key() == 0) {
      entry = AnalyzePawns(position.board(), OwnWeights());
      entry.key = position.pawn_key();
    }
    return entry;
  }
  void Clear() { entries_.assign(kSize, {}); }

 private:
  std::vector<PawnStructure> entries_;
};

// All squares in front of the set's squares, on their own files, seen by the given side.
template <Color kUs>
constexpr Bitboard FrontFill(Bitboard set) {
  if constexpr (kUs == Color::kWhite) {
    set = set << 8 | set << 16;
    set |= set << 16;
    return set | set << 32;
  } else {
    set = set >> 8 | set >> 16;
    set |= set >> 16;
    return set | set >> 32;
  }
}

constexpr Bitboard AdjacentFiles(Bitboard set) { return Shift<1>(set) | Shift<-1>(set); }

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_PAWN_STRUCTURE_H_
