#include "engine/board/picture.h"

#include "engine/board/letters.h"

namespace kibitz {
namespace {

template <typename SquareText>
std::string Picture(SquareText text_of) {
  std::string picture;
  for (int rank = 7; rank >= 0; --rank) {
    picture += static_cast<char>('1' + rank);
    picture += ' ';
    for (int file = 0; file < 8; ++file) {
      picture += ' ';
      picture += text_of(MakeSquare(file, rank));
    }
    picture += '\n';
  }
  return picture + "\n   a b c d e f g h\n";
}

}  // namespace

std::string BoardPicture(const Board& board) {
  return Picture([&](Square square) {
    const Piece piece = board.At(square);
    return piece.IsNone() ? '.' : LetterOf(piece);
  });
}

std::string BitboardPicture(Bitboard set) {
  return Picture([&](Square square) { return Contains(set, square) ? '1' : '.'; });
}

}  // namespace kibitz
