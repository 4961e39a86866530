// A legal chess position with the game that led to it.

#ifndef KIBITZ_ENGINE_BOARD_POSITION_H_
#define KIBITZ_ENGINE_BOARD_POSITION_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/board.h"
#include "engine/board/move.h"
#include "engine/board/types.h"
#include "engine/board/zobrist.h"

namespace kibitz {

// A position as somebody wrote it down: not checked. See Position::FromSetup.
struct Setup {
  Board board;
  Variant variant = Variant::kStandard;
  int halfmove_clock = 0;
  int fullmove_number = 1;
};

// How a game stands.
enum class GameStatus : std::uint8_t {
  kOngoing,
  kCheckmate,
  kStalemate,
  kThreefoldRepetition,  // may be claimed
  kFivefoldRepetition,   // a draw without a claim
  kFiftyMoves,           // may be claimed
  kSeventyFiveMoves,     // a draw without a claim
  kDeadPosition,         // nobody can mate any more
};

// Always legal: it is built from a checked Setup and changed by legal moves only.
class Position {
 public:
  // The standard starting position.
  Position();

  // Checks every rule of a legal position (see setup_check.h), or says what is wrong. An en-passant square that no
  // legal capture uses is dropped, as if it had not been given.
  static absl::StatusOr<Position> FromSetup(const Setup& setup);

  const Board& board() const { return board_; }
  Color side_to_move() const { return board_.side_to_move; }
  Variant variant() const { return variant_; }
  Piece PieceOn(Square square) const { return mailbox_[Index(square)]; }
  int halfmove_clock() const { return state_.halfmove_clock; }
  int fullmove_number() const { return fullmove_number_; }
  Key key() const { return state_.key; }
  Key pawn_key() const { return state_.pawn_key; }
  // The pieces that give check to the side to move.
  Bitboard checkers() const { return state_.checkers; }
  bool InCheck() const { return state_.checkers != 0; }

  bool IsCapture(Move move) const;
  bool IsLegal(Move move) const;
  bool GivesCheck(Move move) const;

  // Plays a legal move, and takes the last one back, given the same move.
  void MakeMove(Move move);
  void UnmakeMove(Move move);
  // Passes. Not allowed in check.
  void MakeNullMove();
  void UnmakeNullMove();

  // Drops the moves that can be taken back, but not the memory of repetitions, so that a long game costs little.
  void ForgetUndo();

  // How many times this position has stood since the last capture or pawn move, this time included.
  int Repetitions() const;
  // Whether this position, or one since the last capture or pawn move, has stood twice: then a third time is near, and
  // what is best hangs on the game and not on the position alone.
  bool HasRepeated() const;
  // Whether a search at `ply` moves below its root should call this a draw: the position stood before below the root,
  // or twice before in the whole game.
  bool IsRepetition(int ply) const;
  // Neither side has the pieces to mate: bare kings, one minor piece, or bishops of one square colour only.
  bool HasInsufficientMaterial() const;
  bool HasLegalMove() const;
  GameStatus Status() const;

 private:
  // What a move changes and cannot be told from the move itself.
  struct State {
    Key key = 0;
    Key pawn_key = 0;
    Bitboard checkers = 0;
    int halfmove_clock = 0;
    int plies_since_null = 1 << 30;  // no null move yet
  };
  struct Undo {
    Board board;
    State state;
    Piece captured;
  };

  explicit Position(const Setup& checked);
  void TakeBack();

  Board board_;
  std::array<Piece, kNumSquares> mailbox_;
  State state_;
  int fullmove_number_ = 1;
  Variant variant_ = Variant::kStandard;
  std::vector<Undo> undo_;
  // The keys of all earlier positions, oldest first.
  std::vector<Key> earlier_keys_;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_POSITION_H_
