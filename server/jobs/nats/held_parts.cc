#include "server/jobs/nats/held_parts.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "server/jobs/nats/work_answers.h"

namespace kibitz::server {
namespace {

constexpr char kYes[] = "held";
constexpr char kNo[] = "not held";

// A node that is there answers at once, however busy it is.
constexpr std::chrono::milliseconds kAnswerTime{500};
constexpr std::chrono::milliseconds kListen{100};
// How often JetStream hears that a part is being done.
constexpr std::chrono::milliseconds kWordInterval{800};

std::string Name(const std::string& job, int part) { return absl::StrCat(job, ".", part); }

}  // namespace

HeldParts::HeldParts(NatsClient& client, std::string subject)
    : client_(client), thread_([this, subject = std::move(subject)] { Run(subject); }) {}

HeldParts::~HeldParts() {
  ending_ = true;
  thread_.join();
}

void HeldParts::Run(const std::string& subject) {
  natsSubscription* made = nullptr;
  while (!ending_ && natsConnection_SubscribeSync(&made, client_.connection(), subject.c_str()) != NATS_OK) {
    std::this_thread::sleep_for(kListen);
  }
  const NatsSubscription subscription(made);
  auto next_words = NatsClient::Clock::now();
  while (!ending_) {
    if (NatsClient::Clock::now() >= next_words) {
      SpeakForAll();
      next_words = NatsClient::Clock::now() + kWordInterval;
    }
    natsMsg* received = nullptr;
    if (natsSubscription_NextMsg(&received, made, kListen.count()) != NATS_OK) continue;
    const NatsMessage question(received);
    if (natsMsg_GetReply(received) == nullptr) continue;
    natsConnection_PublishString(client_.connection(), natsMsg_GetReply(received),
                                 Answers(DataOf(question)) ? kYes : kNo);
  }
}

std::int64_t HeldParts::Add(const std::string& job, int part, const std::string& reply) {
  const Key key(job, part);
  std::lock_guard lock(mutex_);
  const auto [place, added] = tickets_.emplace(key, last_ticket_ + 1);
  if (added) ++last_ticket_;
  held_[place->second] = {.key = key, .reply = reply, .spoken_for = NatsClient::Clock::now()};
  return place->second;
}

bool HeldParts::Holds(const std::string& job, int part) const { return Answers(Name(job, part)); }

bool HeldParts::Answers(absl::string_view question) const {
  std::lock_guard lock(mutex_);
  for (const auto& [ticket, held] : held_) {
    if (question != Name(held.key.first, held.key.second)) continue;
    return NatsClient::Clock::now() - held.spoken_for < kForgotten;
  }
  return false;
}

HeldParts::Answer HeldParts::Ask(NatsClient& client, const std::string& subject, const std::string& job, int part) {
  const std::optional<std::string> answer = client.Ask(subject, Name(job, part), kAnswerTime);
  if (!answer || answer->empty()) return Answer::kSilent;
  return *answer == kYes ? Answer::kHeld : Answer::kNotHeld;
}

void HeldParts::KeepAlive(std::int64_t ticket) {
  std::lock_guard lock(mutex_);
  if (const auto found = held_.find(ticket); found != held_.end()) found->second.spoken_for = NatsClient::Clock::now();
}

// What is said to nobody would be kept until somebody is there, and mean nothing by then.
void HeldParts::SpeakForAll() {
  if (!client_.connected()) return;
  const auto forgotten = NatsClient::Clock::now() - kForgotten;
  std::lock_guard lock(mutex_);
  for (const auto& [ticket, held] : held_) {
    if (held.spoken_for > forgotten) AnswerWork(client_, held.reply, kWorkGoesOn);
  }
}

void HeldParts::Remove(std::int64_t ticket, const std::string& word) {
  std::lock_guard lock(mutex_);
  const auto found = held_.find(ticket);
  if (found == held_.end()) return;
  AnswerWork(client_, found->second.reply, word);
  tickets_.erase(found->second.key);
  held_.erase(found);
}

void HeldParts::Acknowledge(std::int64_t ticket) { Remove(ticket, kWorkDone); }

void HeldParts::Return(std::int64_t ticket, std::chrono::milliseconds pause) { Remove(ticket, WorkReturned(pause)); }

std::int64_t HeldParts::size() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(held_.size());
}

}  // namespace kibitz::server
