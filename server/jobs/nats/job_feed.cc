#include "server/jobs/nats/job_feed.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "server/errors/log_limit.h"
#include "server/jobs/job_errors.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPause{200};
constexpr milliseconds kListen{250};
// JetStream says each second that there is nothing new. Without a word for so long it has lost us.
constexpr std::chrono::nanoseconds kHeartbeat = std::chrono::seconds(1);
constexpr std::chrono::milliseconds kSilence{3500};
constexpr std::chrono::nanoseconds kForgottenAfter = std::chrono::seconds(10);
// What may come before it is looked at: all jobs at once, at the start.
constexpr int kMaxPending = 500'000;
constexpr int kMaxPendingBytes = 512 << 20;

}  // namespace

JobFeed::JobFeed(NatsClient& client, FarmStreams& streams, JobIndex& index, OnChange on_change)
    : client_(client), streams_(streams), index_(index), on_change_(std::move(on_change)), thread_([this] { Run(); }) {}

JobFeed::~JobFeed() {
  ending_ = true;
  thread_.join();
}

void JobFeed::Run() {
  LogLimit log_limit;
  while (!ending_) {
    absl::Status status = absl::OkStatus();
    if (client_.connected()) status = streams_.Ensure();
    if (client_.connected() && status.ok()) status = Follow();
    current_ = false;
    if (!status.ok() && !ending_ && log_limit.Allow()) {
      spdlog::warn("jobs of the farm are not heard of now: {}", std::string(status.message()));
    }
    if (!ending_) std::this_thread::sleep_for(kPause);
  }
}

// What JetStream gives us to follow ends with us, and is kept by one server only: when that one goes, we ask another.
absl::Status JobFeed::Begin(const std::string& inbox, bool& empty) {
  const std::string filter = streams_.AllJobs();
  const std::string stream = streams_.jobs();
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.DeliverSubject = inbox.c_str();
  config.DeliverPolicy = js_DeliverLastPerSubject;
  config.AckPolicy = js_AckNone;
  config.FilterSubject = filter.c_str();
  config.Heartbeat = kHeartbeat.count();
  config.InactiveThreshold = kForgottenAfter.count();
  config.MaxDeliver = 1;
  config.MemoryStorage = true;
  config.Replicas = 1;
  jsConsumerInfo* info = nullptr;
  jsErrCode code{};
  const natsStatus status = js_AddConsumer(&info, client_.jetstream(), stream.c_str(), &config, nullptr, &code);
  if (status != NATS_OK) return StatusOf(status, code, "follow the jobs");
  empty = info->NumPending == 0 && info->Delivered.Consumer == 0;
  jsConsumerInfo_Destroy(info);
  return absl::OkStatus();
}

absl::Status JobFeed::Follow() {
  natsInbox* made_inbox = nullptr;
  if (const natsStatus status = natsInbox_Create(&made_inbox); status != NATS_OK) return StatusOf(status, {}, "inbox");
  const std::string inbox = made_inbox;
  natsInbox_Destroy(made_inbox);
  natsSubscription* made = nullptr;
  if (const natsStatus status = natsConnection_SubscribeSync(&made, client_.connection(), inbox.c_str());
      status != NATS_OK) {
    return StatusOf(status, {}, "subscribe");
  }
  const NatsSubscription subscription(made);
  natsSubscription_SetPendingLimits(made, kMaxPending, kMaxPendingBytes);
  heard_ = 0;
  index_.BeginSurvey();
  bool empty = false;
  if (absl::Status status = Begin(inbox, empty); !status.ok()) return status;
  if (empty) EndSurvey();

  auto last_word = NatsClient::Clock::now();
  while (!ending_) {
    natsMsg* received = nullptr;
    const natsStatus status = natsSubscription_NextMsg(&received, made, kListen.count());
    if (status == NATS_OK) {
      const NatsMessage message(received);
      last_word = NatsClient::Clock::now();
      if (!Hear(message)) return JobsUnavailable("what JetStream tells has gaps");
    } else if (status != NATS_TIMEOUT) {
      return StatusOf(status, {}, "listen");
    } else if (NatsClient::Clock::now() - last_word > kSilence) {
      return JobsUnavailable("JetStream says nothing");
    }
  }
  return absl::OkStatus();
}

bool JobFeed::Hear(const NatsMessage& message) {
  jsMsgMetaData* made = nullptr;
  // A heartbeat has none.
  if (natsMsg_GetMetaData(&made, message.get()) != NATS_OK) return true;
  const std::unique_ptr<jsMsgMetaData, NatsDestroy<&jsMsgMetaData_Destroy>> meta(made);
  if (meta->Sequence.Consumer != ++heard_) return false;
  farm::JobRecord record;
  const absl::string_view data = DataOf(message);
  if (record.ParseFromArray(data.data(), static_cast<int>(data.size())) && !record.id().empty()) {
    const std::string job = record.id();
    const JobIndex::News news = index_.Apply(std::move(record), meta->Sequence.Stream);
    if (news.is_news) on_change_(job, news.before);
  } else {
    spdlog::warn("a job's record cannot be read: {}", natsMsg_GetSubject(message.get()));
  }
  if (meta->NumPending == 0) EndSurvey();
  return true;
}

void JobFeed::EndSurvey() {
  if (current_) return;
  for (const std::string& job : index_.EndSurvey()) on_change_(job, nullptr);
  current_ = true;
}

}  // namespace kibitz::server
