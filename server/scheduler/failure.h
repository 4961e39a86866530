// What becomes of an exception that ends a task.

#ifndef KIBITZ_SERVER_SCHEDULER_FAILURE_H_
#define KIBITZ_SERVER_SCHEDULER_FAILURE_H_

#include "absl/status/status.h"

namespace kibitz::server {

// In a handler: what the client is told about the exception at hand, which is logged. RESOURCE_EXHAUSTED when it was
// for want of memory, and INTERNAL otherwise. Works without memory too, though it may then say less.
absl::Status HandledFailure() noexcept;

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_FAILURE_H_
