// Who thinks for a game: a session with a Kibitz server, opened again when it is lost.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_THINKER_H_
#define KIBITZ_CLIENT_LICHESS_BOT_THINKER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::client {
class AnalysisSession;
class Connection;
}  // namespace kibitz::client

namespace kibitz::client::lichess {

struct Question {
  std::string fen{};  // of the game's start; empty: the standard one
  bool chess960 = false;
  std::vector<std::string> moves{};  // UCI
  struct Clocks {
    absl::Duration white{}, black{}, white_increment{}, black_increment{};
  };
  std::optional<Clocks> clocks{};
  absl::Duration move_time{};      // zero: no such bound
  absl::Duration move_overhead{};  // kept off the clock
  std::int64_t nodes = 0;          // 0: no such bound
  int threads = 1;
  int strength_elo = 0;
};

// What is known of a position, from the side to move's point of view.
struct Answer {
  std::string best_move{};  // UCI; empty as long as nothing is known
  std::string ponder_move{};
  std::optional<int> centipawns{};
  std::optional<int> mate_in{};  // negative: against the side to move
  int depth = 0;
  std::int64_t nodes = 0;
  std::int64_t nodes_per_second = 0;
  std::string line{};  // in SAN
};

// Methods are for one thread; what it tells comes on another, one call at a time, with the number of the question.
class Thinker {
 public:
  struct Events {
    std::function<void(std::int64_t question, Answer)> on_progress;
    std::function<void(std::int64_t question, Answer)> on_answer;
    // No answer will come to this question.
    std::function<void(std::int64_t question, absl::Status)> on_failure;
    // Nor to any other that was asked so far.
    std::function<void(absl::Status)> on_lost;
  };
  // The connection must live as long.
  Thinker(const Connection& connection, Events events);
  ~Thinker();
  Thinker(const Thinker&) = delete;
  Thinker& operator=(const Thinker&) = delete;

  // Ends what it thinks about, and begins with this. Returns the question's number. When pondering, the last move is
  // only expected, and no answer comes before PonderHit.
  std::int64_t Ask(const Question& question, bool ponder);
  void PonderHit();
  // An answer still comes; it is of no interest.
  void Stop();
  // Whether the session is lost, and the next question opens another.
  bool IsLost() const { return lost_ == nullptr || *lost_; }

 private:
  void Open();

  const Connection& connection_;
  const Events events_;
  // Numbers go on where another session begins.
  std::int64_t base_ = 0;
  std::int64_t last_ = 0;
  std::shared_ptr<std::atomic<bool>> lost_;
  std::unique_ptr<AnalysisSession> session_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_THINKER_H_
