// Games of a match on paper, and what can be read back from there.

#ifndef KIBITZ_CLIENT_MATCH_GAME_RECORD_H_
#define KIBITZ_CLIENT_MATCH_GAME_RECORD_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/match/game.h"
#include "client/match/schedule.h"
#include "engine/board/pgn.h"

namespace kibitz::client {

struct GameHeading {
  std::string event;
  ScheduledGame game;  // its place in the match is the Round: PAIR.GAME, both counted from 1
  std::string white;
  std::string black;
  TimeControl white_control;
  TimeControl black_control;
  absl::Time date;
};

// Each move of the players has its score (as White sees it) and depth, the clock after it and the time it took, in the
// comments that chess programs know: [%eval 0.35,12] [%clk 0:00:01.95] [%emt 0:00:00.048].
PgnGame ToPgnGame(const PlayedGame& game, const GameHeading& heading);

// What a recorded game says about the match.
struct RecordedGame {
  int index = 0;  // of all games of the match
  std::string white;
  std::string black;
  GameOutcome outcome = GameOutcome::kDraw;
  Termination termination = Termination::kNormal;
};

// Fails for a game that is not finished or not of a match.
absl::StatusOr<RecordedGame> ReadRecord(const PgnGame& game);

// "1-0", "1/2-1/2" or "0-1".
const char* ResultText(GameOutcome outcome);
absl::StatusOr<GameOutcome> ParseOutcome(absl::string_view result);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_GAME_RECORD_H_
