#include "engine/tuning/start.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/bitboard.h"
#include "engine/board/movegen.h"
#include "engine/book/polyglot_book.h"

namespace kibitz::tuning {
namespace {

constexpr int kRandomPlies = 8;
constexpr int kBookPlies = 10;
constexpr int kPliesAfterBook = 3;
constexpr int kMaxTakenOff = 3;

int Below(std::mt19937_64& random, int bound) { return static_cast<int>(random() % static_cast<std::uint64_t>(bound)); }

void PlayRandomMoves(Position& position, int plies, std::mt19937_64& random) {
  for (int ply = 0; ply < plies; ++ply) {
    const MoveList moves = LegalMoves(position);
    if (moves.empty()) return;
    position.MakeMove(moves[Below(random, moves.size())]);
  }
}

// One more or less by turns, so that either side is to move.
int AboutPlies(int plies, std::mt19937_64& random) { return plies + Below(random, 2); }

void PlayBookMoves(Position& position, const PolyglotBook& book, std::mt19937_64& random) {
  for (int ply = AboutPlies(kBookPlies, random); ply > 0; --ply) {
    const std::optional<Move> move = book.PickMove(position, random());
    if (!move) return;
    position.MakeMove(*move);
  }
}

// The same pieces for both sides, bishops on either colour, the king between the rooks.
absl::StatusOr<Position> DrawChess960(std::mt19937_64& random) {
  std::array<PieceType, 8> rank{};
  rank.fill(PieceType::kNone);
  rank[static_cast<std::size_t>(Below(random, 4) * 2)] = PieceType::kBishop;
  rank[static_cast<std::size_t>(Below(random, 4) * 2 + 1)] = PieceType::kBishop;
  const auto place = [&rank](int nth, PieceType type) {
    for (PieceType& here : rank) {
      if (here == PieceType::kNone && nth-- == 0) {
        here = type;
        return;
      }
    }
  };
  place(Below(random, 6), PieceType::kQueen);
  place(Below(random, 5), PieceType::kKnight);
  place(Below(random, 4), PieceType::kKnight);
  for (const PieceType type : {PieceType::kRook, PieceType::kKing, PieceType::kRook}) place(0, type);
  Setup setup;
  setup.variant = Variant::kChess960;
  for (int file = 0; file < 8; ++file) {
    for (const Color color : {Color::kWhite, Color::kBlack}) {
      const bool white = color == Color::kWhite;
      const PieceType type = rank[static_cast<std::size_t>(file)];
      const Bitboard back = Bit(MakeSquare(file, white ? 0 : 7));
      const Bitboard pawn = Bit(MakeSquare(file, white ? 1 : 6));
      setup.board.by_color[Index(color)] |= back | pawn;
      setup.board.by_type[Index(type)] |= back;
      setup.board.by_type[Index(PieceType::kPawn)] |= pawn;
      if (type == PieceType::kRook) setup.board.castling_rooks |= back;
    }
  }
  return Position::FromSetup(setup);
}

void TakeOff(Board& board, Square square) {
  for (Bitboard& set : board.by_color) set &= ~Bit(square);
  for (Bitboard& set : board.by_type) set &= ~Bit(square);
  board.castling_rooks &= ~Bit(square);
}

// Without some of its pieces, of either side.
absl::StatusOr<Position> Unbalance(const Position& position, std::mt19937_64& random) {
  Setup setup{.board = position.board(), .variant = position.variant(), .halfmove_clock = 0, .fullmove_number = 1};
  setup.board.en_passant = Square::kNone;
  for (int taken = 1 + Below(random, kMaxTakenOff); taken > 0; --taken) {
    std::vector<Square> squares;
    for (Square square : Squares(setup.board.Occupied() & ~setup.board.Of(PieceType::kKing))) squares.push_back(square);
    TakeOff(setup.board, squares[static_cast<std::size_t>(Below(random, static_cast<int>(squares.size())))]);
  }
  return Position::FromSetup(setup);
}

// Two kings, up to three pieces and six pawns a side. Where they may not stand so, an error.
absl::StatusOr<Position> DrawEndgame(std::mt19937_64& random) {
  Setup setup;
  const auto place = [&](Color color, PieceType type) {
    const bool is_pawn = type == PieceType::kPawn;
    const Square square = SquareAt(is_pawn ? 8 + Below(random, 48) : Below(random, 64));
    if ((setup.board.Occupied() & Bit(square)) != 0) return;
    setup.board.by_color[Index(color)] |= Bit(square);
    setup.board.by_type[Index(type)] |= Bit(square);
  };
  constexpr std::array kPieces = {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kQueen};
  const int pieces = Below(random, 4);
  const int pawns = Below(random, 7);
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    place(color, PieceType::kKing);
    for (int i = 0; i < pieces; ++i) place(color, kPieces[static_cast<std::size_t>(Below(random, 4))]);
    for (int i = pawns + Below(random, 2); i > 0; --i) place(color, PieceType::kPawn);
  }
  setup.board.side_to_move = static_cast<Color>(Below(random, 2));
  return Position::FromSetup(setup);
}

absl::StatusOr<Position> Draw(StartKind kind, const PolyglotBook* book, std::mt19937_64& random) {
  if (kind == StartKind::kEndgame) return DrawEndgame(random);
  Position position;
  int plies = AboutPlies(kRandomPlies, random);
  if (kind == StartKind::kBook && book != nullptr) {
    PlayBookMoves(position, *book, random);
    plies = AboutPlies(kPliesAfterBook, random);
  }
  if (kind == StartKind::kChess960) {
    absl::StatusOr<Position> start = DrawChess960(random);
    if (!start.ok()) return start;
    position = *std::move(start);
  }
  PlayRandomMoves(position, plies, random);
  return kind == StartKind::kImbalanced ? Unbalance(position, random) : position;
}

}  // namespace

StartKind DrawStartKind(std::mt19937_64& random) {
  int lot = Below(random, 100);
  int kind = 0;
  while (kind + 1 < kNumStartKinds && lot >= kStartShares[static_cast<std::size_t>(kind)]) {
    lot -= kStartShares[static_cast<std::size_t>(kind++)];
  }
  return static_cast<StartKind>(kind);
}

Position DrawStart(StartKind kind, const PolyglotBook* book, std::mt19937_64& random) {
  while (true) {
    absl::StatusOr<Position> position = Draw(kind, book, random);
    if (position.ok() && position->Status() == GameStatus::kOngoing) return *std::move(position);
  }
}

}  // namespace kibitz::tuning
