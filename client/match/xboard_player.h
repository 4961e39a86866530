// A program that speaks the Chess Engine Communication Protocol (xboard, WinBoard) as a player.

#ifndef KIBITZ_CLIENT_MATCH_XBOARD_PLAYER_H_
#define KIBITZ_CLIENT_MATCH_XBOARD_PLAYER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/match/engine_process.h"
#include "client/match/player.h"
#include "client/match/xboard_features.h"

namespace kibitz::client {

// Whether the protocol can say such limits: it counts no nodes, and the time for a move in whole seconds.
absl::Status CheckXboardLimits(const TimeControl& control);

class XboardPlayer : public Player {
 public:
  // Starts the program and waits until it has told its features; one that does not tell when it is done is taken to be
  // after a while. Of the options, Hash and Threads are "memory" and "cores", where the engine has them; it must know
  // the others by name.
  static absl::StatusOr<std::unique_ptr<XboardPlayer>> Start(const EngineOptions& options,
                                                             absl::Duration patience = absl::Seconds(20));

  // Standard chess only.
  absl::Status NewGame(Variant variant) override;
  // Between two calls of NewGame the requests are those of one game: the engine is told what is new. One that lacks
  // "setboard" fails with UNIMPLEMENTED unless the game begins with the starting position.
  absl::StatusOr<Thought> Think(const MoveRequest& request) override;
  void Abort() override { process_->Kill(); }
  bool CanPlayAgain() const override { return features_.reuse; }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;

  XboardPlayer(std::unique_ptr<EngineProcess> process, absl::Duration patience)
      : process_(std::move(process)), patience_(patience) {}

  absl::Status Introduce();
  absl::Status SetOptions(const EngineOptions& options);
  // Waits until the engine has read all so far, if it can tell.
  absl::Status WaitUntilReady();
  // Reads what it said after its last move.
  bool ResignedMeanwhile(Color side);

  // The commands that bring the engine to the position and let it think.
  absl::StatusOr<std::string> CommandsFor(const MoveRequest& request) const;
  // Reads until the engine has moved or resigned.
  absl::StatusOr<Thought> ReadAnswer(const MoveRequest& request, TimePoint start);

  std::unique_ptr<EngineProcess> process_;
  absl::Duration patience_;  // for getting ready
  XboardFeatures features_;
  int pings_ = 0;
  // How many moves of the game the engine has on its board; none before its first request.
  std::optional<std::size_t> known_moves_;
  bool plays_ = false;  // whether it answers the next move unasked
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_XBOARD_PLAYER_H_
