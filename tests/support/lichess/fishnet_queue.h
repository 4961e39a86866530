// The server's side of a fishnet: work that waits, who has taken what, and what came back.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_QUEUE_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_QUEUE_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace kibitz::stand_in {

// One game to analyse, or one move to find.
struct FishnetJob {
  std::string id{};       // given by the queue
  std::string game_id{};  // may be empty
  std::string variant = "standard";
  std::string fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  std::vector<std::string> moves{};
  std::vector<int> skip{};
  std::int64_t nodes = 10'000;
  std::optional<int> depth{};
  std::optional<int> multi_pv{};
  absl::Duration timeout = absl::Seconds(7);  // for each position
  bool by_user = true;                        // or by the system
  // Of a move: 1 to 8. Without it the job is an analysis.
  std::optional<int> level{};
};

// One that is done.
struct FishnetAnswer {
  FishnetJob job{};
  nlohmann::json body{};
};

// Thread-safe. What a worker sends is checked by the rules of the protocol and of chess.
class FishnetQueue {
 public:
  enum class KeyState { kUnknown, kDisabled, kValid };

  // No key at all: anybody may work.
  void AddKey(const std::string& key, bool enabled = true);
  KeyState Check(const std::string& key) const;

  std::string Add(FishnetJob job);
  // The oldest job, a user's before the system's; with `slow` only the system's. Nothing: an empty queue.
  std::optional<nlohmann::json> Acquire(const std::string& key, bool slow);
  // Takes an answer, whole or (with null first) partial. NOT_FOUND for work that is not the key's, INVALID_ARGUMENT
  // with what is wrong about it.
  absl::Status Analysis(const std::string& key, const std::string& id, const nlohmann::json& body);
  absl::Status Move(const std::string& key, const std::string& id, const nlohmann::json& body);
  absl::Status Abort(const std::string& key, const std::string& id);
  nlohmann::json Status() const;

  // What has come of everything.
  std::vector<FishnetAnswer> answers() const;
  bool AwaitAnswers(std::size_t count, absl::Duration patience) const;
  bool AwaitPartial(int count, absl::Duration patience) const;
  std::size_t waiting() const;
  std::size_t acquired() const;
  int partial() const;
  int aborted() const;
  // Answers that were refused, with the reason.
  std::vector<std::string> complaints() const;

 private:
  struct Taken {
    FishnetJob job;
    std::string key;
    absl::Time due;
  };

  absl::Status Take(const std::string& key, const std::string& id, const absl::Status& check,
                    const nlohmann::json& body);
  const Taken* TakenBy(const std::string& key, const std::string& id) const;
  // Gives those to others that were taken and not answered in time.
  void ReclaimOverdue();

  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  std::map<std::string, bool> keys_;
  int ids_ = 0;
  struct Waiting {
    FishnetJob job;
    absl::Time since;
  };
  std::deque<Waiting> waiting_;
  std::map<std::string, Taken> taken_;
  std::vector<FishnetAnswer> answers_;
  int partial_ = 0;
  int aborted_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_QUEUE_H_
