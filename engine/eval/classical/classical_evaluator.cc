#include "engine/eval/classical/classical_evaluator.h"

#include <algorithm>
#include <cstdlib>

#include "engine/board/attacks/attacks.h"
#include "engine/eval/classical/attack_map.h"
#include "engine/eval/classical/endgame.h"
#include "engine/eval/classical/king_safety.h"

namespace kibitz {
namespace {

constexpr Bitboard kCenterFiles = 0x3c3c3c3c3c3c3c3c;

// Collects nothing, at no cost.
struct NoTrace {
  void Add(Term, Color, Tapered) {}
};

// One evaluation. Each term is a function of one side; the sum is White's share less Black's.
template <typename WeightsPointer, typename Trace>
class Evaluation {
 public:
  Evaluation(const Position& position, WeightsPointer weights, const PawnStructure& pawns, Trace& trace)
      : board_(position.board()), weights_(weights), pawns_(pawns), trace_(trace), attacks_(board_) {}

  // White's lead over Black.
  Tapered Sum() {
    Tapered sum = Side<Color::kWhite>() - Side<Color::kBlack>();
    // These look at the attacks of both sides, so they come when all pieces have been seen.
    return sum + Late<Color::kWhite>() - Late<Color::kBlack>();
  }

  int Phase() const {
    const int phase = Count(board_.Of(PieceType::kKnight) | board_.Of(PieceType::kBishop)) +
                      2 * Count(board_.Of(PieceType::kRook)) + 4 * Count(board_.Of(PieceType::kQueen));
    return std::min(phase, kFullPhase);
  }

 private:
  template <Color kUs>
  Tapered Note(Term term, Tapered share) {
    trace_.Add(term, kUs, share);
    return share;
  }

  template <Color kUs>
  Tapered Side() {
    mobility_area_ =
        ~(attacks_.by_type[Index(~kUs)][Index(PieceType::kPawn)] |
          (board_.Of(kUs, PieceType::kPawn) & Shift<-Up(kUs)>(board_.Occupied())) | board_.Of(kUs, PieceType::kKing));
    return Pawns<kUs>() + PiecesOf<kUs, PieceType::kKnight>() + PiecesOf<kUs, PieceType::kBishop>() +
           PiecesOf<kUs, PieceType::kRook>() + PiecesOf<kUs, PieceType::kQueen>() + BishopPair<kUs>() + King<kUs>();
  }

  template <Color kUs>
  Tapered Late() {
    return Note<kUs>(Term::kKingSafety, KingSafety<kUs>(board_, attacks_, weights_)) +
           Note<kUs>(Term::kPassedPawns, PassedPawns<kUs>()) + Note<kUs>(Term::kThreats, Threats<kUs>()) +
           Note<kUs>(Term::kSpace, Space<kUs>());
  }

  template <Color kUs>
  Tapered Pawns() {
    const int count = Count(board_.Of(kUs, PieceType::kPawn));
    return Note<kUs>(Term::kMaterial, weights_->material[Index(PieceType::kPawn)] * count) +
           Note<kUs>(Term::kPieceSquares, pawns_.squares[Index(kUs)]) +
           Note<kUs>(Term::kPawns, pawns_.value[Index(kUs)]);
  }

  template <Color kUs>
  Tapered King() {
    return Note<kUs>(Term::kPieceSquares, weights_->PieceSquare(kUs, PieceType::kKing, board_.KingOf(kUs)));
  }

  template <Color kUs>
  Tapered BishopPair() {
    const Bitboard bishops = board_.Of(kUs, PieceType::kBishop);
    const bool pair = (bishops & kLightSquares) != 0 && (bishops & kDarkSquares) != 0;
    return Note<kUs>(Term::kPieces, pair ? weights_->bishop_pair : Tapered());
  }

