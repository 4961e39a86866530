// The parts that this node is doing, and where to answer for them.

#ifndef KIBITZ_SERVER_JOBS_NATS_HELD_PARTS_H_
#define KIBITZ_SERVER_JOBS_NATS_HELD_PARTS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/string_view.h"
#include "server/jobs/nats/nats_client.h"

namespace kibitz::server {

// All methods may be called from any thread. Other nodes may ask whether a part is still being done here: a part that
// JetStream gives out again is not always one whose node has died.
class HeldParts {
 public:
  enum class Answer : std::uint8_t { kHeld, kNotHeld, kSilent };

  // Parts that nobody has spoken for in so long count as forgotten. Until then JetStream hears each second that they go
  // on: whoever does them may have to wait for it meanwhile.
  static constexpr std::chrono::seconds kForgotten{20};

  // Answers to what is asked on the subject, and speaks for the parts, on a thread of its own.
  HeldParts(NatsClient& client, std::string subject);
  ~HeldParts();
  HeldParts(const HeldParts&) = delete;
  HeldParts& operator=(const HeldParts&) = delete;

  // Returns the ticket by which it is known. `reply` is where to answer.
  std::int64_t Add(const std::string& job, int part, const std::string& reply);
  bool Holds(const std::string& job, int part) const;
  // It is still being done.
  void KeepAlive(std::int64_t ticket);
  // They are not any more: done, or for somebody else after a pause.
  void Acknowledge(std::int64_t ticket);
  void Return(std::int64_t ticket, std::chrono::milliseconds pause);
  std::int64_t size() const;

  // Asks the node that listens on the subject.
  static Answer Ask(NatsClient& client, const std::string& subject, const std::string& job, int part);

 private:
  using Key = std::pair<std::string, int>;
  struct Held {
    Key key;
    std::string reply;
    NatsClient::Clock::time_point spoken_for;
  };

  void Run(const std::string& subject);
  void SpeakForAll();
  bool Answers(absl::string_view question) const;
  void Remove(std::int64_t ticket, const std::string& word);

  NatsClient& client_;

  mutable std::mutex mutex_;  // guards what follows
  std::int64_t last_ticket_ = 0;
  std::map<std::int64_t, Held> held_;
  std::map<Key, std::int64_t> tickets_;

  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_HELD_PARTS_H_
