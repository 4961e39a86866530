#include "engine/board/position.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/board/movegen.h"
#include "engine/board/play.h"
#include "engine/board/setup_check.h"

namespace kibitz {
namespace {

Setup StartSetup() {
  Setup setup;
  Board& board = setup.board;
  const auto on_back_ranks = [](Bitboard files) { return files | files << 56; };
  board.by_color = {0xffffULL, 0xffffULL << 48};
  board.by_type = {0xffULL << 8 | 0xffULL << 48, on_back_ranks(0x42), on_back_ranks(0x24),
                   on_back_ranks(0x81),          on_back_ranks(0x08), on_back_ranks(0x10)};
  board.castling_rooks = on_back_ranks(0x81);
  return setup;
}

// What a capture takes: the pawn beside it en passant, else the piece on the destination.
Piece CapturedBy(const Position& position, Move move) {
  switch (move.kind()) {
    case Move::Kind::kCastling:
      return Piece();
    case Move::Kind::kEnPassant:
      return Piece(~position.side_to_move(), PieceType::kPawn);
    default:
      return position.PieceOn(move.to());
  }
}

// Whether a piece may go to a square that none of its own side holds, kings and pins apart, by a plain move.
bool CanReach(const Board& board, Piece piece, Square from, Square to) {
  if (piece.type() != PieceType::kPawn) return Contains(AttacksFrom(piece.type(), from, board.Occupied()), to);
  const Color us = piece.color();
  if (RelativeRank(us, RankOf(to)) == 7) return false;
  if (Contains(PawnAttacks(us, from), to)) return Contains(board.Of(~us), to);
  const Square step = Offset(from, Up(us));
  if (Contains(board.Occupied(), step)) return false;
  return to == step ||
         (RelativeRank(us, RankOf(from)) == 1 && to == Offset(step, Up(us)) && !Contains(board.Occupied(), to));
}

Square CaptureSquare(Move move, Color us) {
  return move.kind() == Move::Kind::kEnPassant ? Offset(move.to(), -Up(us)) : move.to();
}

}  // namespace

Position::Position() {
  static const Position start = *FromSetup(StartSetup());
  *this = start;
}

Position::Position(const Setup& setup)
    : board_(setup.board), fullmove_number_(std::max(1, setup.fullmove_number)), variant_(setup.variant) {
  if (board_.en_passant != Square::kNone && !HasLegalEnPassant(board_)) board_.en_passant = Square::kNone;
  for (int square = 0; square < kNumSquares; ++square) mailbox_[square] = board_.At(SquareAt(square));
  state_.key = zobrist::Compute(board_);
  state_.pawn_key = zobrist::ComputePawns(board_);
  state_.checkers = board_.Checkers();
  state_.halfmove_clock = setup.halfmove_clock;
}

absl::StatusOr<Position> Position::FromSetup(const Setup& setup) {
  if (absl::Status status = CheckSetup(setup); !status.ok()) return status;
  return Position(setup);
}

bool Position::IsCapture(Move move) const { return !CapturedBy(*this, move).IsNone(); }

bool Position::IsLegal(Move move) const {
  // The odd kinds are rare, and asked about rarely.
  if (move.kind() != Move::Kind::kNormal) return LegalMoves(board_).Contains(move);
  if ((move.bits() & Move::kPromotionBits) != 0) return false;
  const Color us = side_to_move();
  const Square from = move.from();
  const Square to = move.to();
  const Piece piece = PieceOn(from);
  if (piece.IsNone() || piece.color() != us || Contains(board_.Of(us), to)) return false;
  if (!CanReach(board_, piece, from, to)) return false;

  const Square king = board_.KingOf(us);
  if (piece.type() == PieceType::kKing) return !board_.IsAttacked(to, ~us, board_.Occupied() ^ Bit(from));
  if (InCheck()) {
    if (MoreThanOne(checkers())) return false;
    if (!Contains(Between(king, First(checkers())) | checkers(), to)) return false;
  }
  return !Contains(board_.Pinned(), from) || Contains(Line(king, from), to);
}

bool Position::GivesCheck(Move move) const {
  const PieceType type = PieceOn(move.from()).type();
  if (move.kind() != Move::Kind::kNormal) return After(board_, move, type).Checkers() != 0;
  const Color us = side_to_move();
  const Square king = board_.KingOf(~us);
  const Bitboard occupied = (board_.Occupied() & ~Bit(move.from())) | Bit(move.to());
  const Bitboard attacked =
      type == PieceType::kPawn ? PawnAttacks(us, move.to()) : AttacksFrom(type, move.to(), occupied);
  if (Contains(attacked, king)) return true;
  // A piece that leaves a line to the king may open it for one behind.
  if (Line(king, move.from()) == 0) return false;
  const Bitboard ours = board_.Of(us) & ~Bit(move.from());
  const Bitboard queens = board_.Of(PieceType::kQueen);
  return (RookAttacks(king, occupied) & ours & (board_.Of(PieceType::kRook) | queens)) != 0 ||
         (BishopAttacks(king, occupied) & ours & (board_.Of(PieceType::kBishop) | queens)) != 0;
}

void Position::MakeMove(Move move) {
  const Color us = side_to_move();
  const Piece moved = PieceOn(move.from());
  const Piece captured = CapturedBy(*this, move);
  undo_.push_back({board_, state_, captured});
  earlier_keys_.push_back(state_.key);

  const Board next = After(board_, move, moved.type());
  Key key = state_.key;
  const auto remove = [&](Piece piece, Square square) {
    mailbox_[Index(square)] = Piece();
    key ^= zobrist::OfPiece(piece.color(), piece.type(), square);
    if (piece.type() == PieceType::kPawn) state_.pawn_key ^= zobrist::OfPiece(piece.color(), piece.type(), square);
  };
  const auto put = [&](Piece piece, Square square) {
    mailbox_[Index(square)] = piece;
    key ^= zobrist::OfPiece(piece.color(), piece.type(), square);
    if (piece.type() == PieceType::kPawn) state_.pawn_key ^= zobrist::OfPiece(piece.color(), piece.type(), square);
  };

  if (!captured.IsNone()) remove(captured, CaptureSquare(move, us));
  remove(moved, move.from());
  if (move.kind() == Move::Kind::kCastling) {
    const CastlingMove castling(move.from(), move.to());
    const Piece rook(us, PieceType::kRook);
    remove(rook, move.to());
    put(moved, castling.king_to);
    put(rook, castling.rook_to);
  } else {
    put(move.kind() == Move::Kind::kPromotion ? Piece(us, move.promotion()) : moved, move.to());
  }
  state_.key = key ^ zobrist::OfState(board_) ^ zobrist::OfState(next);
  board_ = next;
  state_.checkers = board_.Checkers();
  const bool irreversible = !captured.IsNone() || moved.type() == PieceType::kPawn;
  state_.halfmove_clock = irreversible ? 0 : state_.halfmove_clock + 1;
  ++state_.plies_since_null;
  if (us == Color::kBlack) ++fullmove_number_;
}

void Position::UnmakeMove(Move move) {
  const Undo& undo = undo_.back();
  const Color us = ~side_to_move();
  if (move.kind() == Move::Kind::kCastling) {
    const CastlingMove castling(move.from(), move.to());
    mailbox_[Index(castling.king_to)] = Piece();
    mailbox_[Index(castling.rook_to)] = Piece();
    mailbox_[Index(move.from())] = Piece(us, PieceType::kKing);
    mailbox_[Index(move.to())] = Piece(us, PieceType::kRook);
  } else {
    const Piece moved = move.kind() == Move::Kind::kPromotion ? Piece(us, PieceType::kPawn) : PieceOn(move.to());
    mailbox_[Index(move.to())] = Piece();
    mailbox_[Index(CaptureSquare(move, us))] = undo.captured;
    mailbox_[Index(move.from())] = moved;
  }
  TakeBack();
  if (us == Color::kBlack) --fullmove_number_;
}

void Position::MakeNullMove() {
  undo_.push_back({board_, state_, Piece()});
  earlier_keys_.push_back(state_.key);
  const Key before = zobrist::OfState(board_);
  board_.side_to_move = ~board_.side_to_move;
  board_.en_passant = Square::kNone;
  state_.key ^= before ^ zobrist::OfState(board_);
  ++state_.halfmove_clock;
  state_.plies_since_null = 0;
}

void Position::UnmakeNullMove() { TakeBack(); }

void Position::TakeBack() {
  board_ = undo_.back().board;
  state_ = undo_.back().state;
  undo_.pop_back();
  earlier_keys_.pop_back();
}

void Position::ForgetUndo() { undo_.clear(); }

bool Position::HasRepeated() const {
  const auto reversible = static_cast<std::ptrdiff_t>(
      std::min<std::size_t>(earlier_keys_.size(), static_cast<std::size_t>(state_.halfmove_clock)));
  std::vector<Key> keys(earlier_keys_.end() - reversible, earlier_keys_.end());
  keys.push_back(state_.key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

int Position::Repetitions() const {
  const int reach = std::min({state_.halfmove_clock, state_.plies_since_null, static_cast<int>(earlier_keys_.size())});
  int times = 1;
  for (int back = 4; back <= reach; back += 2) {
    if (earlier_keys_[earlier_keys_.size() - back] == state_.key) ++times;
  }
  return times;
}

bool Position::IsRepetition(int ply) const {
  const int reach = std::min({state_.halfmove_clock, state_.plies_since_null, static_cast<int>(earlier_keys_.size())});
  bool seen_in_game = false;
  for (int back = 4; back <= reach; back += 2) {
    if (earlier_keys_[earlier_keys_.size() - back] != state_.key) continue;
    if (back < ply || seen_in_game) return true;
    seen_in_game = true;
  }
  return false;
}

bool Position::HasInsufficientMaterial() const {
  const Bitboard kings = board_.Of(PieceType::kKing);
  const Bitboard pieces = board_.Occupied() & ~kings;
  if (!MoreThanOne(pieces)) return (pieces & ~board_.Of(PieceType::kKnight) & ~board_.Of(PieceType::kBishop)) == 0;
  const Bitboard bishops = board_.Of(PieceType::kBishop);
  return pieces == bishops && ((bishops & kLightSquares) == 0 || (bishops & kDarkSquares) == 0);
}

bool Position::HasLegalMove() const { return CountLegalMoves(board_) != 0; }

GameStatus Position::Status() const {
  // Mate and stalemate end the game before any rule about draws is asked.
  if (!HasLegalMove()) return InCheck() ? GameStatus::kCheckmate : GameStatus::kStalemate;
  if (HasInsufficientMaterial()) return GameStatus::kDeadPosition;
  const int repetitions = Repetitions();
  if (repetitions >= 5) return GameStatus::kFivefoldRepetition;
  if (state_.halfmove_clock >= 150) return GameStatus::kSeventyFiveMoves;
  if (repetitions >= 3) return GameStatus::kThreefoldRepetition;
  if (state_.halfmove_clock >= 100) return GameStatus::kFiftyMoves;
  return GameStatus::kOngoing;
}

}  // namespace kibitz
