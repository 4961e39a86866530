// Who may use the processor now. There are many more workers than processors; those without a permit wait at their
// checkpoint, and go on from there when they are given one.

#ifndef KIBITZ_SERVER_SCHEDULER_RUN_PERMITS_H_
#define KIBITZ_SERVER_SCHEDULER_RUN_PERMITS_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace kibitz::server {

enum class Priority : std::uint8_t { kInteractive, kBatch };

class RunPermit;

// Hands permits on. Who is new goes first and has a short slice; who has run for long waits behind and has a long one;
// batch work comes after interactive work. Now and then the one that has waited longest has a short slice whatever its
// rank, so that nobody starves. Shares among tenants would be one more choice in PopNext.
class RunPermits {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;

  explicit RunPermits(int permits);

 private:
  friend class RunPermit;

  static constexpr int kAgeCount = 3;
  static constexpr int kRanks = 2 * kAgeCount;

  // Those of one rank, linked through themselves: whoever waits can be taken out at once, and memory is never asked
  // for.
  class WaitList {
   public:
    bool empty() const { return first_ == nullptr; }
    RunPermit* front() const { return first_; }
    void PushFront(RunPermit& permit);
    void PushBack(RunPermit& permit);
    void Remove(RunPermit& permit);

   private:
    RunPermit* first_ = nullptr;
    RunPermit* last_ = nullptr;
  };

  // All under the lock.
  bool AnybodyWaits() const;
  // Whether somebody waits who comes before this rank.
  bool AnybodyWaitsBefore(int rank) const;
  void Enqueue(RunPermit& permit, bool at_front);
  // Does nothing to one that does not wait.
  void Dequeue(RunPermit& permit);
  // Gives free permits to those who wait.
  void HandOn(Time now);
  RunPermit* PopNext(bool& in_fairness);
  // Asks the one of lowest rank that runs to come to its checkpoint, if it ranks below.
  void AskForPermit(int rank);

  std::mutex mutex_;  // guards what follows, and the state of each permit
  int free_;
  unsigned grants_ = 0;
  std::array<WaitList, kRanks> waiting_;
  std::vector<RunPermit*> holding_;
};

// One worker's permit to run, which it has at some times and waits for at others. Used by the worker's thread alone,
// but for Exempt and Recheck.
class RunPermit {
 public:
  using Time = RunPermits::Time;
  // When the worker must go on even without a permit, because its work ends then. Time::max(): never. It is asked again
  // after Recheck, and under a lock: it must be quick.
  using Due = std::function<Time()>;

  RunPermit(RunPermits& permits, Priority priority) : permits_(permits), priority_(priority) {}
  // Gives the permit back.
  ~RunPermit();
  RunPermit(const RunPermit&) = delete;
  RunPermit& operator=(const RunPermit&) = delete;

  // Waits for the permit the first time.
  void Acquire();

  // Goes on at once within a slice. After it others run, and the call returns when it is this worker's turn again.
  void Checkpoint(const Due& due);

  // From any thread: the worker has only to clear up and needs no permit for that. It stops waiting, for good.
  void Exempt();

  // From any thread: what Due says has changed.
  void Recheck();

 private:
  friend class RunPermits;

  int Rank() const;
  void StartSlice(Time now, RunPermits::Clock::duration length);
  void CountUse(Time now);
  void GiveBack();
  void Wait(std::unique_lock<std::mutex>& lock, const Due& due);

  RunPermits& permits_;
  const Priority priority_;
  std::atomic<bool> asked_{false};  // to come to the lock at the next checkpoint
  Time slice_end_;                  // written with the lock while the worker waits

  // Guarded by the lock of the permits.
  std::condition_variable changed_;
  bool held_ = false;
  bool exempt_ = false;
  RunPermits::WaitList* waits_in_ = nullptr;  // and where: between these
  RunPermit* previous_ = nullptr;
  RunPermit* next_ = nullptr;
  Time slice_start_;
  Time waiting_since_;
  RunPermits::Clock::duration used_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_RUN_PERMITS_H_
