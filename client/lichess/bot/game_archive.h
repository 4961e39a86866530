// The games that a bot has played, in a file.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_GAME_ARCHIVE_H_
#define KIBITZ_CLIENT_LICHESS_BOT_GAME_ARCHIVE_H_

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/lichess/bot/followed_game.h"
#include "client/lichess/bot/thinker.h"
#include "engine/board/pgn.h"

namespace kibitz::client::lichess {

// What is known of a ply beside its move.
struct PlyNote {
  Answer answer{};                        // of ours; as we saw it
  absl::Duration time{};                  // what we took; zero: not ours
  std::optional<absl::Duration> clock{};  // what was left to who made it
};
using PlyNotes = std::map<std::size_t, PlyNote>;  // by ply: 0 is the first move

PgnGame ToPgnGame(const FollowedGame& game, const PlyNotes& notes, const std::string& site);

// Thread-safe.
class GameArchive {
 public:
  // An empty path: nothing is kept.
  explicit GameArchive(std::string path) : path_(std::move(path)) {}
  absl::Status Add(const PgnGame& game);

 private:
  const std::string path_;
  std::mutex mutex_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_GAME_ARCHIVE_H_
