#include "server/job_options.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/engine.h"
#include "server/farm_options.h"
#include "server/files/files.h"
#include "server/jobs/crash_note.h"
#include "server/jobs/nats/nats_job_queue.h"
#include "server/jobs/sqlite_job_queue.h"

namespace kibitz::server {
namespace {

std::string HostName() {
  char name[256] = "";
  return gethostname(name, sizeof(name) - 1) == 0 && name[0] != '\0' ? name : "kibitzd";
}

}  // namespace

JobQueue::Ability JobAbility(const ServerOptions& options) {
  return {.generation = {.engine = std::string(EngineVersion()), .evaluation = std::string(EvaluationName())},
          .node = options.node.empty() ? HostName() : options.node};
}

absl::StatusOr<std::unique_ptr<JobQueue>> OpenJobQueue(const ServerOptions& options, const TenantOf& tenant_of) {
  if (options.jobs.empty() && options.nats.empty()) return nullptr;
  const auto terms_of = [tenant_of, most = options.max_jobs_per_tenant](const std::string& name) {
    const TenantPointer tenant = tenant_of(name);
    return TenantTerms{.share = tenant->quota.share, .max_jobs = tenant->quota.max_jobs.value_or(most)};
  };
  if (!options.nats.empty()) {
    if (absl::Status nats = CheckNats(options); !nats.ok()) return nats;
    return NatsJobQueue::Open({.nats = FarmNats(options),
                               .max_jobs = options.max_jobs,
                               .max_bytes = std::int64_t{options.jobs_mb} << 20,
                               .terms_of = terms_of});
  }
  return SqliteJobQueue::Open({.path = options.jobs,
                               .max_bytes = std::int64_t{options.jobs_mb} << 20,
                               .max_jobs = options.max_jobs,
                               .terms_of = terms_of,
                               .node = JobAbility(options).node,
                               .crashed = options.note_crashes && NoteCrashes(options.jobs + "-crash")});
}

absl::StatusOr<WebhookRules> ReadWebhookRules(const ServerOptions& options) {
  constexpr std::size_t kMaxSecrets = 1 << 20;
  std::string secrets;
  if (!options.webhook_secrets.empty()) {
    absl::StatusOr<std::string> read = ReadFile(options.webhook_secrets, kMaxSecrets);
    if (!read.ok()) return read.status();
    secrets = *std::move(read);
  } else if (!options.webhook_hosts.empty()) {
    return absl::InvalidArgumentError("--webhook-hosts needs --webhook-secrets FILE, to sign by");
  }
  absl::StatusOr<WebhookRules> rules = WebhookRules::Parse(options.webhook_hosts, "");
  if (!rules.ok()) return absl::InvalidArgumentError(absl::StrCat("--webhook-hosts: ", rules.status().message()));
  rules = WebhookRules::Parse(options.webhook_hosts, secrets);
  if (!rules.ok())
    return absl::InvalidArgumentError(absl::StrCat(options.webhook_secrets, ": ", rules.status().message()));
  return rules;
}

absl::Status CheckJobs(const ServerOptions& options) {
  if (const auto rules = ReadWebhookRules(options); !rules.ok()) return rules.status();
  if (!options.nats.empty()) return CheckNats(options);
  if (options.jobs.empty()) return absl::OkStatus();
  const std::filesystem::path path(options.jobs);
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return absl::InvalidArgumentError(absl::StrCat("--jobs: ", options.jobs, " is a folder, not a file"));
  }
  if (!std::filesystem::is_directory(folder, error)) {
    return absl::InvalidArgumentError(absl::StrCat("--jobs: there is no folder ", folder.string()));
  }
  // What SQLite keeps beside it is in that folder too.
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return absl::PermissionDeniedError(absl::StrCat("--jobs: ", folder.string(), " may not be written by this user"));
  }
  if (std::filesystem::exists(path, error) && access(path.c_str(), R_OK | W_OK) != 0) {
    return absl::PermissionDeniedError(absl::StrCat("--jobs: ", options.jobs, " may not be written by this user"));
  }
  return absl::OkStatus();
}

}  // namespace kibitz::server
