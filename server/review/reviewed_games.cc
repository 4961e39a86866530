#include "server/review/reviewed_games.h"

#include <algorithm>
#include <utility>

namespace kibitz::server {

ReviewedGames::ReviewedGames(std::vector<PgnGame> games, const ReviewSpec& spec, const ReviewKnowledge& knowledge)
    : search_(spec.search) {
  games_.reserve(games.size());
  for (PgnGame& game : games) games_.emplace_back(std::move(game), spec.rules, knowledge);
  for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
    const std::vector<int>& positions = games_[game].positions();
    positions_left_.push_back(static_cast<int>(positions.size()));
    // From the end of the game: what is found there helps to understand what led to it.
    for (auto position = positions.rbegin(); position != positions.rend(); ++position) {
      places_.push_back({game, *position});
    }
  }
  if (const auto total = spec.budget.total_nodes) {
    nodes_ = std::max<std::int64_t>(1, *total / std::max<std::int64_t>(1, positions()));
  }
}

v1::AnalyzeRequest ReviewedGames::RequestOf(int index) const {
  const Place& place = places_[index];
  v1::AnalyzeRequest request = search_;
  *request.mutable_position() = games_[place.game].PositionAt(place.position);
  if (nodes_.has_value()) {
    v1::Limits& limits = *request.mutable_limits();
    limits.set_nodes(limits.has_nodes() ? std::min(limits.nodes(), *nodes_) : *nodes_);
  }
  return request;
}

std::vector<ReviewedGames::Event> ReviewedGames::Begin() const {
  std::vector<Event> events = {Accepted()};
  for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
    if (positions_left_[game] == 0) events.push_back(SummaryOf(game));
  }
  return events;
}

std::vector<ReviewedGames::Event> ReviewedGames::Put(int index, const v1::AnalyzeResponse::Final& final) {
  const auto [game, position] = places_[index];
  std::vector<Event> events;
  for (v1::PlyReview& review : games_[game].SetResult(position, final)) {
    Event& event = events.emplace_back();
    event.mutable_ply()->set_game(game);
    *event.mutable_ply()->mutable_review() = std::move(review);
  }
  CountDone(game, events);
  return events;
}

std::vector<ReviewedGames::Event> ReviewedGames::Skip(int index) {
  std::vector<Event> events;
  CountDone(places_[index].game, events);
  return events;
}

std::vector<ReviewedGames::Event> ReviewedGames::CutShort() const {
  std::vector<Event> events;
  for (int game = 0; game < static_cast<int>(games_.size()); ++game) {
    if (positions_left_[game] > 0) events.push_back(SummaryOf(game));
  }
  return events;
}

void ReviewedGames::CountDone(int game, std::vector<Event>& events) {
  if (--positions_left_[game] == 0) events.push_back(SummaryOf(game));
}

ReviewedGames::Event ReviewedGames::Accepted() const {
  Event event;
  v1::AnalyzeGameResponse::Accepted& accepted = *event.mutable_accepted();
  int plies = 0;
  for (const ReviewedGame& game : games_) {
    *accepted.add_games() = ToWire(game.game());
    plies += game.judged();
  }
  accepted.set_plies(plies);
  accepted.set_positions(positions());
  return event;
}

ReviewedGames::Event ReviewedGames::SummaryOf(int game) const {
  Event event;
  *event.mutable_summary() = games_[game].Summarize();
  event.mutable_summary()->set_game(game);
  return event;
}

}  // namespace kibitz::server
