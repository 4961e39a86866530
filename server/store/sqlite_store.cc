#include "server/store/sqlite_store.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

// Results that wait to be written, and how many are written at a time.
constexpr std::size_t kMaxJobs = 4096;
constexpr std::size_t kMaxBatch = 256;
constexpr std::chrono::seconds kCountInterval{10};

}  // namespace

SqliteStore::SqliteStore(Options options) : options_(std::move(options)) {
  SetState(OpenAll());
  next_try_ = Clock::now() + options_.retry_time;
  thread_ = std::thread(&SqliteStore::RunWriter, this);
}

SqliteStore::~SqliteStore() {
  {
    std::lock_guard lock(jobs_mutex_);
    ending_ = true;
  }
  jobs_changed_.notify_all();
  thread_.join();
}

absl::Status SqliteStore::OpenAll() {
  writer_.reset();
  absl::StatusOr<StoreFile> writer = StoreFile::Open(options_.path);
  if (!writer.ok()) return writer.status();
  absl::StatusOr<StoreFileReader> reader = StoreFileReader::Open(options_.path);
  if (!reader.ok()) return reader.status();
  writer_ = *std::move(writer);
  {
    std::lock_guard lock(reader_mutex_);
    reader_.reset();
    reader_ = *std::move(reader);
  }
  return Measure();
}

void SqliteStore::SetState(const absl::Status& state) {
  std::lock_guard lock(state_mutex_);
  working_ = state.ok();
  if (!state.ok()) ++failures_;
  if (state_.has_value() && state_->code() == state.code()) return;
  if (!state.ok()) {
    spdlog::error("the store {} cannot be used, and searches go on without it: {}", options_.path,
                  std::string(state.message()));
  } else if (state_.has_value()) {
    spdlog::info("the store {} can be used again", options_.path);
  }
  state_ = state;
}

std::optional<StoredResult> SqliteStore::Find(const std::string& position, const WantedResult& wanted) {
  if (!working_) return std::nullopt;
  absl::StatusOr<std::optional<StoreFileReader::Found>> found = std::nullopt;
  {
    std::lock_guard lock(reader_mutex_);
    if (reader_.has_value()) found = reader_->Find(position, wanted);
  }
  if (!found.ok()) {
    SetState(found.status());
    return std::nullopt;
  }
  if (!found->has_value()) {
    ++misses_;
    return std::nullopt;
  }
  ++hits_;
  StoreFileReader::Found& it = **found;
  if (it.note_use) Enqueue(Use{position, it.result.lines, it.result.nodes});
  return std::move(it.result);
}

void SqliteStore::Put(const std::string& position, const StoredResult& result) { Enqueue(Write{position, result}); }

void SqliteStore::Enqueue(Job job) {
  std::lock_guard lock(jobs_mutex_);
  if (jobs_.size() >= kMaxJobs) {
    if (std::holds_alternative<Write>(job)) ++dropped_;
    return;
  }
  jobs_.push_back(std::move(job));
  jobs_changed_.notify_all();
}

void SqliteStore::Flush() {
  std::unique_lock lock(jobs_mutex_);
  jobs_changed_.wait(lock, [&] { return jobs_.empty() && !busy_; });
}

void SqliteStore::RunWriter() {
  std::unique_lock lock(jobs_mutex_);
  while (true) {
    busy_ = false;
    jobs_changed_.notify_all();
    const auto has_work = [&] { return ending_ || !jobs_.empty(); };
    if (working_) {
      jobs_changed_.wait(lock, has_work);
    } else {
      jobs_changed_.wait_until(lock, next_try_, has_work);
    }
    if (jobs_.empty() && ending_) return;
    busy_ = true;
    const auto count = static_cast<std::ptrdiff_t>(std::min(jobs_.size(), kMaxBatch));
    std::vector<Job> jobs(std::make_move_iterator(jobs_.begin()), std::make_move_iterator(jobs_.begin() + count));
    jobs_.erase(jobs_.begin(), jobs_.begin() + count);
    lock.unlock();
    if (!working_ && Clock::now() >= next_try_) {
      next_try_ = Clock::now() + options_.retry_time;
      SetState(OpenAll());
    }
    if (working_ && writer_.has_value()) {
      if (absl::Status status = WriteJobs(jobs); !status.ok()) {
        next_try_ = Clock::now() + options_.retry_time;
        SetState(status);
      }
    } else {
      dropped_ += std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.index() == 0; });
    }
    lock.lock();
  }
}

absl::Status SqliteStore::WriteJobs(const std::vector<Job>& jobs) {
  absl::Status status = writer_->Begin();
  if (!status.ok()) return status;
  for (const Job& job : jobs) {
    status = std::visit([this](const auto& each) { return Do(each); }, job);
    if (!status.ok()) break;
  }
  if (status.ok()) status = Evict();
  if (status.ok()) status = writer_->Commit();
  if (!status.ok()) {
    writer_->Rollback();
    dropped_ += std::count_if(jobs.begin(), jobs.end(), [](const Job& job) { return job.index() == 0; });
    return status;
  }
  return Measure();
}

absl::Status SqliteStore::Do(const Write& write) {
  absl::Status status = writer_->Add(write.position, write.result);
  if (status.ok()) ++writes_;
  return status;
}

absl::Status SqliteStore::Do(const Use& use) { return writer_->Use(use.position, use.lines, use.nodes); }

absl::Status SqliteStore::Evict() {
  const absl::StatusOr<std::int64_t> evicted = writer_->Prune(options_.max_bytes);
  if (evicted.ok()) evictions_ += *evicted;
  return evicted.status();
}

absl::Status SqliteStore::Measure() {
  const absl::StatusOr<std::int64_t> bytes = writer_->FileBytes();
  if (!bytes.ok()) return bytes.status();
  bytes_ = *bytes;
  // That takes a while in a large file.
  if (Clock::now() < next_count_) return absl::OkStatus();
  next_count_ = Clock::now() + kCountInterval;
  const absl::StatusOr<std::int64_t> results = writer_->CountResults();
  if (results.ok()) results_ = *results;
  return results.status();
}

StoreStatus SqliteStore::status() const {
  return {.working = working_,
          .results = results_,
          .bytes = bytes_,
          .max_bytes = options_.max_bytes,
          .hits = hits_,
          .misses = misses_,
          .writes = writes_,
          .evictions = evictions_,
          .dropped = dropped_,
          .failures = failures_};
}

}  // namespace kibitz::server
