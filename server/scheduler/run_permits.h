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

#include "server/measure/durations.h"
#include "server/scheduler/fair_shares.h"

namespace kibitz::server {

enum class Priority : std::uint8_t { kInteractive, kBatch };

class RunPermit;

// Hands permits on: to the tenant that is furthest behind, by its weight, and there to the first of its workers. Who is
// new goes first and has a short slice; who has run for long waits behind and has a long one; batch work comes after
// interactive work. Now and then the one that has waited longest has a short slice whatever its rank, so that nobody
// starves.
class RunPermits {
 public:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  class Share;

  explicit RunPermits(int permits);

  // From any thread: twice the weight of another tenant is twice its time.
  void SetWeight(Share& share, int weight);

  // How many workers run now.
  int held() const;
  // How long each that was given a permit had waited for it.
  const Durations& waits() const { return waits_; }

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
  bool AnybodyWaits() const { return shares_.Next() != nullptr; }
  // Whether somebody waits who comes before this one.
  bool AnybodyWaitsBefore(const RunPermit& permit) const;
  void Enqueue(RunPermit& permit, bool at_front);
  // Does nothing to one that does not wait.
  void Dequeue(RunPermit& permit);
  // Gives free permits to those who wait.
  void HandOn(Time now);
  RunPermit* PopNext(bool& in_fairness);
  // Asks the last of those that run to come to its checkpoint, if it comes after this one.
  void AskForPermit(const RunPermit& permit);
  // Whether one that runs is to make way for another.
  bool ComesAfter(const RunPermit& running, const RunPermit& other) const;

  Durations waits_;
  mutable std::mutex mutex_;  // guards what follows, and the state of each permit and share
  int free_;
  FairShares shares_;
  std::vector<RunPermit*> holding_;
};

// What one tenant has of the permits. Must outlive the permits of its workers.
class RunPermits::Share : public FairShares::Share {
 private:
  friend class RunPermits;

  // Those of the first rank in which anybody waits; nullptr: none.
  const WaitList* First() const;

  unsigned grants_ = 0;
  std::array<WaitList, kRanks> waiting_;
};

// One worker's permit to run, which it has at some times and waits for at others. Used by the worker's thread alone,
// but for Exempt and Recheck.
class RunPermit {
 public:
  using Time = RunPermits::Time;
  // When the worker must go on even without a permit, because its work ends then. Time::max(): never. It is asked again
  // after Recheck, and under a lock: it must be quick.
  using Due = std::function<Time()>;

  RunPermit(RunPermits& permits, RunPermits::Share& share, Priority priority)
      : permits_(permits), share_(share), priority_(priority) {}
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
  // Ends the slice, over or not.
  void CountUse(Time now);
  // Does nothing to one that is not held.
  void GiveBack(Time now);
  void Wait(std::unique_lock<std::mutex>& lock, const Due& due);

  RunPermits& permits_;
  RunPermits::Share& share_;
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
  Time counted_until_;  // what it has of its tenant's share
  Time waiting_since_;
  RunPermits::Clock::duration used_{0};
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_RUN_PERMITS_H_
