// Zobrist keys: a position's identity as the exclusive-or of a random word for each of its parts.

#ifndef KIBITZ_ENGINE_BOARD_ZOBRIST_H_
#define KIBITZ_ENGINE_BOARD_ZOBRIST_H_

#include <array>
#include <cstdint>

#include "engine/board/board.h"
#include "engine/board/types.h"

namespace kibitz {

using Key = std::uint64_t;

namespace zobrist {

struct Words {
  std::array<std::array<std::array<Key, kNumSquares>, kNumPieceTypes>, kNumColors> piece;
  std::array<Key, kNumSquares> castling_rook;
  std::array<Key, 8> en_passant_file;
  Key black_to_move;
};

namespace internal {

// SplitMix64, a public-domain generator whose every output is well mixed. The seed is arbitrary, but another one
// changes the answers of reproducible searches, in which keys have a say.
constexpr Key Next(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

constexpr Words MakeWords() {
  Words words{};
  std::uint64_t state = 0x6b696269747a;  // "kibitz"
  for (auto& color : words.piece) {
    for (auto& type : color) {
      for (Key& word : type) word = Next(state);
    }
  }
  for (Key& word : words.castling_rook) word = Next(state);
  for (Key& word : words.en_passant_file) word = Next(state);
  words.black_to_move = Next(state);
  return words;
}

}  // namespace internal

inline constexpr Words kWords = internal::MakeWords();

constexpr Key OfPiece(Color color, PieceType type, Square square) {
  return kWords.piece[Index(color)][Index(type)][Index(square)];
}

// The part of the key that is not pieces: castling rights, en passant, side to move.
Key OfState(const Board& board);

// The whole key from scratch.
Key Compute(const Board& board);

// The key of the pawns alone, for tables of pawn structure.
Key ComputePawns(const Board& board);

}  // namespace zobrist
}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_ZOBRIST_H_
