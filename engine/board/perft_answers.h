// How many answers the other side has to each of our moves, for perft's last two plies. After most moves it has exactly
// as many as if we had passed. So its answers to a pass are counted, and each move is sorted by what it changes there:
// nothing, or only what its arrival does, which need not even be played; its pieces' ways, but nothing about its king;
// or anything.

#ifndef KIBITZ_ENGINE_BOARD_PERFT_ANSWERS_H_
#define KIBITZ_ENGINE_BOARD_PERFT_ANSWERS_H_

#include "engine/board/attacks/attacks.h"
#include "engine/board/board.h"
#include "engine/board/generator.h"
#include "engine/board/perft_arrivals.h"
#include "engine/board/types.h"

namespace kibitz {

// Moves of one piece, or of pawns by the same step, by what they change: sets of targets.
struct SortedMoves {
  int answers;        // without the piece, or to a pass if it stands in nobody's way
  Bitboard nothing;   // more, that is
  Bitboard arrivals;  // its other pieces' ways, by the square that the piece comes to alone
  Bitboard others;    // what its other pieces may do; its king's moves, checks and pins stay as they are
  Bitboard all;
};

// Counts the answers to a pass, the king's apart, and notes where sliders may go.
template <Color kThem>
class PassSink {
 public:
  explicit PassSink(Arrivals<kThem>& arrivals) : arrivals_(arrivals) {}

  template <PieceType kType>
  void Moves(Square from, Bitboard targets) {
    if constexpr (kType == PieceType::kKing) {
      king_targets_ = targets;
      king_.Moves<kType>(from, targets);
    } else {
      others_.Moves<kType>(from, targets);
      if constexpr (kType != PieceType::kKnight) {
        slider_targets_ |= targets;
        arrivals_.template NoteSlider<kType>(from, targets);
      }
    }
  }
  template <int kDelta>
  void PawnMoves(Bitboard targets) {
    others_.PawnMoves<kDelta>(targets);
  }
  template <int kDelta>
  void Promotions(Bitboard targets) {
    others_.Promotions<kDelta>(targets);
  }
  void EnPassant(Square) {}  // not after a pass
  void Castle(Square king, Square rook) { king_.Castle(king, rook); }

  int king_count() const { return king_.count(); }
  int count() const { return king_.count() + others_.count(); }
  Bitboard king_targets() const { return king_targets_; }
  Bitboard slider_targets() const { return slider_targets_; }

 private:
  Arrivals<kThem>& arrivals_;
  CountingSink king_;
  CountingSink others_;
  Bitboard king_targets_ = 0;
  Bitboard slider_targets_ = 0;
};

// The squares from which a piece, by its kind, attacks one of some squares.
struct AttackOrigins {
  Bitboard pawn = 0;
  Bitboard knight = 0;
  Bitboard bishop = 0;
  Bitboard rook = 0;
  Bitboard king = 0;

  template <PieceType kType>
  Bitboard Of() const {
    if constexpr (kType == PieceType::kPawn) return pawn;
    if constexpr (kType == PieceType::kKnight) return knight;
    if constexpr (kType == PieceType::kBishop) return bishop;
    if constexpr (kType == PieceType::kRook) return rook;
    if constexpr (kType == PieceType::kQueen) return bishop | rook;
    if constexpr (kType == PieceType::kKing) return king;
  }
};

// The answers of the other side to a pass of kUs, and to its moves. Squares are noted rather too many than too few: a
// move that is sorted too high only costs time.
template <Color kUs>
class Answers {
 public:
  explicit Answers(const Board& board)
      : board_(board),
        passed_(AfterPass(board)),
        limits_(passed_),
        king_(board.KingOf(kThem)),
        seen_through_king_(board.Occupied() ^ Bit(king_)) {
    PassSink<kThem> answers(arrivals_);
    Generator<kThem, MoveSet::kAll, PassSink<kThem>>(passed_, answers, limits_).Run();
    arrivals_.NotePawns(TheirPawns() & ~(limits_.straight_pins | limits_.diagonal_pins), board.Occupied());
    to_pass_ = answers.count();
    of_king_to_pass_ = answers.king_count();
    ways_ = answers.slider_targets() | PawnWays();
    NoteLines();
    const Bitboard castling = NoteCastling();
    NoteKingSquares(answers.king_targets() | castling, (KingSteps() & ~answers.king_targets()) | castling);
  }

