#include "server/analysis/game_review.h"

#include <algorithm>
#include <utility>

#include "server/conversion/common.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

}  // namespace

absl::Status GameReview::Prepare(const v1::AnalyzeGameRequest& request) {
  absl::StatusOr<std::vector<PgnGame>> games = ParseGames(request);
  if (!games.ok()) return games.status();
  games_.emplace(*std::move(games), spec_, knowledge_);
  SendAll(games_->Begin());
  return absl::OkStatus();
}

int GameReview::Plan(int width) {
  width_ = width;
  start_ = Clock::now();
  return games_->positions();
}

v1::AnalyzeRequest GameReview::RequestOf(int index) {
  v1::AnalyzeRequest request = games_->RequestOf(index);
  if (const auto total = spec_.budget.total_time) {
    const auto left = *total - std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
    const std::int64_t positions = games_->positions() - done_;
    const milliseconds share = std::max(milliseconds(1), left * width_ / std::max<std::int64_t>(1, positions));
    LowerMovetime(share, *request.mutable_limits());
  }
  return request;
}

void GameReview::SendQueued(int place) {
  v1::AnalyzeGameResponse response;
  response.mutable_queued()->set_place(place);
  stream_->Send(response);
}

void GameReview::OnFinal(int index, const v1::AnalyzeResponse::Final& final) {
  nodes_ += final.result().nodes();
  const std::vector<v1::AnalyzeGameResponse> events = games_->Put(index, final);
  CountDone();
  SendAll(events);
}

void GameReview::OnRefused(int index, const absl::Status& /*why*/) {
  const std::vector<v1::AnalyzeGameResponse> events = games_->Skip(index);
  CountDone();
  SendAll(events);
}

void GameReview::SendAll(const std::vector<v1::AnalyzeGameResponse>& events) {
  for (const v1::AnalyzeGameResponse& event : events) stream_->Send(event);
}

void GameReview::CountDone() {
  ++done_;
  v1::AnalyzeGameResponse response;
  v1::AnalyzeGameResponse::Progress& progress = *response.mutable_progress();
  const auto elapsed = Clock::now() - start_;
  const int positions = games_->positions();
  progress.set_positions(done_);
  progress.set_total_positions(positions);
  progress.set_nodes(nodes_);
  *progress.mutable_elapsed() = ToWire(elapsed);
  *progress.mutable_remaining() = ToWire(elapsed * (positions - done_) / done_);
  stream_->SendLatest(response);
}

void GameReview::OnEnd(const absl::Status& why) {
  // What the deadline or the end of the server cut short is told as far as it came; of a client that is gone nobody
  // would hear.
  const bool cut_short = absl::IsDeadlineExceeded(why) || why.code() == absl::StatusCode::kUnavailable;
  if (cut_short && done_ > 0) {
    SendAll(games_->CutShort());
    return stream_->Finish(absl::OkStatus());
  }
  stream_->Finish(why);
}

}  // namespace kibitz::server
