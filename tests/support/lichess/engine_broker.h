// What stands between analysis boards and external engines: who has registered which, what users ask of them, and what
// their providers answer.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_ENGINE_BROKER_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_ENGINE_BROKER_H_

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "engine/board/position.h"
#include "tests/support/lichess/http_server.h"
#include "tests/support/lichess/line_stream.h"

namespace kibitz::stand_in {

struct BrokerOptions {
  // How long a poll waits for work.
  absl::Duration poll = absl::Seconds(10);
};

// Thread-safe. Statuses are NOT_FOUND and INVALID_ARGUMENT, with words for people.
class EngineBroker {
 public:
  explicit EngineBroker(const BrokerOptions& options);
  ~EngineBroker();
  EngineBroker(const EngineBroker&) = delete;
  EngineBroker& operator=(const EngineBroker&) = delete;

  // What owners do with the engines that they registered.
  absl::StatusOr<nlohmann::json> Create(const std::string& user, const nlohmann::json& registration);
  absl::StatusOr<nlohmann::json> Update(const std::string& user, const std::string& id, const nlohmann::json& wanted);
  absl::StatusOr<nlohmann::json> Get(const std::string& user, const std::string& id) const;
  absl::Status Delete(const std::string& user, const std::string& id);
  nlohmann::json List(const std::string& user) const;

  // A board asks for analysis. What comes is on the stream, until its end or until it is closed.
  absl::StatusOr<std::shared_ptr<LineStream>> Analyse(const std::string& id, const std::string& client_secret,
                                                      const nlohmann::json& work);

  // A provider waits for work. Nothing came: nothing.
  std::optional<nlohmann::json> Acquire(const std::string& provider_secret);
  // A provider answers, until it has finished or the board is gone.
  absl::Status Submit(const std::string& id, Upload& upload);

  // What has come of everything.
  int acquired() const;
  int finished() const;
  // Analyses under way: a provider answers.
  int submitting() const;
  // What providers did that the broker cannot use.
  std::vector<std::string> complaints() const;
  // First lines of play that were dropped because their score was bounded; lines that were cut.
  int bounded() const;
  int cut() const;
  bool AwaitPolls(int count, absl::Duration patience) const;

 private:
  struct Engine {
    std::string user, provider_secret;
    nlohmann::json shown;
  };
  struct Job {
    std::string id, provider_secret;
    nlohmann::json offer;
    Position position;
    std::shared_ptr<LineStream> board;
    Upload* upload = nullptr;  // while a provider answers
  };

  std::string NewId(const char* prefix);
  // Reads the provider's lines into the board's stream.
  absl::Status Relay(Job& job, Upload& upload);
  void WatchBoards();

  const BrokerOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::condition_variable changed_;
  int ids_ = 0;
  std::map<std::string, Engine> engines_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::map<std::string, std::shared_ptr<Job>> acquired_;  // and not yet answered
  std::map<std::string, std::shared_ptr<Job>> submitting_;
  int polls_ = 0;
  int acquired_count_ = 0;
  int finished_ = 0;
  int bounded_ = 0;
  int cut_ = 0;
  std::vector<std::string> complaints_;
  bool stopping_ = false;
  std::thread watch_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_ENGINE_BROKER_H_
