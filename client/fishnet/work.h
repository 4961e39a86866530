// What a fishnet asks of its workers: a game to analyse, or a move to find.

#ifndef KIBITZ_CLIENT_FISHNET_WORK_H_
#define KIBITZ_CLIENT_FISHNET_WORK_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::fishnet {

struct Work {
  enum class Kind { kAnalysis, kMove };
  struct Clock {
    absl::Duration white, black, increment;
  };

  std::string id{};
  Kind kind = Kind::kAnalysis;
  // The game, with its moves: a legal one.
  v1::Position game{};
  // Of an analysis: the positions that nobody needs. 0 is the one before the first move.
  std::set<int> skipped{};
  // How many nodes to search, by the name of the evaluation: "classical", or a version of the protocol's own engine.
  std::map<std::string, std::int64_t> nodes{};
  std::optional<int> depth{};
  // Set where a table of several lines is wanted.
  std::optional<int> multi_pv{};
  // The longest for one position.
  absl::Duration timeout = absl::Seconds(7);
  // Of a move: how strong, from 1 to 8, and what the clocks say.
  int level = 8;
  std::optional<Clock> clock{};

  // Positions of the game: one more than it has moves.
  int positions() const { return game.moves_size() + 1; }
};

// What came, whether it can be done or not.
struct Offer {
  // By which the server knows it.
  std::string id{};
  // Or what is wrong, by the member's name.
  absl::StatusOr<Work> work;
};

// Reads the server's words. An error: there is not even an id to answer to.
absl::StatusOr<Offer> ParseOffer(std::string_view text);

// What to ask the pool about one position of an analysis, with an evaluation as the pool's server names it.
v1::AnalyzeRequest AnalysisRequest(const Work& work, int place, std::string_view evaluation);
// What to ask for a move.
v1::AnalyzeRequest MoveRequest(const Work& work);

}  // namespace kibitz::client::fishnet

#endif  // KIBITZ_CLIENT_FISHNET_WORK_H_
