// Results in JetStream, which all nodes of a farm share.

#ifndef KIBITZ_SERVER_STORE_NATS_NATS_STORE_H_
#define KIBITZ_SERVER_STORE_NATS_NATS_STORE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/nats/nats_client.h"
#include "server/jobs/nats/nats_options.h"
#include "server/store/nats/stored_results.pb.h"
#include "server/store/result_store.h"

namespace kibitz::server {

// A stream of which the last message for each position counts. Whoever asks waits for JetStream, but not for long: when
// it is slow or away searches do without for a while. One thread writes; of two nodes that do so at the same time, one
// looks again. Beyond its bound what was written first goes.
class NatsStore final : public ResultStore {
 public:
  struct Options {
    NatsOptions nats;
    std::int64_t max_bytes = std::int64_t{1} << 30;
    // How long a search waits for an answer, and how long none asks after it has not come.
    std::chrono::milliseconds patience{50};
    std::chrono::milliseconds pause{2000};
  };

  // Fails over options that can never do. That no server answers yet is no failure. Throws what the system throws when
  // there is no thread to be had.
  static absl::StatusOr<std::unique_ptr<NatsStore>> Open(const Options& options);
  // Waits a little for what was put to be kept.
  ~NatsStore() override;

  std::optional<StoredResult> Find(const std::string& position, const WantedResult& wanted) override;
  void Put(const std::string& position, const StoredResult& result) override;
  void Flush() override;
  StoreStatus status() const override;

 private:
  using Clock = std::chrono::steady_clock;
  using Write = std::pair<std::string, StoredResult>;
  // What there is of a position, and the number of its message; 0: there is none.
  struct Entry {
    farm::StoredResults results;
    std::uint64_t sequence = 0;
  };

  NatsStore(Options options, std::unique_ptr<NatsClient> client);

  std::string Subject(const std::string& position) const;
  std::string stream() const;
  absl::StatusOr<Entry> Read(const std::string& position, std::chrono::milliseconds patience);
  void RunWriter();
  absl::Status Do(const Write& write);
  // Makes the stream if it is missing, and sees how full it is.
  absl::Status Ensure();
  // It works, or why it does not: logged when that changes.
  void SetState(const absl::Status& state);

  const Options options_;
  const std::unique_ptr<NatsClient> client_;

  std::atomic<bool> working_{false};
  std::atomic<Clock::time_point::rep> ask_again_{0};  // nobody asks before
  std::atomic<std::int64_t> results_{0};
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::int64_t> hits_{0};
  std::atomic<std::int64_t> misses_{0};
  std::atomic<std::int64_t> writes_{0};
  std::atomic<std::int64_t> dropped_{0};
  std::atomic<std::int64_t> failures_{0};

  std::mutex state_mutex_;
  std::optional<absl::Status> state_;

  // The writer's.
  Clock::time_point next_ensure_{};
  bool seen_ = false;  // the stream

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Write> waiting_;
  bool busy_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_STORE_NATS_NATS_STORE_H_
