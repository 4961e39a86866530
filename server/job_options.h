// What the options say about jobs.

#ifndef KIBITZ_SERVER_JOB_OPTIONS_H_
#define KIBITZ_SERVER_JOB_OPTIONS_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/job_queue.h"
#include "server/server_options.h"
#include "server/tenant/tenant.h"
#include "server/webhook/webhook_rules.h"

namespace kibitz::server {

// This node: what it can do, and its name.
JobQueue::Ability JobAbility(const ServerOptions& options);

// By its name. Somebody of whom nothing is known any more has no quotas of its own.
using TenantOf = std::function<TenantPointer(const std::string& name)>;

// The queue of jobs; nullptr: there is to be none. An error says what is wrong, and with what.
absl::StatusOr<std::unique_ptr<JobQueue>> OpenJobQueue(const ServerOptions& options, const TenantOf& tenant_of);

// Where owners of jobs may be told that these are over. An error says what is wrong, and with what.
absl::StatusOr<WebhookRules> ReadWebhookRules(const ServerOptions& options);

// Whether such a queue could be opened, without doing so: what is wrong is the error.
absl::Status CheckJobs(const ServerOptions& options);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOB_OPTIONS_H_
