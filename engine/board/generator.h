// The one move generator. It finds strictly legal moves as sets of target squares and hands them to a sink, which may
// list them, count them, or play them: what a move becomes is decided when the program is compiled.
//
// A sink has these members:
//   template <PieceType kType> void Moves(Square from, Bitboard targets);  // any piece but a pawn
//   template <int kDelta> void PawnMoves(Bitboard targets);                // each came from `target - kDelta`
//   template <int kDelta> void Promotions(Bitboard targets);               // the same, to four pieces each
//   void EnPassant(Square from);
//   void Castle(Square king, Square rook);

#ifndef KIBITZ_ENGINE_BOARD_GENERATOR_H_
#define KIBITZ_ENGINE_BOARD_GENERATOR_H_

#include "engine/board/attacks/attacks.h"
#include "engine/board/board.h"
#include "engine/board/play.h"
#include "engine/board/types.h"

namespace kibitz {

enum class MoveSet : std::uint8_t {
  kAll,
  kCaptures,  // captures and promotions
  kQuiets,    // the rest
};

// Checks and pins: what restricts every piece but the king. A pinned piece is one that stands on a pin ray: between
// king and pinner nothing else does. No two rays share a square, and no pinned piece's move leads from one to another,
// unless the piece is a queen.
template <Color kUs>
struct Restrictions {
  [[gnu::always_inline]] explicit Restrictions(const Board& board) {
    const Square king = board.KingOf(kUs);
    const Bitboard ours = board.Of(kUs);
    const Bitboard theirs = board.Of(~kUs);
    const Bitboard queens = board.Of(PieceType::kQueen);
    checkers = theirs & ((KnightAttacks(king) & board.Of(PieceType::kKnight)) |
                         (PawnAttacks(kUs, king) & board.Of(PieceType::kPawn)));
    check_line = checkers;
    // Lines from the king up to the first enemy piece: our own are looked for afterwards.
    AddSliders(king, RookAttacks(king, theirs) & theirs & (board.Of(PieceType::kRook) | queens), ours, straight_pins);
    AddSliders(king, BishopAttacks(king, theirs) & theirs & (board.Of(PieceType::kBishop) | queens), ours,
               diagonal_pins);
  }

  Bitboard checkers;
  Bitboard check_line;  // where a single check is blocked or its giver captured
  Bitboard straight_pins = 0;
  Bitboard diagonal_pins = 0;

 private:
  [[gnu::always_inline]] void AddSliders(Square king, Bitboard sliders, Bitboard ours, Bitboard& pins) {
    for (Square slider : Squares(sliders)) {
      const Bitboard between = Between(king, slider);
      const Bitboard shield = between & ours;
      if (shield == 0) {
        checkers |= Bit(slider);
        check_line |= between | Bit(slider);
      } else if (!MoreThanOne(shield)) {
        pins |= between | Bit(slider);
      }
    }
  }
};

// Its parts are inlined by force, which the compiler thinks too large: the sink's state then stays in registers, and
// counting is faster by a tenth.
template <Color kUs, MoveSet kSet, typename Sink>
class Generator {
 public:
  Generator(const Board& board, Sink& sink) : Generator(board, sink, Restrictions<kUs>(board)) {}
  // For a caller that knows them.
  Generator(const Board& board, Sink& sink, const Restrictions<kUs>& limits)
      : board_(board), sink_(sink), king_(board.KingOf(kUs)), occupied_(board.Occupied()), limits_(limits) {}

  [[gnu::always_inline]] void Run() {
    Bitboard targets = Wanted();
    KingMoves(targets);
    if (limits_.checkers != 0) {
      if (MoreThanOne(limits_.checkers)) return;
      targets &= limits_.check_line;
    }
    OtherMoves(targets);
  }
  // All but the king's moves. There must be no check.
  [[gnu::always_inline]] void RunOthers() { OtherMoves(Wanted()); }

 private:
  [[gnu::always_inline]] void OtherMoves(Bitboard targets) {
    const Bitboard pins = limits_.straight_pins | limits_.diagonal_pins;
    PieceMoves<PieceType::kKnight>(Ours(PieceType::kKnight) & ~pins, targets);
    PieceMoves<PieceType::kBishop>(Ours(PieceType::kBishop) & ~pins, targets);
    PieceMoves<PieceType::kRook>(Ours(PieceType::kRook) & ~pins, targets);
    PieceMoves<PieceType::kQueen>(Ours(PieceType::kQueen) & ~pins, targets);
    if (pins & board_.Of(kUs)) PinnedSliders(targets);
    Pawns();
  }

