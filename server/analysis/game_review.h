// One AnalyzeGame call: the positions of games are searched, and their moves judged by what is found.

#ifndef KIBITZ_SERVER_ANALYSIS_GAME_REVIEW_H_
#define KIBITZ_SERVER_ANALYSIS_GAME_REVIEW_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/search_group.h"
#include "server/conversion/game.h"
#include "server/review/reviewed_game.h"
#include "server/review/reviewed_games.h"
#include "server/rpc/response_stream.h"

namespace kibitz::server {

// First it is prepared, which may take a while, then its searches run.
class GameReview final : public SearchGroup::Owner {
 public:
  using Stream = ResponseStream<v1::AnalyzeGameResponse>;

  GameReview(ReviewSpec spec, ReviewKnowledge knowledge, std::shared_ptr<Stream> stream)
      : spec_(std::move(spec)), knowledge_(std::move(knowledge)), stream_(std::move(stream)) {}

  // It has to wait.
  void SendQueued(int place);
  // Reads the games and tells the client what was found.
  absl::Status Prepare(const v1::AnalyzeGameRequest& request);
  // How many searches that takes, so many of them at a time.
  int Plan(int width);

  v1::AnalyzeRequest RequestOf(int index) override;
  bool HasRoom() override { return stream_->HasRoom(); }
  // It has been let in: that its searches wait for one another is nothing to be told.
  void OnQueued(int /*place*/) override {}
  void OnFinal(int index, const v1::AnalyzeResponse::Final& final) override;
  void OnRefused(int index, const absl::Status& why) override;
  void OnEnd(const absl::Status& why) override;

 private:
  using Clock = std::chrono::steady_clock;

  void SendAll(const std::vector<v1::AnalyzeGameResponse>& events);
  // A position is over, whatever came of it.
  void CountDone();

  const ReviewSpec spec_;
  const ReviewKnowledge knowledge_;
  const std::shared_ptr<Stream> stream_;

  std::optional<ReviewedGames> games_;  // once they were read
  int width_ = 1;
  int done_ = 0;
  std::int64_t nodes_ = 0;
  Clock::time_point start_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_GAME_REVIEW_H_
