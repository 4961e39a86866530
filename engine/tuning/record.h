// A position with what a search thought of it, in 32 bytes: what nets and weights learn from.

#ifndef KIBITZ_ENGINE_TUNING_RECORD_H_
#define KIBITZ_ENGINE_TUNING_RECORD_H_

#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "absl/status/statusor.h"
#include "engine/board/position.h"

namespace kibitz::tuning {

// Where a position came from.
enum class Origin : std::uint8_t {
  kGame,     // of a game, searched as its moves are
  kSibling,  // beside a game: one of its positions and a random move
};

// What is known of a position, all from White's point of view.
struct Label {
  int value = 0;                   // of the search, in centipawns as it reports them
  std::optional<double> result{};  // of its game: 1 when White won, 0.5 for a draw, 0 when Black won; nothing: unknown
  Origin origin = Origin::kGame;
};

// Written to files as it lies in memory, so little-endian.
struct Record {
  // What stands on a square, in four bits. A rook that may castle and a pawn that may be taken in passing have codes of
  // their own, so that nothing else has to tell of rights.
  enum Code : std::uint8_t {
    kWhitePieces = 0,  // and the type of the piece
    kBlackPieces = 6,
    kWhiteCastlingRook = 12,
    kBlackCastlingRook = 13,
    kPassingPawn = 14,  // of the side that has just moved
  };

  std::uint64_t occupied = 0;
  std::array<std::uint8_t, 16> pieces{};  // by the squares of `occupied`, the first in the low bits
  std::int16_t value = 0;
  std::uint16_t fullmove_number = 1;
  std::uint8_t halfmove_clock = 0;
  std::uint8_t side_to_move = 0;
  std::uint8_t variant = 0;
  std::uint8_t flags = 0;  // the result in two bits, the origin in one, kLoud

  static constexpr int kMaxValue = 32'000;
  static constexpr std::uint8_t kNoResult = 3;
  static constexpr std::uint8_t kLoud = 8;

  int CodeAt(int piece) const { return pieces[static_cast<std::size_t>(piece / 2)] >> (piece % 2 * 4) & 15; }
  // 0, 1 or 2 half points of White's; kNoResult.
  int HalfPoints() const { return flags & 3; }
  void SetHalfPoints(int half_points);
  // Whether the value may be learnt from as that of the position alone; it may until somebody says otherwise.
  bool IsQuiet() const { return (flags & kLoud) == 0; }
  void SetQuiet(bool quiet);

  friend bool operator==(const Record&, const Record&) = default;
};
static_assert(sizeof(Record) == 32 && std::is_trivially_copyable_v<Record>);

Record Pack(const Position& position, const Label& label);
Label LabelOf(const Record& record);
// Fails when the record is no legal position.
absl::StatusOr<Position> Unpack(const Record& record);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_RECORD_H_
