// Ends games that nobody would play on, by what endgame tables or both players say about them.

#ifndef KIBITZ_CLIENT_MATCH_ADJUDICATION_H_
#define KIBITZ_CLIENT_MATCH_ADJUDICATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/match/player.h"
#include "engine/board/position.h"
#include "engine/tablebase/tablebases.h"

namespace kibitz::client {

// Zero moves: that rule is off.
struct AdjudicationRules {
  // Lost for the side that both players have seen behind by so much, for so many moves each.
  int resign_moves = 0;
  int resign_centipawns = 600;
  // Drawn when both have seen so little for so many moves each, from that move of the game on.
  int draw_moves = 0;
  int draw_centipawns = 15;
  int draw_from_move = 40;
  // Drawn after so many moves.
  int max_moves = 0;
  // Ended with the tables' result, by the fifty-move rule, after a capture or a pawn move to a position that they have.
  std::shared_ptr<const Tablebases> tablebases = nullptr;
};

// Takes the Syzygy tables of these folders, colons between them, into the rules. An error says what is wrong with them.
absl::Status UseTablebases(const std::string& path, AdjudicationRules& rules);

enum class GameOutcome : std::uint8_t { kWhiteWins, kDraw, kBlackWins };

constexpr GameOutcome WinOf(Color side) {
  return side == Color::kWhite ? GameOutcome::kWhiteWins : GameOutcome::kBlackWins;
}

// Follows one game.
class Adjudicator {
 public:
  struct Verdict {
    GameOutcome outcome;
    const char* reason;
  };

  explicit Adjudicator(const AdjudicationRules& rules) : rules_(rules) {}

  // After each move: where it led, how who made it saw the game, and the number of moves that both have made since the
  // game's start, the opening included.
  std::optional<Verdict> AfterMove(const Position& position, const std::optional<PlayerScore>& score, int full_moves);

 private:
  std::optional<Verdict> AskTables(const Position& position) const;

  AdjudicationRules rules_;
  // For how many plies in a row the players have agreed that White wins, Black wins, nobody does.
  int white_winning_ = 0;
  int black_winning_ = 0;
  int balanced_ = 0;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_ADJUDICATION_H_
