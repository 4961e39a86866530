#include "server/jobs/nats/job_index.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace kibitz::server {

JobIndex::News JobIndex::Apply(farm::JobRecord record, std::uint64_t sequence) {
  // Written by a newer node, which knows what to do with it.
  if (record.min_reader() > kRecordReader) return {};
  std::lock_guard lock(mutex_);
  unseen_.erase(record.id());
  EntryPointer before = At(record.id());
  if (before != nullptr && before->sequence >= sequence) return {.is_news = false, .before = std::move(before)};
  if (before != nullptr) Remove(before);
  Add(std::make_shared<const Entry>(Entry{.record = std::move(record), .sequence = sequence, .changed = Clock::now()}));
  return {.is_news = true, .before = std::move(before)};
}

void JobIndex::BeginSurvey() {
  std::lock_guard lock(mutex_);
  unseen_.clear();
  for (const auto& [id, entry] : jobs_) unseen_.insert(id);
}

std::vector<std::string> JobIndex::EndSurvey() {
  std::lock_guard lock(mutex_);
  std::vector<std::string> gone(unseen_.begin(), unseen_.end());
  for (const std::string& id : gone) Remove(At(id));
  unseen_.clear();
  return gone;
}

JobIndex::EntryPointer JobIndex::At(const std::string& id) const {
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : found->second;
}

void JobIndex::Add(const EntryPointer& entry) {
  const farm::JobRecord& record = entry->record;
  jobs_[record.id()] = entry;
  if (record.gone()) {
    over_.emplace(record.removed_ns(), record.id());
    return;
  }
  by_tenant_[record.tenant()].emplace(record.submitted_ns(), record.id());
  ++states_[static_cast<std::size_t>(record.state()) % states_.size()];
  if (record.delivery_due_ns() > 0) deliveries_.emplace(record.delivery_due_ns(), record.id());
  if (IsOver(record)) {
    over_.emplace(record.removed_ns(), record.id());
    return;
  }
  open_.emplace(record.submitted_ns(), record.id());
  ++open_of_[record.tenant()];
  waiting_parts_ += record.parts() - record.parts_done();
  Lane lane = LaneOf(record);
  LaneUse& use = lanes_[lane.id];
  ++use.jobs;
  use.lane = std::move(lane);
}

void JobIndex::Remove(const EntryPointer& entry) {
  if (entry == nullptr) return;
  const farm::JobRecord& record = entry->record;
  over_.erase({record.removed_ns(), record.id()});
  if (!record.gone()) {
    const auto tenant = by_tenant_.find(record.tenant());
    tenant->second.erase({record.submitted_ns(), record.id()});
    if (tenant->second.empty()) by_tenant_.erase(tenant);
    --states_[static_cast<std::size_t>(record.state()) % states_.size()];
    deliveries_.erase({record.delivery_due_ns(), record.id()});
    if (!IsOver(record)) {
      open_.erase({record.submitted_ns(), record.id()});
      const auto open = open_of_.find(record.tenant());
      if (--open->second == 0) open_of_.erase(open);
      waiting_parts_ -= record.parts() - record.parts_done();
      const auto use = lanes_.find(LaneOf(record).id);
      if (--use->second.jobs == 0) lanes_.erase(use);
    }
  }
  jobs_.erase(record.id());
}

JobIndex::EntryPointer JobIndex::Find(const std::string& id) const {
  std::lock_guard lock(mutex_);
  EntryPointer entry = At(id);
  return entry == nullptr || entry->record.gone() ? nullptr : entry;
}

std::map<std::string, std::vector<Lane>> JobIndex::OpenLanes(const JobQueue::Ability& ability) const {
  std::map<std::string, std::vector<Lane>> open;
  std::lock_guard lock(mutex_);
  for (const auto& [id, use] : lanes_) {
    if (CanDo(ability, use.lane)) open[use.lane.tenant].push_back(use.lane);
  }
  for (auto& [tenant, lanes] : open) {
    std::sort(lanes.begin(), lanes.end(),
              [](const Lane& one, const Lane& other) { return one.priority < other.priority; });
  }
  return open;
}

bool JobIndex::HasOpenJobs() const {
  std::lock_guard lock(mutex_);
  return !open_.empty();
}

std::vector<JobIndex::EntryPointer> JobIndex::OpenJobs() const {
  std::vector<EntryPointer> open;
  std::lock_guard lock(mutex_);
  open.reserve(open_.size());
  for (const auto& [time, id] : open_) open.push_back(At(id));
  return open;
}

std::vector<JobIndex::EntryPointer> JobIndex::Forgettable(JobTime now) const {
  std::vector<EntryPointer> entries;
  const std::int64_t until = ToNanoseconds(now);
  std::lock_guard lock(mutex_);
  for (const auto& [time, id] : over_) {
    if (time > until) break;
    entries.push_back(At(id));
  }
  return entries;
}

std::vector<JobIndex::EntryPointer> JobIndex::DueDeliveries(JobTime now) const {
  std::vector<EntryPointer> entries;
  const std::int64_t until = ToNanoseconds(now);
  std::lock_guard lock(mutex_);
  for (const auto& [time, id] : deliveries_) {
    if (time > until) break;
    entries.push_back(At(id));
  }
  return entries;
}

void JobIndex::Forget(const std::string& id) {
  std::lock_guard lock(mutex_);
  Remove(At(id));
}

JobQueue::Page JobIndex::List(const std::string& tenant, const JobQueue::Filter& filter,
                              std::optional<std::pair<std::int64_t, std::string>> from) const {
  JobQueue::Page page;
  std::lock_guard lock(mutex_);
  const auto jobs = by_tenant_.find(tenant);
  if (jobs == by_tenant_.end()) return page;
  auto next = std::make_reverse_iterator(from ? jobs->second.lower_bound(*from) : jobs->second.end());
  for (; next != jobs->second.rend(); ++next) {
    const EntryPointer entry = At(next->second);
    const auto state = static_cast<JobState>(entry->record.state());
    const bool wanted =
        filter.states.empty() || std::find(filter.states.begin(), filter.states.end(), state) != filter.states.end();
    if (!wanted) continue;
    if (static_cast<int>(page.jobs.size()) == filter.max_jobs) {
      const farm::JobRecord& last = At(page.jobs.back().spec.id)->record;
      page.next = absl::StrCat(last.submitted_ns(), "-", last.id());
      return page;
    }
    page.jobs.push_back(ToJob(entry->record, entry->sequence));
  }
  return page;
}

std::int64_t JobIndex::OpenOf(const std::string& tenant) const {
  std::lock_guard lock(mutex_);
  const auto found = open_of_.find(tenant);
  return found == open_of_.end() ? 0 : found->second;
}

std::int64_t JobIndex::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(jobs_.size());
}

JobIndex::Waiting JobIndex::waiting() const {
  std::lock_guard lock(mutex_);
  Waiting waiting{.parts = waiting_parts_, .oldest = std::nullopt};
  if (!open_.empty()) waiting.oldest = FromNanoseconds(open_.begin()->first);
  return waiting;
}

std::array<std::int64_t, JobCounts::kStates> JobIndex::states() const {
  std::lock_guard lock(mutex_);
  return states_;
}

}  // namespace kibitz::server