  static constexpr Color kThem = ~kUs;
  static constexpr int kUp = Up(kUs);

  Bitboard Ours(PieceType type) const { return board_.Of(kUs, type); }
  Bitboard Theirs(PieceType type) const { return board_.Of(kThem, type); }

  Bitboard Wanted() const {
    if constexpr (kSet == MoveSet::kCaptures) return board_.Of(kThem);
    if constexpr (kSet == MoveSet::kQuiets) return ~occupied_;
    return ~board_.Of(kUs);
  }

  [[gnu::always_inline]] void KingMoves(Bitboard targets) {
    const Bitboard steps = KingAttacks(king_) & targets;
    const Bitboard castlers = kSet == MoveSet::kCaptures || limits_.checkers != 0 ? 0 : RooksWithFreePath();
    // In crowded positions the king often has nowhere to go, and the dear question of danger need not be asked.
    if ((steps | castlers) == 0) return;
    const Bitboard danger = AttackedSquares();
    sink_.template Moves<PieceType::kKing>(king_, steps & ~danger);
    for (Square rook : Squares(castlers)) {
      if (IsSafeCastling(rook, danger)) sink_.Castle(king_, rook);
    }
  }

  // What the enemy attacks. The king itself does not shelter the squares behind it.
  [[gnu::always_inline]] Bitboard AttackedSquares() const {
    const Bitboard occupied = occupied_ ^ Bit(king_);
    const Bitboard queens = Theirs(PieceType::kQueen);
    Bitboard attacked = PawnSetAttacks<kThem>(Theirs(PieceType::kPawn)) | KingAttacks(board_.KingOf(kThem));
    for (Square from : Squares(Theirs(PieceType::kKnight))) attacked |= KnightAttacks(from);
    for (Square from : Squares(Theirs(PieceType::kBishop) | queens)) attacked |= BishopAttacks(from, occupied);
    for (Square from : Squares(Theirs(PieceType::kRook) | queens)) attacked |= RookAttacks(from, occupied);
    return attacked;
  }

  // The rooks that may still castle and find all squares free for it.
  [[gnu::always_inline]] Bitboard RooksWithFreePath() const {
    Bitboard free = 0;
    for (Square rook : Squares(board_.castling_rooks & board_.Of(kUs))) {
      if (Between(king_, rook) & occupied_) continue;
      const CastlingMove castling(king_, rook);
      const Bitboard path = Between(king_, castling.king_to) | Between(rook, castling.rook_to) | Bit(castling.king_to) |
                            Bit(castling.rook_to);
      if ((path & occupied_ & ~Bit(king_) & ~Bit(rook)) == 0) free |= Bit(rook);
    }
    return free;
  }

  bool IsSafeCastling(Square rook, Bitboard danger) const {
    const CastlingMove castling(king_, rook);
    if ((Between(king_, castling.king_to) | Bit(castling.king_to)) & danger) return false;
    if (FileOf(rook) == 0 || FileOf(rook) == 7) return true;
    // In Chess960 the rook may leave its king open to an attack along the rank.
    const Bitboard others = occupied_ ^ Bit(king_) ^ Bit(rook);
    return (RookAttacks(castling.king_to, others) & (Theirs(PieceType::kRook) | Theirs(PieceType::kQueen))) == 0;
  }

  template <PieceType kType>
  [[gnu::always_inline]] void PieceMoves(Bitboard pieces, Bitboard targets) {
    for (Square from : Squares(pieces)) {
      sink_.template Moves<kType>(from, AttacksFrom<kType>(from, occupied_) & targets);
    }
  }

