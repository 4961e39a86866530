// Perft's last two plies in one step: without the board after most moves, and without a look at most single moves.

#ifndef KIBITZ_ENGINE_BOARD_PERFT_LAST_PLIES_H_
#define KIBITZ_ENGINE_BOARD_PERFT_LAST_PLIES_H_

#include <cstdint>

#include "engine/board/board.h"
#include "engine/board/generator.h"
#include "engine/board/perft_answers.h"
#include "engine/board/play.h"
#include "engine/board/types.h"

namespace kibitz {

// Counts the answers to each move it is handed.
template <Color kUs>
class AnswersSink {
 public:
  explicit AnswersSink(const Board& board) : board_(board), answers_(board) {}

  template <PieceType kType>
  void Moves(Square from, Bitboard targets) {
    const SortedMoves moves = answers_.template Sort<kType>(from, targets);
    AddUnplayed(moves);
    for (Square to : Squares(moves.others)) Add(answers_.OfOthers(AfterMove<kUs>(board_, kType, from, to)));
    for (Square to : Squares(moves.all)) AddAll(AfterMove<kUs>(board_, kType, from, to));
  }
  template <int kDelta>
  void PawnMoves(Bitboard targets) {
    const SortedMoves moves = answers_.template SortPawns<kDelta>(targets);
    AddUnplayed(moves);
    for (Square to : Squares(moves.others)) Add(answers_.OfOthers(AfterPawnMove<kDelta>(to)));
    for (Square to : Squares(moves.all)) AddAll(AfterPawnMove<kDelta>(to));
  }
  template <int kDelta>
  void Promotions(Bitboard targets) {
    for (Square to : Squares(targets)) {
      for (PieceType type : {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kQueen}) {
        AddAll(AfterMove<kUs>(board_, type, Offset(to, -kDelta), to));
      }
    }
  }
  void EnPassant(Square from) { AddAll(AfterEnPassant<kUs>(board_, from)); }
  void Castle(Square king, Square rook) { AddAll(AfterCastling<kUs>(board_, king, rook)); }

  std::uint64_t count() const { return count_; }

 private:
  template <int kDelta>
  Board AfterPawnMove(Square to) const {
    const Square from = Offset(to, -kDelta);
    if constexpr (kDelta == 2 * Up(kUs)) return AfterDoublePush<kUs>(board_, from, to);
    return AfterMove<kUs>(board_, PieceType::kPawn, from, to);
  }
  [[gnu::always_inline]] void AddUnplayed(const SortedMoves& moves) {
    Add(Count(moves.nothing | moves.arrivals) * moves.answers);
    for (Square to : Squares(moves.arrivals)) Add(answers_.ByArrival(to));
  }
  void Add(int answers) { count_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(answers)); }
  void AddAll(const Board& next) { Add(CountMoves<~kUs>(next)); }

  const Board& board_;
  const Answers<kUs> answers_;
  std::uint64_t count_ = 0;
};

// The number of leaf nodes two plies below.
template <Color kUs>
std::uint64_t CountTwoPlies(const Board& board) {
  AnswersSink<kUs> sink(board);
  Generate<kUs>(board, sink);
  return sink.count();
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PERFT_LAST_PLIES_H_
