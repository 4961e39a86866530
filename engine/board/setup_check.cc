#include "engine/board/setup_check.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/play.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

constexpr absl::string_view Name(Color color) { return color == Color::kWhite ? "White" : "Black"; }

template <typename... Parts>
absl::Status Fault(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// No text can say that two pieces share a square, but a Setup filled in by hand can.
absl::Status CheckSquares(const Board& board) {
  Bitboard pieces = 0;
  Bitboard wrong = board.Of(Color::kWhite) & board.Of(Color::kBlack);
  for (Bitboard set : board.by_type) {
    wrong |= pieces & set;
    pieces |= set;
  }
  wrong |= pieces ^ board.Occupied();
  if (wrong == 0) return absl::OkStatus();
  return Fault("the bitboards contradict each other on ", ToString(First(wrong)));
}

absl::Status CheckKings(const Board& board) {
  for (Color color : {Color::kWhite, Color::kBlack}) {
    const int kings = Count(board.Of(color, PieceType::kKing));
    if (kings == 0) return Fault(Name(color), " has no king");
    if (kings > 1) return Fault(Name(color), " has ", kings, " kings");
  }
  return absl::OkStatus();
}

// Every piece beyond the first set is a promoted pawn. This bounds the number of legal moves, and so every move list.
absl::Status CheckMaterial(const Board& board) {
  if (board.Of(PieceType::kPawn) & (kRank1 | kRank8)) {
    return Fault("a pawn stands on ", ToString(First(board.Of(PieceType::kPawn) & (kRank1 | kRank8))),
                 ": no pawn can stand on the first or last rank");
  }
  for (Color color : {Color::kWhite, Color::kBlack}) {
    const auto count = [&](PieceType type) { return Count(board.Of(color, type)); };
    const int pawns = count(PieceType::kPawn);
    if (pawns > 8) return Fault(Name(color), " has ", pawns, " pawns: at most 8 are possible");
    const int promoted = std::max(0, count(PieceType::kKnight) - 2) + std::max(0, count(PieceType::kBishop) - 2) +
                         std::max(0, count(PieceType::kRook) - 2) + std::max(0, count(PieceType::kQueen) - 1);
    if (promoted > 8 - pawns) {
      return Fault(Name(color), " has ", promoted, " promoted pieces but only ", 8 - pawns, " missing pawns");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckCastling(const Setup& setup) {
  const Board& board = setup.board;
  if (board.castling_rooks & ~board.Of(PieceType::kRook)) return Fault("castling rights without a rook");
  for (Color color : {Color::kWhite, Color::kBlack}) {
    const Bitboard rooks = board.castling_rooks & board.Of(color);
    if (rooks == 0) continue;
    const Square king = board.KingOf(color);
    const int back_rank = RelativeRank(color, 0);
    if (rooks & ~RankMask(back_rank)) return Fault(Name(color), " cannot castle with a rook off its first rank");
    const bool king_at_home = setup.variant == Variant::kStandard
                                  ? king == MakeSquare(4, back_rank)
                                  : RankOf(king) == back_rank && FileOf(king) != 0 && FileOf(king) != 7;
    if (!king_at_home) {
      return Fault(Name(color), " cannot castle: its king on ", ToString(king), " has left its first square");
    }
    const Bitboard lower = rooks & (Bit(king) - 1);
    if (MoreThanOne(lower) || MoreThanOne(rooks & ~lower)) {
      return Fault(Name(color), " has two castling rights on one side");
    }
    if (setup.variant == Variant::kStandard && (rooks & ~(kFileA | kFileH))) {
      return Fault(Name(color), " cannot castle: in standard chess the rook comes from the a- or h-file");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEnPassant(const Board& board) {
  const Square target = board.en_passant;
  if (target == Square::kNone) return absl::OkStatus();
  const Color us = board.side_to_move;
  const std::string name = ToString(target);
  if (RelativeRank(us, RankOf(target)) != 5) {
    return Fault("en-passant square ", name, " is not on rank ", us == Color::kWhite ? 6 : 3, ", with ", Name(us),
                 " to move");
  }
  const Square pawn = Offset(target, -Up(us));
  const Square origin = Offset(target, Up(us));
  if (!Contains(board.Of(~us, PieceType::kPawn), pawn)) {
    return Fault("en-passant square ", name, " without a ", Name(~us), " pawn on ", ToString(pawn));
  }
  if (Contains(board.Occupied(), target)) return Fault("en-passant square ", name, " is occupied");
  if (Contains(board.Occupied(), origin)) {
    return Fault("en-passant square ", name, ", but ", ToString(origin), ", where the pawn came from, is occupied");
  }
  return absl::OkStatus();
}

absl::Status CheckTurn(const Board& board) {
  const Color them = ~board.side_to_move;
  if (!board.IsAttacked(board.KingOf(them), board.side_to_move, board.Occupied())) return absl::OkStatus();
  return Fault(Name(them), "'s king is in check, but it is ", Name(board.side_to_move), "'s move");
}

absl::Status CheckClocks(const Setup& setup) {
  if (setup.halfmove_clock < 0) return Fault("the halfmove clock is negative");
  if (setup.fullmove_number < 0) return Fault("the move number is negative");
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckSetup(const Setup& setup) {
  // The order matters: later checks take for granted what earlier ones have shown.
  absl::Status status = CheckSquares(setup.board);
  status.Update(CheckKings(setup.board));
  status.Update(CheckMaterial(setup.board));
  if (!status.ok()) return status;
  status.Update(CheckTurn(setup.board));
  status.Update(CheckCastling(setup));
  status.Update(CheckEnPassant(setup.board));
  status.Update(CheckClocks(setup));
  return status;
}

bool HasLegalEnPassant(const Board& board) {
  const Color us = board.side_to_move;
  for (Square from : Squares(PawnAttacks(~us, board.en_passant) & board.Of(us, PieceType::kPawn))) {
    if (IsLegalEnPassant(board, from, board.en_passant)) return true;
  }
  return false;
}

}  // namespace kibitz
