// A connection to NATS that comes back by itself, and what a farm does over it: to write, read and forget messages of
// JetStream's streams. Errors are statuses.

#ifndef KIBITZ_SERVER_JOBS_NATS_NATS_CLIENT_H_
#define KIBITZ_SERVER_JOBS_NATS_NATS_CLIENT_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/jobs/nats/nats_handle.h"
#include "server/jobs/nats/nats_options.h"

namespace kibitz::server {

// All methods may be called from any thread, and block for a network's time; while no server answers, for kPatience at
// the most. What is lost with a server that dies meanwhile is said again to another one, once: JetStream knows it by
// its id. UNAVAILABLE (JOBS_UNAVAILABLE): not now.
class NatsClient {
 public:
  using Clock = std::chrono::steady_clock;

  // How long a write or a read is tried. An election among three servers takes about a second, or two.
  static constexpr std::chrono::milliseconds kPatience{5000};

  // Fails over options that can never do. That no server answers yet is no failure: it is tried for ever.
  static absl::StatusOr<std::unique_ptr<NatsClient>> Open(const NatsOptions& options);
  ~NatsClient();
  NatsClient(const NatsClient&) = delete;
  NatsClient& operator=(const NatsClient&) = delete;

  bool connected() const { return connected_; }
  // How long it has been so.
  std::chrono::nanoseconds settled() const;
  // Of this connection, unlike any other's.
  const std::string& name() const { return name_; }
  // How often it was lost.
  std::int64_t losses() const { return losses_; }

  // Puts a message into the stream that takes the subject. With `expected` only if the last one there is of that
  // number; 0: if there is none. ABORTED otherwise. Returns its number.
  absl::StatusOr<std::uint64_t> Write(const std::string& subject, absl::string_view data,
                                      std::optional<std::uint64_t> expected = std::nullopt);
  // Puts an empty message on each of the subjects that have none, many at a time.
  absl::Status WriteEmpty(const std::vector<std::string>& subjects);

  struct Entry {
    std::string data;
    std::uint64_t sequence = 0;
  };
  // The last message of the subject, as the stream's leader has it.
  absl::StatusOr<std::optional<Entry>> Read(const std::string& stream, const std::string& subject,
                                            std::chrono::milliseconds patience = kPatience);
  // Forgets the messages of the subject, which may be a pattern.
  absl::Status Purge(const std::string& stream, const std::string& subject);

  // A question to whoever listens there. Nothing: nobody does, or does not answer in time.
  std::optional<std::string> Ask(const std::string& subject, absl::string_view question,
                                 std::chrono::milliseconds patience);

  // For what is not said here.
  natsConnection* connection() const { return connection_; }
  jsCtx* jetstream() const { return jetstream_; }

 private:
  explicit NatsClient(std::string name);

  absl::Status Connect(const NatsOptions& options);
  // Whether to try once more: waits a little if so.
  bool Again(natsStatus status, jsErrCode code, Clock::time_point end) const;
  Clock::time_point EndOfPatience(std::chrono::milliseconds patience = kPatience) const;
  std::string NextMessageId();
  void Send(const std::string& subject, const std::string& reply, const std::string& id);
  void SetConnected(bool connected);

  static void OnConnected(natsConnection* connection, void* number);
  static void OnDisconnected(natsConnection* connection, void* number);
  static void OnClosed(natsConnection* connection, void* number);
  static void Tell(void* number, bool connected);

  const std::string name_;
  std::uintptr_t number_ = 0;  // among those of this process
  std::atomic<std::uint64_t> messages_{0};
  std::atomic<bool> connected_{false};
  std::atomic<Clock::time_point::rep> changed_;
  std::atomic<std::int64_t> losses_{0};
  natsConnection* connection_ = nullptr;
  jsCtx* jetstream_ = nullptr;
};

// An error of NATS in our words.
absl::Status StatusOf(natsStatus status, jsErrCode code, absl::string_view what);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_NATS_CLIENT_H_
