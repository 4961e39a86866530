// Many searches for one call, a few at a time: a batch of positions, or the moves of a game.

#ifndef KIBITZ_SERVER_ANALYSIS_SEARCH_GROUP_H_
#define KIBITZ_SERVER_ANALYSIS_SEARCH_GROUP_H_

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/analysis_task.h"
#include "server/analysis/analyzer.h"
#include "server/analysis/mailbox.h"
#include "server/rpc/call_work.h"
#include "server/scheduler/timer_queue.h"

namespace kibitz::server {

// Begins the next search when one has ended. What the server refuses for want of room, after others were let in, waits
// until it may be asked for again.
class SearchGroup final : public std::enable_shared_from_this<SearchGroup> {
 public:
  // Whose searches they are. Called by one thread at a time.
  class Owner {
   public:
    virtual ~Owner() = default;

    // The request of a search that begins now. May be asked for again if the server had no room.
    virtual v1::AnalyzeRequest RequestOf(int index) = 0;
    // Whether there is room for what more of them find.
    virtual bool HasRoom() = 0;
    // The first of them has to wait.
    virtual void OnQueued(int place) = 0;
    virtual void OnFinal(int index, const v1::AnalyzeResponse::Final& final) = 0;
    // It cannot be done, and the others can.
    virtual void OnRefused(int index, const absl::Status& why) = 0;
    // All are over; or no more begin, for the reason given, and those under way are over.
    virtual void OnEnd(const absl::Status& why) = 0;
  };

  struct Plan {
    int searches = 0;     // known by their numbers from 0 on, in the order in which they begin
    int width = 1;        // that are under way at a time, at most
    bool let_in = false;  // whether the server has taken the call, so that the first of them waits like the others
  };

  // The owner is held until OnEnd has been called. `work` is that of the call.
  SearchGroup(Analyzer& analyzer, TimerQueue& timers, const Analyzer::Caller& caller, CallWork& work, const Plan& plan,
              std::shared_ptr<Owner> owner);

  void Begin() { mailbox_.Post(Continue()); }
  // The client is gone. From any thread.
  void Cancel();

 private:
  class SearchStream;

  // What it hears of.
  struct Continue {};
  struct Queued {
    int place;
  };
  struct Ended {
    int index;
    absl::Status status;
    std::optional<v1::AnalyzeResponse::Final> final;
  };
  struct Ending {
    absl::Status why;
  };
  using Event = std::variant<Continue, Queued, Ended, Ending>;

  void Handle(const Event& event);
  void HandleEnded(const Ended& ended);
  void HandleEnding(const absl::Status& why);
  // The server had no room for a search. Whether it will be asked for again.
  bool Postpone(int index, const absl::Status& why);
  void Pause(absl::Duration time);
  // Begins what can begin now.
  void BeginNext();

  Analyzer& analyzer_;
  TimerQueue& timers_;
  const Analyzer::Caller caller_;
  CallWork& work_;
  const Plan plan_;
  Mailbox<Event> mailbox_;

  // Only while an event is handled.
  std::shared_ptr<Owner> owner_;  // null once it has heard of the end
  int next_ = 0;
  std::deque<int> postponed_;
  bool paused_ = false;                                   // until the timer says so
  std::map<int, std::shared_ptr<AnalysisTask>> running_;  // null while it begins
  int finals_ = 0;
  std::chrono::steady_clock::time_point last_success_ = std::chrono::steady_clock::now();
  bool told_queued_ = false;
  std::optional<absl::Status> end_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_SEARCH_GROUP_H_