  void PinnedSliders(Bitboard targets) {
    const Bitboard straight = targets & limits_.straight_pins;
    const Bitboard diagonal = targets & limits_.diagonal_pins;
    PieceMoves<PieceType::kRook>(Ours(PieceType::kRook) & limits_.straight_pins, straight);
    PieceMoves<PieceType::kBishop>(Ours(PieceType::kBishop) & limits_.diagonal_pins, diagonal);
    // A pinned queen moves as a rook or as a bishop: its other moves may end on the ray of another pin.
    for (Square from : Squares(Ours(PieceType::kQueen) & limits_.straight_pins)) {
      sink_.template Moves<PieceType::kQueen>(from, RookAttacks(from, occupied_) & straight);
    }
    for (Square from : Squares(Ours(PieceType::kQueen) & limits_.diagonal_pins)) {
      sink_.template Moves<PieceType::kQueen>(from, BishopAttacks(from, occupied_) & diagonal);
    }
  }

  [[gnu::always_inline]] void Pawns() {
    const Bitboard pawns = Ours(PieceType::kPawn);
    const Bitboard evasion = limits_.checkers != 0 ? limits_.check_line : ~Bitboard{0};
    PawnPushes(pawns & ~limits_.diagonal_pins, evasion);
    if constexpr (kSet != MoveSet::kQuiets) {
      PawnCaptures<kUp - 1>(pawns & ~limits_.straight_pins, evasion);
      PawnCaptures<kUp + 1>(pawns & ~limits_.straight_pins, evasion);
      if (board_.en_passant != Square::kNone) EnPassant(pawns);
    }
  }

  [[gnu::always_inline]] void PawnPushes(Bitboard pawns, Bitboard evasion) {
    constexpr Bitboard kLastRank = RelativeRankMask(kUs, 7);
    const Bitboard empty = ~occupied_;
    // A pawn pinned from the front or behind may push, one pinned from the side may not.
    pawns &= ~limits_.straight_pins | FileMask(FileOf(king_));
    const Bitboard pushed = Shift<kUp>(pawns) & empty;
    if constexpr (kSet != MoveSet::kCaptures) {
      sink_.template PawnMoves<kUp>(pushed & evasion & ~kLastRank);
      sink_.template PawnMoves<2 * kUp>(Shift<kUp>(pushed & RelativeRankMask(kUs, 2)) & empty & evasion);
    }
    if constexpr (kSet != MoveSet::kQuiets) {
      const Bitboard promoted = pushed & evasion & kLastRank;
      if (promoted) sink_.template Promotions<kUp>(promoted);
    }
  }

  template <int kDelta>
  [[gnu::always_inline]] void PawnCaptures(Bitboard pawns, Bitboard evasion) {
    constexpr Bitboard kLastRank = RelativeRankMask(kUs, 7);
    const Bitboard free = Shift<kDelta>(pawns & ~limits_.diagonal_pins);
    const Bitboard pinned = Shift<kDelta>(pawns & limits_.diagonal_pins) & limits_.diagonal_pins;
    const Bitboard captures = (free | pinned) & board_.Of(kThem) & evasion;
    sink_.template PawnMoves<kDelta>(captures & ~kLastRank);
    if (captures & kLastRank) sink_.template Promotions<kDelta>(captures & kLastRank);
  }

  void EnPassant(Bitboard pawns) {
    for (Square from : Squares(PawnAttacks(kThem, board_.en_passant) & pawns)) {
      if (IsLegalEnPassant(board_, from, board_.en_passant)) sink_.EnPassant(from);
    }
  }

  const Board& board_;
  Sink& sink_;
  const Square king_;
  const Bitboard occupied_;
  const Restrictions<kUs> limits_;
};

template <Color kUs, MoveSet kSet = MoveSet::kAll, typename Sink>
inline void Generate(const Board& board, Sink& sink) {
  Generator<kUs, kSet, Sink>(board, sink).Run();
}

// Counts moves without looking at them.
class CountingSink {
 public:
  template <PieceType>
  void Moves(Square, Bitboard targets) {
    count_ += Count(targets);
  }
  template <int>
  void PawnMoves(Bitboard targets) {
    count_ += Count(targets);
  }
  template <int>
  void Promotions(Bitboard targets) {
    count_ += 4 * Count(targets);
  }
  void EnPassant(Square) { ++count_; }
  void Castle(Square, Square) { ++count_; }

  int count() const { return count_; }

 private:
  int count_ = 0;
};

template <Color kUs>
inline int CountMoves(const Board& board) {
  CountingSink sink;
  Generate<kUs>(board, sink);
  return sink.count();
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_GENERATOR_H_
