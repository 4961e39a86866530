// The letters of pieces and squares, as FEN, SAN and UCI write them.

#ifndef KIBITZ_ENGINE_BOARD_LETTERS_H_
#define KIBITZ_ENGINE_BOARD_LETTERS_H_

#include <optional>
#include <string_view>

#include "engine/board/types.h"

namespace kibitz {

inline constexpr std::string_view kPieceLetters = "PNBRQK";

// Upper case, as in SAN.
constexpr char LetterOf(PieceType type) { return kPieceLetters[Index(type)]; }

// Upper case for White, lower case for Black, as in FEN.
constexpr char LetterOf(Piece piece) {
  const char letter = LetterOf(piece.type());
  return piece.color() == Color::kWhite ? letter : static_cast<char>(letter - 'A' + 'a');
}

// The halves of a square's name: "e4".
constexpr char FileLetter(Square square) { return static_cast<char>('a' + FileOf(square)); }
constexpr char RankDigit(Square square) { return static_cast<char>('1' + RankOf(square)); }

// The kind of an upper-case letter.
constexpr std::optional<PieceType> TypeOfLetter(char letter) {
  const std::size_t index = kPieceLetters.find(letter);
  if (index == std::string_view::npos) return std::nullopt;
  return static_cast<PieceType>(index);
}

constexpr std::optional<Piece> PieceOfLetter(char letter) {
  const bool black = letter >= 'a' && letter <= 'z';
  const std::optional<PieceType> type = TypeOfLetter(black ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (!type) return std::nullopt;
  return Piece(black ? Color::kBlack : Color::kWhite, *type);
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_LETTERS_H_
