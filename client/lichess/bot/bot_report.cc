#include "client/lichess/bot/bot_report.h"

namespace kibitz::client::lichess {

void BotReport::Be(const std::string& account, const std::string& server) {
  const std::lock_guard lock(mutex_);
  view_.account = account;
  view_.server = server;
}

void BotReport::SetOnline(bool online) {
  const std::lock_guard lock(mutex_);
  view_.online = online;
}

void BotReport::SetRoundTrip(absl::Duration round_trip) {
  const std::lock_guard lock(mutex_);
  view_.round_trip = round_trip;
}

void BotReport::Show(const GameView& game) {
  const std::lock_guard lock(mutex_);
  games_[game.id] = game;
}

void BotReport::Forget(const std::string& game) {
  const std::lock_guard lock(mutex_);
  games_.erase(game);
}

BotView BotReport::view() const {
  const std::lock_guard lock(mutex_);
  BotView view = view_;
  for (const auto& [id, game] : games_) view.games.push_back(game);
  return view;
}

}  // namespace kibitz::client::lichess
