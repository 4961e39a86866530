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
  for (PgnGame& game : *games) games_.emplace_back(std::move(game), spec_.rules, knowledge_);
  for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
    const std::vector<int>& positions = games_[game].positions();
    positions_left_.push_back(static_cast<int>(positions.size()));
    // From the end of the game: what is found there helps to understand what led to it.
    for (auto position = positions.rbegin(); position != positions.rend(); ++position) {
      places_.push_back({game, *position});
    }
  }
  SendAccepted();
  for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
    if (positions_left_[game] == 0) SendSummary(game);
  }
  return absl::OkStatus();
}

int GameReview::Plan(int width) {
  width_ = width;
  start_ = Clock::now();
  return static_cast<int>(places_.size());
}

void GameReview::SendAccepted() {
  v1::AnalyzeGameResponse response;
  v1::AnalyzeGameResponse::Accepted& accepted = *response.mutable_accepted();
  int plies = 0;
  for (const ReviewedGame& game : games_) {
    *accepted.add_games() = ToWire(game.game());
    plies += game.judged();
  }
  accepted.set_plies(plies);
  accepted.set_positions(static_cast<int>(places_.size()));
  stream_->Send(response);
}

v1::AnalyzeRequest GameReview::RequestOf(int index) {
  const Place& place = places_[index];
  v1::AnalyzeRequest request = spec_.search;
  *request.mutable_position() = games_[place.game].PositionAt(place.position);
  v1::Limits& limits = *request.mutable_limits();
  const auto positions = static_cast<std::int64_t>(places_.size());
  if (const auto total = spec_.budget.total_nodes) {
    const std::int64_t share = std::max<std::int64_t>(1, *total / positions);
    limits.set_nodes(limits.has_nodes() ? std::min(limits.nodes(), share) : share);
  }
  if (const auto total = spec_.budget.total_time) {
    const auto left = *total - std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
    const milliseconds share = std::max(milliseconds(1), left * width_ / std::max<std::int64_t>(1, positions - done_));
    const bool shorter =
        !limits.has_movetime() || ToWire(share).seconds() < limits.movetime().seconds() ||
        (ToWire(share).seconds() == limits.movetime().seconds() && ToWire(share).nanos() < limits.movetime().nanos());
    if (shorter) *limits.mutable_movetime() = ToWire(share);
  }
  return request;
}

void GameReview::SendQueued(int place) {
  v1::AnalyzeGameResponse response;
  response.mutable_queued()->set_place(place);
  stream_->Send(response);
}

void GameReview::OnFinal(int index, const v1::AnalyzeResponse::Final& final) {
  const auto [game, position] = places_[index];
  nodes_ += final.result().nodes();
  for (v1::PlyReview& review : games_[game].SetResult(position, final)) {
    v1::AnalyzeGameResponse response;
    response.mutable_ply()->set_game(game);
    *response.mutable_ply()->mutable_review() = std::move(review);
    stream_->Send(response);
  }
  CountDone(game);
}

void GameReview::OnRefused(int index, const absl::Status& /*why*/) { CountDone(places_[index].game); }

void GameReview::CountDone(int game) {
  ++done_;
  SendProgress();
  if (--positions_left_[game] == 0) SendSummary(game);
}

void GameReview::SendProgress() {
  v1::AnalyzeGameResponse response;
  v1::AnalyzeGameResponse::Progress& progress = *response.mutable_progress();
  const auto elapsed = Clock::now() - start_;
  progress.set_positions(done_);
  progress.set_total_positions(static_cast<int>(places_.size()));
  progress.set_nodes(nodes_);
  *progress.mutable_elapsed() = ToWire(elapsed);
  *progress.mutable_remaining() = ToWire(elapsed * (static_cast<int>(places_.size()) - done_) / done_);
  stream_->SendLatest(response);
}

void GameReview::SendSummary(int game) {
  v1::AnalyzeGameResponse response;
  *response.mutable_summary() = games_[game].Summarize();
  response.mutable_summary()->set_game(game);
  stream_->Send(response);
}

void GameReview::OnEnd(const absl::Status& why) {
  // What the deadline or the end of the server cut short is told as far as it came; of a client that is gone nobody
  // would hear.
  const bool cut_short = absl::IsDeadlineExceeded(why) || why.code() == absl::StatusCode::kUnavailable;
  if (cut_short && done_ > 0) {
    for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
      if (positions_left_[game] > 0) SendSummary(game);
    }
    return stream_->Finish(absl::OkStatus());
  }
  stream_->Finish(why);
}

}  // namespace kibitz::server
