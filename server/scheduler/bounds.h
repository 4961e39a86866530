// How much the scheduler takes on.

#ifndef KIBITZ_SERVER_SCHEDULER_BOUNDS_H_
#define KIBITZ_SERVER_SCHEDULER_BOUNDS_H_

namespace kibitz::server {

struct SchedulerBounds {
  // How many workers run at a time.
  int permits = 1;
  // How many workers there may be, running or in the middle of their work. No task has more.
  int max_workers = 1000;
  // How many of them may do batch work. 0: three quarters.
  int max_batch_workers = 0;
  // How many tasks may wait for a worker.
  int max_queue = 2000;
  // How many of them may be batch work. 0: three quarters.
  int max_batch_queue = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_BOUNDS_H_
