// Debian's Stockfish as a witness of the rules.

#ifndef KIBITZ_TESTS_SUPPORT_STOCKFISH_H_
#define KIBITZ_TESTS_SUPPORT_STOCKFISH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/match/engine_process.h"
#include "engine/board/types.h"

namespace kibitz {

class Stockfish {
 public:
  // What it says about a position.
  struct Report {
    // Castling rights in Shredder notation for Chess960; the en-passant square whenever a pawn stands ready to capture,
    // legal or not.
    std::string fen;
    // The number of leaves below each legal move (in UCI notation, sorted).
    std::map<std::string, std::uint64_t> divide;
  };

  // The program: on PATH, or in Debian's folder for games, which often is not.
  static std::optional<std::string> Find();
  static absl::StatusOr<Stockfish> Start(const std::string& program);

  // The position after `moves`, looked at `depth` plies deep.
  absl::StatusOr<Report> Look(Variant variant, const std::string& fen, const std::vector<std::string>& moves,
                              int depth);

 private:
  explicit Stockfish(std::unique_ptr<client::EngineProcess> process) : process_(std::move(process)) {}

  std::unique_ptr<client::EngineProcess> process_;
};

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_STOCKFISH_H_
