// What one tenant has of the scheduler.

#ifndef KIBITZ_SERVER_SCHEDULER_ACCOUNT_H_
#define KIBITZ_SERVER_SCHEDULER_ACCOUNT_H_

#include <array>
#include <cstdint>
#include <list>
#include <string>
#include <utility>

#include "server/scheduler/backlog.h"
#include "server/scheduler/end_times.h"
#include "server/scheduler/run_permits.h"
#include "server/scheduler/task.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// Over all tasks of that name. The scheduler's lock guards it, but for the share of the permits.
struct Account {
  explicit Account(std::string name) : tenant(std::move(name)), list{this}, place(list.begin()) {}
  Account(const Account&) = delete;
  Account& operator=(const Account&) = delete;

  int queued() const { return static_cast<int>(queues[0].size() + queues[1].size()); }

  const std::string tenant;
  RunPermits::Share permits;
  Quota quota;  // by the last task that came
  // By priority.
  std::array<Tasks, 2> queues;
  std::array<int, 2> live{};
  EndTimes ends;                // of all its tasks
  Backlog backlog;              // of those of known length
  int workers = 0;              // of those that are live
  std::uint64_t last_turn = 0;  // counts those that began, of all tenants
  // Where it stands in the list of those that wait, or of the others; in its own until it is in one of them.
  std::list<Account*> list;
  const std::list<Account*>::iterator place;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_ACCOUNT_H_
