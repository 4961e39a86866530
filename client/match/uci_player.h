// A UCI program as a player.

#ifndef KIBITZ_CLIENT_MATCH_UCI_PLAYER_H_
#define KIBITZ_CLIENT_MATCH_UCI_PLAYER_H_

#include <memory>
#include <utility>

#include "client/match/engine_process.h"
#include "client/match/player.h"

namespace kibitz::client {

class UciPlayer : public Player {
 public:
  // Starts the program, sends it the options as they are and waits until it is ready.
  static absl::StatusOr<std::unique_ptr<UciPlayer>> Start(const EngineOptions& options,
                                                          absl::Duration patience = absl::Seconds(20));

  absl::Status NewGame(Variant variant) override;
  absl::StatusOr<Thought> Think(const MoveRequest& request) override;
  void Abort() override { process_->Kill(); }

 private:
  UciPlayer(std::unique_ptr<EngineProcess> process, absl::Duration patience)
      : process_(std::move(process)), patience_(patience) {}

  std::unique_ptr<EngineProcess> process_;
  absl::Duration patience_;  // for getting ready
  bool knows_chess960_ = false;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_UCI_PLAYER_H_
