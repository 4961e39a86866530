#include "server/jobs/nats/work_lanes.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// Where nothing was, nothing is looked for until then: with many lanes for longer, so that a node that has nothing to
// do asks at most a hundred times a second.
constexpr milliseconds kEmptyPause{200};
constexpr milliseconds kEmptyPausePerLane{10};
// How long JetStream may take to say that there is nothing.
constexpr milliseconds kFetchTime{1000};
// Lanes that nobody has asked about for so long are closed, here and in JetStream.
constexpr std::chrono::minutes kUnused{10};
// Parts of a lane that are being done at a time, over all nodes.
constexpr std::int64_t kMaxUnderWay = 65536;

}  // namespace

WorkLanes::WorkLanes(NatsClient& client, FarmStreams& streams, milliseconds ack_wait, TermsOf terms_of)
    : client_(client), streams_(streams), ack_wait_(ack_wait), terms_of_(std::move(terms_of)) {}

void WorkLanes::Forget(const Lanes& open) {
  const Clock::time_point long_ago = Clock::now() - kUnused;
  std::erase_if(sources_, [&](const auto& each) { return each.second.used < long_ago; });
  std::erase_if(turns_, [&](const auto& each) { return each.second.used < long_ago && !open.contains(each.first); });
}

// Who is furthest behind comes first. Who was away is owed nothing for that.
std::vector<std::string> WorkLanes::InOrder(const Lanes& open) {
  double least = -1;
  for (const auto& [tenant, lanes] : open) {
    const auto turn = turns_.find(tenant);
    if (turn != turns_.end() && (least < 0 || turn->second.time < least)) least = turn->second.time;
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [tenant, lanes] : open) {
    const auto [turn, added] = turns_.try_emplace(tenant);
    if (added || Clock::now() - turn->second.used > kFetchTime) turn->second.time = std::max(turn->second.time, least);
    turn->second.used = Clock::now();
    order.emplace_back(turn->second.time, tenant);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> tenants;
  for (auto& [time, tenant] : order) tenants.push_back(std::move(tenant));
  return tenants;
}

absl::StatusOr<std::optional<WorkLanes::Fetched>> WorkLanes::Fetch(const Lanes& open) {
  Forget(open);
  std::size_t count = 0;
  for (const auto& [tenant, lanes] : open) count += lanes.size();
  const auto pause = std::max(kEmptyPause, kEmptyPausePerLane * static_cast<int>(count));
  for (const std::string& tenant : InOrder(open)) {
    for (const Lane& lane : open.at(tenant)) {
      Source& source = sources_[lane.id];
      source.used = Clock::now();
      if (source.used < source.empty_until) continue;
      absl::StatusOr<std::optional<Fetched>> fetched = FetchFrom(lane, source);
      if (!fetched.ok() || fetched->has_value()) return fetched;
      source.empty_until = Clock::now() + pause;
    }
  }
  return std::nullopt;
}

void WorkLanes::Count(const std::string& tenant) { turns_[tenant].time += 1.0 / std::max(1, terms_of_(tenant).share); }

void WorkLanes::Wake(const std::string& lane) {
  if (const auto source = sources_.find(lane); source != sources_.end()) source->second.empty_until = {};
}

absl::Status WorkLanes::Open(const Lane& lane, Source& source) {
  const std::string stream = streams_.work();
  const std::string filter = streams_.LaneSubject(lane.id);
  jsConsumerConfig config;
  jsConsumerConfig_Init(&config);
  config.Durable = lane.id.c_str();
  config.FilterSubject = filter.c_str();
  config.AckPolicy = js_AckExplicit;
  config.AckWait = std::chrono::nanoseconds(ack_wait_).count();
  config.MaxAckPending = kMaxUnderWay;
  config.InactiveThreshold = std::chrono::nanoseconds(2 * kUnused).count();
  jsErrCode code{};
  natsStatus status = js_AddConsumer(nullptr, client_.jetstream(), stream.c_str(), &config, nullptr, &code);
  if (status != NATS_OK) return StatusOf(status, code, "open a lane");
  natsInbox* inbox = nullptr;
  if (status = natsInbox_Create(&inbox); status != NATS_OK) return StatusOf(status, {}, "inbox");
  source.inbox = inbox;
  natsInbox_Destroy(inbox);
  natsSubscription* made = nullptr;
  status = natsConnection_SubscribeSync(&made, client_.connection(), source.inbox.c_str());
  if (status != NATS_OK) return StatusOf(status, {}, "listen to a lane");
  source.subscription.reset(made);
  return absl::OkStatus();
}

// Said by hand, because libnats waits for a message where JetStream would say at once that there is none. What comes
// too late for one question answers the next.
absl::StatusOr<std::optional<WorkLanes::Fetched>> WorkLanes::FetchFrom(const Lane& lane, Source& source) {
  if (source.subscription == nullptr) {
    if (absl::Status status = Open(lane, source); !status.ok()) return status;
  }
  const std::string subject = absl::StrCat("$JS.API.CONSUMER.MSG.NEXT.", streams_.work(), ".", lane.id);
  constexpr char kOneNow[] = R"({"batch":1,"no_wait":true})";
  natsStatus status = natsConnection_PublishRequest(client_.connection(), subject.c_str(), source.inbox.c_str(),
                                                    kOneNow, sizeof(kOneNow) - 1);
  natsMsg* received = nullptr;
  if (status == NATS_OK) status = natsSubscription_NextMsg(&received, source.subscription.get(), kFetchTime.count());
  const NatsMessage message(received);
  jsMsgMetaData* meta = nullptr;
  if (status == NATS_OK && natsMsg_GetMetaData(&meta, received) == NATS_OK) {
    Fetched fetched{.subject = natsMsg_GetSubject(received),
                    .reply = natsMsg_GetReply(received),
                    .deliveries = meta->NumDelivered,
                    .tenant = lane.tenant};
    jsMsgMetaData_Destroy(meta);
    return fetched;
  }
  // That there is nothing is no error, and that nobody answers is none yet: next time the lane is opened anew.
  if (status != NATS_OK || natsMsg_IsNoResponders(received)) source.subscription.reset();
  if (status == NATS_OK || status == NATS_TIMEOUT || status == NATS_NO_RESPONDERS) return std::nullopt;
  return StatusOf(status, {}, "take from a lane");
}

}  // namespace kibitz::server