  // Sliders see through their own kind: a battery attacks as far as its front piece.
  template <Color kUs, PieceType kType>
  Bitboard AttacksOf(Square square) const {
    Bitboard occupied = board_.Occupied();
    if constexpr (kType == PieceType::kBishop) occupied ^= board_.Of(kUs, PieceType::kQueen);
    if constexpr (kType == PieceType::kRook) {
      occupied ^= board_.Of(kUs, PieceType::kRook) | board_.Of(kUs, PieceType::kQueen);
    }
    return AttacksFrom<kType>(square, occupied);
  }

  template <PieceType kType>
  Tapered MobilityValue(int squares) const {
    if constexpr (kType == PieceType::kKnight) return weights_->knight_mobility[squares];
    if constexpr (kType == PieceType::kBishop) return weights_->bishop_mobility[squares];
    if constexpr (kType == PieceType::kRook) return weights_->rook_mobility[squares];
    if constexpr (kType == PieceType::kQueen) return weights_->queen_mobility[squares];
  }

  template <Color kUs, PieceType kType>
  Tapered PiecesOf() {
    Tapered sum;
    for (Square square : Squares(board_.Of(kUs, kType))) {
      const Bitboard attacked = AttacksOf<kUs, kType>(square);
      attacks_.Add(kUs, kType, attacked, weights_->attacker_danger[Index(kType)]);
      const int mobility = Count(attacked & mobility_area_);
      sum += Note<kUs>(Term::kMaterial, weights_->material[Index(kType)]) +
             Note<kUs>(Term::kPieceSquares, weights_->PieceSquare(kUs, kType, square)) +
             Note<kUs>(Term::kMobility, MobilityValue<kType>(mobility));
      if constexpr (kType == PieceType::kKnight || kType == PieceType::kBishop) {
        sum += Note<kUs>(Term::kPieces, Minor<kUs, kType>(square, attacked));
      }
      if constexpr (kType == PieceType::kRook) sum += Note<kUs>(Term::kPieces, Rook<kUs>(square, mobility));
    }
    return sum;
  }

  template <Color kUs, PieceType kType>
  Tapered Minor(Square square, Bitboard attacked) const {
    constexpr Bitboard kOutpostRanks = RelativeRankMask(kUs, 3) | RelativeRankMask(kUs, 4) | RelativeRankMask(kUs, 5);
    const Bitboard outposts =
        kOutpostRanks & attacks_.by_type[Index(kUs)][Index(PieceType::kPawn)] & ~pawns_.spans[Index(~kUs)];
    Tapered value;
    if (Contains(outposts, square)) {
      value += kType == PieceType::kKnight ? weights_->knight_outpost : weights_->bishop_outpost;
    } else if (kType == PieceType::kKnight && (attacked & outposts & ~board_.Of(kUs)) != 0) {
      value += weights_->reachable_outpost;
    }
    if (Contains(Shift<-Up(kUs)>(board_.Of(PieceType::kPawn)), square)) value += weights_->minor_behind_pawn;
    if constexpr (kType == PieceType::kBishop) {
      const Bitboard color = Contains(kLightSquares, square) ? kLightSquares : kDarkSquares;
      value += weights_->bishop_own_pawns * Count(board_.Of(kUs, PieceType::kPawn) & color);
      constexpr Bitboard kCenter = 0x0000001818000000;
      if (MoreThanOne(BishopAttacks(square, board_.Of(PieceType::kPawn)) & kCenter)) {
        value += weights_->bishop_long_diagonal;
      }
    }
    return value;
  }

  template <Color kUs>
  Tapered Rook(Square square, int mobility) const {
    const Bitboard file = FileMask(FileOf(square));
    Tapered value;
    if ((board_.Of(kUs, PieceType::kPawn) & file) == 0) {
      value += (board_.Of(PieceType::kPawn) & file) == 0 ? weights_->rook_open_file : weights_->rook_half_open_file;
    } else if (mobility <= 3) {
      // Shut in by its own king, on the king's side of it.
      const int king_file = FileOf(board_.KingOf(kUs));
      if ((king_file < 4) == (FileOf(square) < king_file)) value += weights_->rook_trapped;
    }
    const bool enemy_to_attack = (board_.Of(~kUs, PieceType::kPawn) & RelativeRankMask(kUs, 6)) != 0 ||
                                 RelativeRank(kUs, RankOf(board_.KingOf(~kUs))) == 7;
    if (RelativeRank(kUs, RankOf(square)) == 6 && enemy_to_attack) value += weights_->rook_seventh;
    return value;
  }

