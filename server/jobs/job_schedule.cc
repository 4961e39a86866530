#include "server/jobs/job_schedule.h"

#include <algorithm>

namespace kibitz::server {
namespace {

// What a part counts for until it is known how long it took.
constexpr std::chrono::seconds kExpectedTime{1};

bool IsAble(const JobQueue::Ability& ability, const JobSchedule::Entry& entry) {
  const auto fits = [](const std::string& wanted, const std::string& there) {
    return wanted.empty() || wanted == there;
  };
  return entry.format <= ability.max_format && fits(entry.generation.engine, ability.generation.engine) &&
         fits(entry.generation.evaluation, ability.generation.evaluation);
}

}  // namespace

void JobSchedule::Add(Entry entry, int next_part, int share) {
  Line& line = lines_[entry.tenant];
  line.set_weight(share);
  ++line.jobs;
  numbers_[entry.id] = entry.number;
  const std::int64_t number = entry.number;
  OpenJob& job = jobs_[number];
  job = {.entry = std::move(entry), .next_part = next_part};
  PutInLine(job);
}

void JobSchedule::Return(const Part& part, Time due) {
  const auto job = jobs_.find(part.number);
  if (job == jobs_.end()) return;
  job->second.running.erase(part.part);
  job->second.waiting[part.part] = {.history = part.history, .due = due};
  PutInLine(job->second);
}

void JobSchedule::Remove(std::int64_t number) {
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return;
  const auto line = lines_.find(job->second.entry.tenant);
  line->second.order.erase({job->second.entry.priority, number});
  if (line->second.order.empty()) shares_.Leave(line->second);
  if (--line->second.jobs == 0) lines_.erase(line);
  numbers_.erase(job->second.entry.id);
  jobs_.erase(job);
}

std::optional<JobSchedule::Part> JobSchedule::Next(const JobQueue::Ability& ability, Time now) {
  std::optional<Part> next;
  // Those whose turn it is, but who have nothing to be done by this node.
  std::vector<FairShares::Share*> passed_over;
  while (!next.has_value()) {
    FairShares::Share* const share = shares_.Next();
    if (share == nullptr) break;
    next = NextOf(static_cast<const Line&>(*share), ability, now);
    if (next.has_value()) break;
    shares_.Leave(*share);
    passed_over.push_back(share);
  }
  for (FairShares::Share* const share : passed_over) shares_.Wait(*share);
  return next;
}

std::optional<JobSchedule::Part> JobSchedule::NextOf(const Line& line, const JobQueue::Ability& ability,
                                                     Time now) const {
  for (const auto& [priority, number] : line.order) {
    const OpenJob& job = jobs_.at(number);
    if (!IsAble(ability, job.entry)) continue;
    for (const auto& [part, waiting] : job.waiting) {
      if (waiting.due <= now) return Part{.number = number, .part = part, .history = waiting.history};
    }
    if (job.next_part < job.entry.parts) return Part{.number = number, .part = job.next_part, .history = {}};
  }
  return std::nullopt;
}

void JobSchedule::Begin(const Part& part, std::int64_t ticket, Time now, Time lease_end, int share) {
  OpenJob& job = jobs_.at(part.number);
  job.waiting.erase(part.part);
  job.next_part = std::max(job.next_part, part.part + 1);
  job.running[part.part] = {.history = part.history, .ticket = ticket, .begun = now, .lease_end = lease_end};
  Line& line = lines_.at(job.entry.tenant);
  line.set_weight(share);
  shares_.Begin(line, kExpectedTime);
  PutInLine(job);
}

bool JobSchedule::Finish(std::int64_t number, int part, Time now) {
  const auto found = jobs_.find(number);
  if (found == jobs_.end()) return false;
  OpenJob& job = found->second;
  if (const auto running = job.running.find(part); running != job.running.end()) {
    shares_.End(lines_.at(job.entry.tenant), kExpectedTime - (now - running->second.begun));
    job.running.erase(running);
    return true;
  }
  if (job.waiting.erase(part) == 0) return false;
  PutInLine(job);
  return true;
}

bool JobSchedule::IsOver(std::int64_t number, int part) const {
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return true;
  return part < job->second.next_part && !job->second.running.contains(part) && !job->second.waiting.contains(part);
}

void JobSchedule::PutInLine(const OpenJob& job) {
  Line& line = lines_.at(job.entry.tenant);
  const std::pair<JobPriority, std::int64_t> place(job.entry.priority, job.entry.number);
  if (job.HasWaiting()) {
    line.order.insert(place);
    shares_.Wait(line);
  } else {
    line.order.erase(place);
    if (line.order.empty()) shares_.Leave(line);
  }
}

std::optional<JobSchedule::Part> JobSchedule::FindRunning(std::int64_t number, int part, std::int64_t ticket) const {
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return std::nullopt;
  const auto running = job->second.running.find(part);
  if (running == job->second.running.end() || running->second.ticket != ticket) return std::nullopt;
  return Part{.number = number, .part = part, .history = running->second.history};
}

bool JobSchedule::KeepAlive(std::int64_t number, int part, std::int64_t ticket, Time lease_end) {
  const auto job = jobs_.find(number);
  if (job == jobs_.end()) return false;
  const auto running = job->second.running.find(part);
  if (running == job->second.running.end() || running->second.ticket != ticket) return false;
  running->second.lease_end = lease_end;
  return true;
}

std::vector<JobSchedule::Part> JobSchedule::Lapsed(Time now) const {
  std::vector<Part> lapsed;
  for (const auto& [number, job] : jobs_) {
    for (const auto& [part, running] : job.running) {
      if (running.lease_end <= now) lapsed.push_back({.number = number, .part = part, .history = running.history});
    }
  }
  return lapsed;
}

const JobSchedule::Entry* JobSchedule::Find(std::int64_t number) const {
  const auto job = jobs_.find(number);
  return job == jobs_.end() ? nullptr : &job->second.entry;
}

const JobSchedule::Entry* JobSchedule::Find(const std::string& id) const {
  const auto number = numbers_.find(id);
  return number == numbers_.end() ? nullptr : Find(number->second);
}

std::size_t JobSchedule::JobsOf(const std::string& tenant) const {
  const auto line = lines_.find(tenant);
  return line == lines_.end() ? 0 : line->second.jobs;
}

std::int64_t JobSchedule::waiting_parts() const {
  std::int64_t parts = 0;
  for (const auto& [number, job] : jobs_) parts += job.CountWaiting();
  return parts;
}

std::int64_t JobSchedule::running_parts() const {
  std::int64_t parts = 0;
  for (const auto& [number, job] : jobs_) parts += static_cast<std::int64_t>(job.running.size());
  return parts;
}

std::int64_t JobSchedule::positions() const {
  std::int64_t positions = 0;
  for (const auto& [number, job] : jobs_) {
    positions += (job.CountWaiting() + static_cast<std::int64_t>(job.running.size())) * job.entry.part_size;
  }
  return positions;
}

std::optional<JobTime> JobSchedule::oldest() const {
  std::optional<JobTime> oldest;
  for (const auto& [number, job] : jobs_) {
    if (job.HasWaiting() && (!oldest.has_value() || job.entry.submitted < *oldest)) oldest = job.entry.submitted;
  }
  return oldest;
}

}  // namespace kibitz::server
