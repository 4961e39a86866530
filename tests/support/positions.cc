#include "tests/support/positions.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

[[noreturn]] void Die(absl::string_view what, absl::string_view why) {
  std::cerr << "bad test data: " << what << ": " << why << std::endl;
  std::abort();
}

Bitboard UpsideDown(Bitboard set) { return __builtin_bswap64(set); }

}  // namespace

Position MustParse(absl::string_view fen, Variant variant) {
  absl::StatusOr<Position> position = ParseFen(fen, variant);
  if (!position.ok()) Die(fen, position.status().message());
  return *std::move(position);
}

Move MustParseUci(const Position& position, absl::string_view uci) {
  const absl::StatusOr<Move> move = ParseUciMove(position, uci);
  if (!move.ok()) Die(ToFen(position), move.status().message());
  return *move;
}

void PlayUci(Position& position, absl::string_view moves) {
  for (absl::string_view move : absl::StrSplit(moves, ' ', absl::SkipEmpty())) {
    position.MakeMove(MustParseUci(position, move));
  }
}

std::vector<std::string> SortedUci(const Position& position) {
  std::vector<std::string> texts;
  for (Move move : LegalMoves(position)) texts.push_back(ToUci(move, position.variant()));
  std::sort(texts.begin(), texts.end());
  return texts;
}

Position WithColorsExchanged(const Position& position) {
  const Board& board = position.board();
  Setup setup;
  setup.variant = position.variant();
  setup.halfmove_clock = position.halfmove_clock();
  setup.fullmove_number = position.fullmove_number();
  for (Color color : {Color::kWhite, Color::kBlack}) {
    setup.board.by_color[Index(~color)] = UpsideDown(board.Of(color));
  }
  for (int type = 0; type < kNumPieceTypes; ++type) setup.board.by_type[type] = UpsideDown(board.by_type[type]);
  setup.board.castling_rooks = UpsideDown(board.castling_rooks);
  if (board.en_passant != Square::kNone) setup.board.en_passant = FlipRank(board.en_passant);
  setup.board.side_to_move = ~board.side_to_move;
  absl::StatusOr<Position> exchanged = Position::FromSetup(setup);
  if (!exchanged.ok()) Die(ToFen(position), exchanged.status().message());
  return *std::move(exchanged);
}

std::vector<std::string> ReadDataLines(absl::string_view path) {
  // `bazel test` starts a test in the runfiles' copy of the repository; TEST_SRCDIR serves whoever starts it elsewhere.
  const char* root = std::getenv("TEST_SRCDIR");
  const std::string full = (root == nullptr ? "" : std::string(root) + "/kibitz/") + std::string(path);
  std::ifstream file(full);
  if (!file) Die(full, "cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  }
  return lines;
}

}  // namespace kibitz