  static int Distance(Square a, Square b) {
    return std::max(std::abs(FileOf(a) - FileOf(b)), std::abs(RankOf(a) - RankOf(b)));
  }

  template <Color kUs>
  Tapered PassedPawns() const {
    Tapered sum;
    for (Square square : Squares(pawns_.passed[Index(kUs)])) {
      const int rank = RelativeRank(kUs, RankOf(square));
      sum += weights_->passed[rank];
      if (rank >= 3) sum += AdvancedPasser<kUs>(square, rank - 2);
    }
    return sum;
  }

  template <Color kUs>
  Tapered AdvancedPasser(Square square, int weight) const {
    const Square step = Offset(square, Up(kUs));
    Tapered value = weights_->passed_enemy_king * (weight * std::min(5, Distance(step, board_.KingOf(~kUs)))) +
                    weights_->passed_our_king * (weight * std::min(5, Distance(step, board_.KingOf(kUs))));
    if (!Contains(board_.Occupied(), step)) {
      value += weights_->passed_free_step * weight;
      const Bitboard path = FrontFill<kUs>(Bit(square));
      const Bitboard guarded = attacks_.all[Index(~kUs)] | board_.Of(~kUs);
      if ((path & guarded) == 0) {
        value += weights_->passed_safe_path * weight;
      } else if (!Contains(guarded, step)) {
        value += weights_->passed_safe_step * weight;
      }
      if (Contains(attacks_.all[Index(kUs)], step)) value += weights_->passed_defended_step * weight;
    }
    const Bitboard behind = FrontFill<~kUs>(Bit(square));
    if (behind & board_.Of(kUs, PieceType::kRook)) value += weights_->passed_rook_behind;
    return value;
  }

  template <Color kUs>
  Tapered Threats() const {
    constexpr int kOur = Index(kUs);
    constexpr int kTheir = Index(~kUs);
    const auto theirs = [&](PieceType type) { return board_.Of(~kUs, type); };
    const auto our_attacks = [&](PieceType type) { return attacks_.by_type[kOur][Index(type)]; };
    const Bitboard minors = theirs(PieceType::kKnight) | theirs(PieceType::kBishop);
    const Bitboard by_pawn = our_attacks(PieceType::kPawn);
    const Bitboard by_minor = our_attacks(PieceType::kKnight) | our_attacks(PieceType::kBishop);
    Tapered sum = weights_->pawn_threatens_minor * Count(by_pawn & minors) +
                  weights_->pawn_threatens_rook * Count(by_pawn & theirs(PieceType::kRook)) +
                  weights_->pawn_threatens_queen * Count(by_pawn & theirs(PieceType::kQueen)) +
                  weights_->minor_threatens_rook * Count(by_minor & theirs(PieceType::kRook)) +
                  weights_->minor_threatens_queen * Count(by_minor & theirs(PieceType::kQueen)) +
                  weights_->rook_threatens_queen * Count(our_attacks(PieceType::kRook) & theirs(PieceType::kQueen));
    const Bitboard guarded = attacks_.by_type[kTheir][Index(PieceType::kPawn)];
    sum += weights_->minor_threatens_minor * Count(by_minor & minors & ~guarded);
    // Attacked and not defended, or attacked twice and defended once.
    const Bitboard loose = ~attacks_.all[kTheir] | (attacks_.twice[kOur] & ~attacks_.twice[kTheir] & ~guarded);
    const Bitboard hanging = board_.Of(~kUs) & attacks_.all[kOur] & loose;
    sum += weights_->hanging_piece * Count(hanging & ~theirs(PieceType::kPawn)) +
           weights_->hanging_pawn * Count(hanging & theirs(PieceType::kPawn));
    if (our_attacks(PieceType::kKing) & board_.Of(~kUs) & ~attacks_.all[kTheir]) sum += weights_->king_threatens;
    // Pawns that could attack a piece by one safe step.
    const Bitboard free = ~board_.Occupied();
    Bitboard pushes = Shift<Up(kUs)>(board_.Of(kUs, PieceType::kPawn)) & free;
    pushes |= Shift<Up(kUs)>(pushes & RelativeRankMask(kUs, 2)) & free;
    pushes &= ~guarded & (attacks_.all[kOur] | ~attacks_.all[kTheir]);
    const Bitboard pieces = board_.Of(~kUs) & ~theirs(PieceType::kPawn);
    return sum + weights_->push_threat * Count(PawnSetAttacks<kUs>(pushes) & pieces & ~by_pawn);
  }