  // By how much their number changes when a piece comes to a square.
  int ByArrival(Square to) const { return arrivals_.At(to); }
  // To a move that changes the ways of other pieces only.
  int OfOthers(const Board& next) const {
    CountingSink others;
    Generator<kThem, MoveSet::kAll, CountingSink>(next, others, limits_).RunOthers();
    return of_king_to_pass_ + others.count();
  }

  template <PieceType kType>
  [[gnu::always_inline]] SortedMoves Sort(Square from, Bitboard targets) const {
    if (Contains(leave_ | leaves_.Of<kType>(), from)) return {0, 0, 0, 0, targets};
    const Bitboard all = targets & (enter_ | enters_.Of<kType>());
    Bitboard others = targets & ~all & board_.Of(kThem);
    int answers = to_pass_;
    if (Contains(ways_, from)) {
      if constexpr (kType != PieceType::kKnight) others |= targets & ~all & OpenedLines(from);
      answers = OfOthers(Without<kType>(from));
    }
    const Bitboard rest = targets & ~all & ~others;
    return {answers, rest & ~ways_, rest & ways_, others, all};
  }
  template <int kDelta>
  [[gnu::always_inline]] SortedMoves SortPawns(Bitboard targets) const {
    const Bitboard all = targets & (enter_ | enters_.pawn | Shift<kDelta>(leave_ | leaves_.pawn));
    const Bitboard rest = targets ^ all;
    Bitboard others = rest & (board_.Of(kThem) | Shift<kDelta>(ways_));
    if constexpr (kDelta == 2 * Up(kUs)) others |= rest & (Shift<1>(TheirPawns()) | Shift<-1>(TheirPawns()));
    const Bitboard arrivals = rest & ways_ & ~others;
    return {to_pass_, rest ^ others ^ arrivals, arrivals, others, all};
  }

 private:
  static constexpr Color kThem = ~kUs;

  static Board AfterPass(const Board& board) {
    Board passed = board;
    passed.side_to_move = kThem;
    passed.en_passant = Square::kNone;
    return passed;
  }

  // Before their answers, with a piece of ours lifted off the board.
  template <PieceType kType>
  Board Without(Square from) const {
    Board lifted = passed_;
    lifted.by_color[Index(kUs)] ^= Bit(from);
    lifted.by_type[Index(kType)] ^= Bit(from);
    return lifted;
  }
  // The lines on which sliders and pawns come further once a piece has left, so that it matters where on them it goes.
  Bitboard OpenedLines(Square from) const {
    Bitboard lines = FileMask(FileOf(from));
    const Bitboard queens = board_.Of(PieceType::kQueen);
    const Bitboard attackers = (RookAttacks(from, board_.Occupied()) & (board_.Of(PieceType::kRook) | queens)) |
                               (BishopAttacks(from, board_.Occupied()) & (board_.Of(PieceType::kBishop) | queens));
    for (Square attacker : Squares(attackers & board_.Of(kThem))) lines |= Line(attacker, from);
    return lines;
  }

  Bitboard TheirPawns() const { return board_.Of(kThem, PieceType::kPawn); }
  Bitboard KingSteps() const { return KingAttacks(king_) & ~board_.Of(kThem); }
  Bitboard OurSliders(PieceType type) const {
    return board_.Of(kUs) & (board_.Of(type) | board_.Of(PieceType::kQueen));
  }

  // Where their pawns push or capture.
  Bitboard PawnWays() const {
    const Bitboard pushed = Shift<Up(kThem)>(TheirPawns());
    return PawnSetAttacks<kThem>(TheirPawns()) | pushed | Shift<Up(kThem)>(pushed & RelativeRankMask(kThem, 2));
  }

