// The game that a GUI has set up: the position to search, and how it came about.

#ifndef KIBITZ_CLIENT_UCI_GAME_H_
#define KIBITZ_CLIENT_UCI_GAME_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/board/position.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client::uci {

// Always a legal position. It begins as the starting position of standard chess.
class Game {
 public:
  // Sets up a position by FEN (empty: the starting position) and plays moves from it. A bad FEN changes nothing. An
  // illegal move is told as well, and the moves before it stand.
  absl::Status Set(const std::string& fen, const std::vector<std::string>& moves, bool chess960);
  // The same game by the rules of the other variant, if it can be read so.
  absl::Status SetChess960(bool chess960);

  const Position& position() const { return position_; }
  // As a request has it.
  const v1::Position& wire() const { return wire_; }

  // Those of the moves that are legal, in the notation of the variant; the others are added to `illegal`.
  std::vector<std::string> LegalOnes(const std::vector<std::string>& moves, std::vector<std::string>& illegal) const;
  // Any legal move. Empty when there is none.
  std::string AnyMove() const;
  // The board, its FEN, and who gives check, for people.
  std::string Picture() const;

 private:
  Position position_;
  v1::Position wire_;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_GAME_H_
