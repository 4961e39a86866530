// Results in an SQLite file, for a server that is alone.

#ifndef KIBITZ_SERVER_STORE_SQLITE_STORE_H_
#define KIBITZ_SERVER_STORE_SQLITE_STORE_H_

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
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "server/store/result_store.h"
#include "server/store/store_file.h"

namespace kibitz::server {

// Whoever asks reads the file; one thread writes it, many results at a time. A file that cannot be used, or no longer,
// is tried again now and then. It never grows beyond its bound: what was used least lately goes first, and what took
// long to find stays longer.
class SqliteStore final : public ResultStore {
 public:
  struct Options {
    std::string path;
    std::int64_t max_bytes = std::int64_t{1} << 30;
    std::chrono::milliseconds retry_time = std::chrono::seconds(30);
  };

  // Throws what the system throws when there is no thread to be had.
  explicit SqliteStore(Options options);
  // Keeps what was put.
  ~SqliteStore() override;

  std::optional<StoredResult> Find(const std::string& position, const WantedResult& wanted) override;
  void Put(const std::string& position, const StoredResult& result) override;
  void Flush() override;
  StoreStatus status() const override;

 private:
  using Clock = std::chrono::steady_clock;

  // What the writer has to do: keep a result, or remember that one was of use.
  struct Write {
    std::string position;
    StoredResult result;
  };
  struct Use {
    std::string position;
    int lines;
    std::int64_t nodes;
  };
  using Job = std::variant<Write, Use>;

  void Enqueue(Job job);
  void RunWriter();
  absl::Status WriteJobs(const std::vector<Job>& jobs);
  absl::Status Do(const Write& write);
  absl::Status Do(const Use& use);
  absl::Status OpenAll();
  absl::Status Evict();
  absl::Status Measure();
  // It works, or why it does not: logged when that changes.
  void SetState(const absl::Status& state);

  const Options options_;

  mutable std::mutex reader_mutex_;
  std::optional<StoreFileReader> reader_;

  // The writer's.
  std::optional<StoreFile> writer_;
  Clock::time_point next_try_{};
  Clock::time_point next_count_{};

  std::mutex jobs_mutex_;  // guards what follows
  std::condition_variable jobs_changed_;
  std::deque<Job> jobs_;
  bool busy_ = false;
  bool ending_ = false;

  mutable std::mutex state_mutex_;  // guards what follows
  std::optional<absl::Status> state_;

  std::atomic<bool> working_{false};
  std::atomic<std::int64_t> results_{0};
  std::atomic<std::int64_t> bytes_{0};
  std::atomic<std::int64_t> hits_{0};
  std::atomic<std::int64_t> misses_{0};
  std::atomic<std::int64_t> writes_{0};
  std::atomic<std::int64_t> evictions_{0};
  std::atomic<std::int64_t> dropped_{0};
  std::atomic<std::int64_t> failures_{0};
  std::thread thread_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_STORE_SQLITE_STORE_H_