  template <Color kUs>
  Tapered Space() const {
    constexpr Bitboard kArea =
        kCenterFiles & (RelativeRankMask(kUs, 1) | RelativeRankMask(kUs, 2) | RelativeRankMask(kUs, 3));
    const Bitboard pawns = board_.Of(kUs, PieceType::kPawn);
    const Bitboard safe = kArea & ~pawns & ~attacks_.by_type[Index(~kUs)][Index(PieceType::kPawn)];
    const Bitboard behind = safe & FrontFill<~kUs>(pawns);
    const int pieces = Count(board_.Of(kUs) & ~pawns);
    return Tapered(weights_->space.middlegame() * (Count(safe) + Count(behind)) * pieces / 16, 0);
  }

  const Board& board_;
  [[no_unique_address]] const WeightsPointer weights_;
  const PawnStructure& pawns_;
  Trace& trace_;
  AttackMap attacks_;
  Bitboard mobility_area_ = 0;
};

struct Assembled {
  int phase;
  int scale;
  int lead;  // White's
  int value;
};

// Middlegame and endgame by the phase, the endgame's lead by what can be won of it.
Assembled Assemble(const Position& position, Tapered lead, int phase, int tempo) {
  const Color stronger = lead.endgame() >= 0 ? Color::kWhite : Color::kBlack;
  const int scale = EndgameScale(position.board(), stronger);
  const int progress = MatingProgress(position.board(), stronger) * (stronger == Color::kWhite ? 1 : -1);
  const int endgame = lead.endgame() * scale / kFullScale + progress;
  // What cannot be won is a draw, however it looks.
  const int middlegame = scale == 0 ? 0 : lead.middlegame();
  const int white_lead = (middlegame * phase + endgame * (kFullPhase - phase)) / kFullPhase;
  int value = position.side_to_move() == Color::kWhite ? white_lead : -white_lead;
  // A game that goes nowhere fades to a draw.
  value = DampByClock(value, position.halfmove_clock());
  return {phase, scale, white_lead, value + tempo};
}

}  // namespace

int ClassicalEvaluator::Evaluate(const Position& position) {
  constexpr OwnWeights kWeights;
  NoTrace trace;
  Evaluation evaluation(position, kWeights, pawns_.Get(position), trace);
  return Assemble(position, evaluation.Sum(), evaluation.Phase(), kWeights->tempo).value;
}

EvaluationTrace ExplainEvaluation(const Position& position, const EvaluationWeights& weights) {
  EvaluationTrace trace;
  const PawnStructure pawns = AnalyzePawns(position.board(), &weights);
  Evaluation evaluation(position, &weights, pawns, trace);
  const Assembled assembled = Assemble(position, evaluation.Sum(), evaluation.Phase(), weights.tempo);
  trace.phase = assembled.phase;
  trace.scale = assembled.scale;
  trace.lead = assembled.lead;
  trace.tempo = weights.tempo;
  trace.value = assembled.value;
  return trace;
}

EvaluatorKind ClassicalKind() {
  return {"classical", sizeof(ClassicalEvaluator) + PawnTable::kBytes,
          [] { return std::make_unique<ClassicalEvaluator>(); }};
}

}  // namespace kibitz