  // Checks and pins: those that a piece gives where it arrives, those there are, and those that a piece uncovers.
  void NoteLines() {
    const Bitboard ours = board_.Of(kUs);
    enters_.pawn = PawnAttacks(kThem, king_);
    enters_.knight = KnightAttacks(king_);
    enters_.bishop = BishopAttacks(king_, ours);
    enters_.rook = RookAttacks(king_, ours);
    const Bitboard aligned = (EmptyRookAttacks(king_) & OurSliders(PieceType::kRook)) |
                             (EmptyBishopAttacks(king_) & OurSliders(PieceType::kBishop));
    for (Square slider : Squares(aligned)) {
      const Bitboard between = Between(king_, slider);
      const Bitboard shields = between & ours;
      if (MoreThanOne(shields) || MoreThanOne(between & board_.Of(kThem))) continue;
      leave_ |= shields != 0 ? shields : Bit(slider);
      if (shields == 0) enter_ |= between;
    }
  }

  // Where castling wants free squares, and a rook. Returns those where the king must not be attacked.
  Bitboard NoteCastling() {
    Bitboard king_path = 0;
    for (Square rook : Squares(board_.castling_rooks & board_.Of(kThem))) {
      enter_ |= Bit(rook);
      const CastlingMove castling(king_, rook);
      const Bitboard path = Between(king_, castling.king_to) | Between(rook, castling.rook_to) | Bit(castling.king_to) |
                            Bit(castling.rook_to);
      if (path & board_.Of(kThem) & ~Bit(king_) & ~Bit(rook)) continue;
      // In Chess960 the rook may shelter its king from an attack along the rank.
      leave_ |= path | RankMask(RankOf(king_));
      enter_ |= path | RankMask(RankOf(king_));
      king_path |= Between(king_, castling.king_to) | Bit(castling.king_to);
    }
    return king_path;
  }

  // A square of the king that is safe may come under attack, one that is not may become safe, and a capture may give it
  // another.
  void NoteKingSquares(Bitboard safe, Bitboard unsafe) {
    enter_ |= KingAttacks(king_) & board_.Of(kThem);
    if ((safe | unsafe) == 0) return;
    const AttackOrigins at_safe = AttacksOn(safe);
    enters_ = Union(enters_, at_safe);
    leaves_ = AttacksOn(unsafe);
    Bitboard straight = 0, diagonal = 0;
    for (Square from : Squares(OurSliders(PieceType::kRook))) straight |= RookAttacks(from, seen_through_king_);
    for (Square from : Squares(OurSliders(PieceType::kBishop))) diagonal |= BishopAttacks(from, seen_through_king_);
    leave_ |= (at_safe.rook & straight) | (at_safe.bishop & diagonal);
    enter_ |= (leaves_.rook & straight) | (leaves_.bishop & diagonal);
  }

  AttackOrigins AttacksOn(Bitboard squares) const {
    AttackOrigins origins;
    for (Square square : Squares(squares)) {
      origins = Union(origins, {.pawn = PawnAttacks(kThem, square),
                                .knight = KnightAttacks(square),
                                .bishop = BishopAttacks(square, seen_through_king_),
                                .rook = RookAttacks(square, seen_through_king_),
                                .king = KingAttacks(square)});
    }
    return origins;
  }
  static AttackOrigins Union(const AttackOrigins& a, const AttackOrigins& b) {
    return {a.pawn | b.pawn, a.knight | b.knight, a.bishop | b.bishop, a.rook | b.rook, a.king | b.king};
  }

  const Board& board_;
  const Board passed_;
  const Restrictions<kThem> limits_;
  const Square king_;
  Arrivals<kThem> arrivals_;
  const Bitboard seen_through_king_;  // occupied squares but its own: it does not shelter what is behind it
  int to_pass_;
  int of_king_to_pass_;
  Bitboard ways_;  // where a change concerns other pieces than the king
  // Where it concerns the king if a piece leaves or arrives: any piece, and one that attacks from there.
  Bitboard leave_ = 0;
  Bitboard enter_ = 0;
  AttackOrigins leaves_;
  AttackOrigins enters_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_PERFT_ANSWERS_H_
