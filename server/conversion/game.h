// Between the wire and the engine's plain structs: games to be reviewed. Every error names the field's path.

#ifndef KIBITZ_SERVER_CONVERSION_GAME_H_
#define KIBITZ_SERVER_CONVERSION_GAME_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/board/pgn.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/request_caps.h"

namespace kibitz::server {

// The most moves of one review, of all its games together.
inline constexpr int kMaxReviewPlies = 5'000;

// What is to be judged, and what the judgements mean.
struct ReviewRules {
  bool white = true;
  bool black = true;
  // Plies count from 1.
  int first_ply = 1;
  int last_ply = 1 << 30;
  double inaccuracy = 0.1;
  double mistake = 0.2;
  double blunder = 0.3;
};

// How much to search. What is not set has no part in it.
struct ReviewBudget {
  std::optional<std::int64_t> total_nodes{};
  std::optional<std::chrono::milliseconds> total_time{};
};

// A checked AnalyzeGameRequest, but for the games.
struct ReviewSpec {
  ReviewRules rules;
  ReviewBudget budget;        // for all, beside what holds for each search
  v1::AnalyzeRequest search;  // for each position, but for the position
};

absl::StatusOr<ReviewSpec> ParseReview(const v1::AnalyzeGameRequest& wire, const RequestCaps& caps);

// The games of the request, as far as they can be read: at least one. Reading them can take a while.
absl::StatusOr<std::vector<PgnGame>> ParseGames(const v1::AnalyzeGameRequest& wire);

// Searches for no longer than that.
void LowerMovetime(std::chrono::milliseconds most, v1::Limits& limits);

v1::AnalyzeGameResponse::Accepted::Game ToWire(const PgnGame& game);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_GAME_H_
