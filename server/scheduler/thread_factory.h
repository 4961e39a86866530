// How the scheduler comes by its threads.

#ifndef KIBITZ_SERVER_SCHEDULER_THREAD_FACTORY_H_
#define KIBITZ_SERVER_SCHEDULER_THREAD_FACTORY_H_

#include <functional>
#include <thread>
#include <utility>

namespace kibitz::server {

// Starts a thread that runs `body`. Throws, std::system_error or std::bad_alloc, when the system gives none.
using ThreadFactory = std::function<std::thread(std::function<void()> body)>;

inline std::thread StartThread(std::function<void()> body) { return std::thread(std::move(body)); }

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_THREAD_FACTORY_H_
