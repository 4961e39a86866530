#include "server/jobs/nats/nats_client.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "server/errors/errors.h"
#include "server/jobs/job_errors.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// One try of what is tried again.
constexpr milliseconds kTry{1000};
constexpr milliseconds kPause{50};
// A server that was lost for longer than this is not waited for.
constexpr milliseconds kOutage{1500};

// Between two attempts to connect, and how much of chance is in it, so that a farm does not come back all at once.
constexpr milliseconds kReconnectPause{250};
constexpr milliseconds kReconnectJitter{250};
// A server that says nothing for so long is gone.
constexpr milliseconds kPing{2000};
constexpr int kMaxPings = 2;
// What is said while there is no connection: acknowledgements, which would be repeated anyway.
constexpr int kReconnectBytes = 256 << 10;

// Messages under way at a time.
constexpr std::size_t kWindow = 256;

std::string RandomName() {
  std::random_device random;
  const auto word = [&] { return absl::StrCat(absl::Hex(random(), absl::kZeroPad8)); };
  return word() + word() + word();
}

bool MayPass(natsStatus status, jsErrCode code) {
  constexpr int kNoCode = 0;
  switch (static_cast<int>(code)) {
    case JSClusterNotActiveErr:
    case JSClusterNotAvailErr:
    case JSClusterNotLeaderErr:
    case JSClusterNotAssignedErr:
    case JSNotEnabledErr:  // as libnats says when nobody answers
    case JSStreamNotFoundErr:
      return true;
    case kNoCode:
      break;
    default:
      return false;
  }
  switch (status) {
    case NATS_TIMEOUT:
    case NATS_NO_RESPONDERS:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_NO_SERVER:
    case NATS_IO_ERROR:
    case NATS_NOT_YET_CONNECTED:
    case NATS_STALE_CONNECTION:
    case NATS_INSUFFICIENT_BUFFER:
      return true;
    default:
      return false;
  }
}

bool IsConflict(absl::string_view answer) {
  return answer.find(absl::StrCat("\"err_code\":", static_cast<int>(JSStreamWrongLastSequenceErr))) !=
         absl::string_view::npos;
}

// The clients that there are. libnats may still call back for one when it has ended.
struct Clients {
  std::mutex mutex;  // guards what follows
  std::map<std::uintptr_t, NatsClient*> by_number;
  std::uintptr_t last = 0;
};

Clients& AllClients() {
  static Clients& clients = *new Clients;
  return clients;
}

using Options = std::unique_ptr<natsOptions, NatsDestroy<&natsOptions_Destroy>>;

absl::Status Check(natsStatus status, absl::string_view what) {
  if (status == NATS_OK) return absl::OkStatus();
  natsStatus last = NATS_OK;
  const char* const words = nats_GetLastError(&last);
  return absl::InvalidArgumentError(
      absl::StrCat(what, ": ", words != nullptr && *words != 0 ? words : natsStatus_GetText(status)));
}

}  // namespace

absl::Status StatusOf(natsStatus status, jsErrCode code, absl::string_view what) {
  if (code == JSStreamWrongLastSequenceErr) return absl::AbortedError(what);
  const std::string words = absl::StrCat("NATS does not do it (", what, "): ", natsStatus_GetText(status),
                                         code == 0 ? "" : absl::StrCat(", JetStream's error ", static_cast<int>(code)));
  return JobsUnavailable(words);
}

NatsClient::NatsClient(std::string name) : name_(std::move(name)), changed_(Clock::now().time_since_epoch().count()) {
  Clients& clients = AllClients();
  std::lock_guard lock(clients.mutex);
  number_ = ++clients.last;
  clients.by_number[number_] = this;
}

absl::StatusOr<std::unique_ptr<NatsClient>> NatsClient::Open(const NatsOptions& options) {
  std::unique_ptr<NatsClient> client(new NatsClient(RandomName()));
  if (absl::Status status = client->Connect(options); !status.ok()) return status;
  return client;
}

absl::Status NatsClient::Connect(const NatsOptions& options) {
  natsOptions* made = nullptr;
  if (absl::Status status = Check(natsOptions_Create(&made), "NATS"); !status.ok()) return status;
  const Options held(made);
  const std::vector<std::string> servers = absl::StrSplit(options.url, ',', absl::SkipEmpty());
  std::vector<const char*> urls;
  for (const std::string& server : servers) urls.push_back(server.c_str());
  const auto set = [&](natsStatus status, absl::string_view what) { return Check(status, what); };
  if (absl::Status status = set(natsOptions_SetServers(made, urls.data(), static_cast<int>(urls.size())), "nats");
      !status.ok()) {
    return status;
  }
  if (!options.tls_ca.empty()) {
    natsStatus status = natsOptions_LoadCATrustedCertificates(made, options.tls_ca.c_str());
    if (status == NATS_OK) status = natsOptions_SetSecure(made, true);
    if (absl::Status checked = set(status, "nats-tls-ca"); !checked.ok()) return checked;
  }
  if (!options.credentials.empty()) {
    const natsStatus status = natsOptions_SetUserCredentialsFromFiles(made, options.credentials.c_str(), nullptr);
    if (absl::Status checked = set(status, "nats-creds"); !checked.ok()) return checked;
  }
  natsOptions_SetName(made, "kibitzd");
  natsOptions_SetMaxReconnect(made, -1);
  natsOptions_SetReconnectWait(made, kReconnectPause.count());
  natsOptions_SetReconnectJitter(made, kReconnectJitter.count(), kReconnectJitter.count());
  natsOptions_SetReconnectBufSize(made, kReconnectBytes);
  natsOptions_SetPingInterval(made, kPing.count());
  natsOptions_SetMaxPingsOut(made, kMaxPings);
  natsOptions_SetTimeout(made, kTry.count());
  natsOptions_SetFailRequestsOnDisconnect(made, true);
  void* const number = reinterpret_cast<void*>(number_);  // NOLINT: any word
  natsOptions_SetDisconnectedCB(made, OnDisconnected, number);
  natsOptions_SetReconnectedCB(made, OnConnected, number);
  natsOptions_SetClosedCB(made, OnClosed, number);
  natsOptions_SetRetryOnFailedConnect(made, true, OnConnected, number);
  const natsStatus status = natsConnection_Connect(&connection_, made);
  if (status != NATS_OK && status != NATS_NOT_YET_CONNECTED)
    return Check(status, absl::StrCat("NATS at ", options.url));
  if (status == NATS_OK) SetConnected(true);
  jsOptions jetstream;
  jsOptions_Init(&jetstream);
  jetstream.Wait = kTry.count();
  return Check(natsConnection_JetStream(&jetstream_, connection_, &jetstream), "JetStream");
}

NatsClient::~NatsClient() {
  {
    Clients& clients = AllClients();
    std::lock_guard lock(clients.mutex);
    clients.by_number.erase(number_);
  }
  if (connection_ != nullptr) natsConnection_Close(connection_);
  jsCtx_Destroy(jetstream_);
  natsConnection_Destroy(connection_);
}

void NatsClient::OnConnected(natsConnection*, void* number) { Tell(number, true); }
void NatsClient::OnDisconnected(natsConnection*, void* number) { Tell(number, false); }

// Nobody who has ended is told. What is left is that the servers do not let this node in, several times in a row.
void NatsClient::OnClosed(natsConnection* connection, void* number) {
  Tell(number, false);
  const char* words = nullptr;
  if (natsConnection_GetLastError(connection, &words) != NATS_OK && words != nullptr && *words != 0) {
    spdlog::error("NATS is given up: {}; start this server anew once that is mended", words);
  }
}

void NatsClient::Tell(void* number, bool connected) {
  Clients& clients = AllClients();
  std::lock_guard lock(clients.mutex);
  const auto client = clients.by_number.find(reinterpret_cast<std::uintptr_t>(number));
  if (client != clients.by_number.end()) client->second->SetConnected(connected);
}

void NatsClient::SetConnected(bool connected) {
  if (connected_.exchange(connected) == connected) return;
  changed_ = Clock::now().time_since_epoch().count();
  if (!connected) ++losses_;
  if (connected) {
    spdlog::info("NATS answers");
  } else {
    spdlog::warn("NATS is lost; trying again");
  }
}

std::chrono::nanoseconds NatsClient::settled() const {
  return Clock::now() - Clock::time_point(Clock::duration(changed_.load()));
}

std::string NatsClient::NextMessageId() { return absl::StrCat(name_, ".", ++messages_); }

NatsClient::Clock::time_point NatsClient::EndOfPatience(milliseconds patience) const {
  return Clock::now() + (!connected_ && settled() > kOutage ? milliseconds(0) : patience);
}

bool NatsClient::Again(natsStatus status, jsErrCode code, Clock::time_point end) const {
  if (!MayPass(status, code) || Clock::now() >= end) return false;
  std::this_thread::sleep_for(kPause);
  return true;
}

absl::StatusOr<std::uint64_t> NatsClient::Write(const std::string& subject, absl::string_view data,
                                                std::optional<std::uint64_t> expected) {
  const std::string id = NextMessageId();
  const Clock::time_point end = EndOfPatience();
  if (!connected_ && end <= Clock::now()) return JobsUnavailable("NATS does not answer");
  for (;;) {
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MaxWait = kTry.count();
    options.MsgId = id.c_str();
    options.ExpectNoMessage = expected == std::uint64_t{0};
    options.ExpectLastSubjectSeq = expected.value_or(0);
    jsPubAck* ack = nullptr;
    jsErrCode code{};
    const natsStatus status =
        js_Publish(&ack, jetstream_, subject.c_str(), data.data(), static_cast<int>(data.size()), &options, &code);
    if (status == NATS_OK) {
      const std::uint64_t sequence = ack->Sequence;
      jsPubAck_Destroy(ack);
      return sequence;
    }
    if (!Again(status, code, end)) return StatusOf(status, code, "write");
  }
}

void NatsClient::Send(const std::string& subject, const std::string& reply, const std::string& id) {
  natsMsg* made = nullptr;
  if (natsMsg_Create(&made, subject.c_str(), reply.c_str(), "", 0) != NATS_OK) return;
  const NatsMessage message(made);
  natsMsgHeader_Set(made, "Nats-Msg-Id", id.c_str());
  natsMsgHeader_Set(made, "Nats-Expected-Last-Subject-Sequence", "0");
  natsConnection_PublishMsg(connection_, made);
}

absl::Status NatsClient::WriteEmpty(const std::vector<std::string>& subjects) {
  const Clock::time_point end = EndOfPatience();
  natsInbox* inbox = nullptr;
  if (const natsStatus status = natsInbox_Create(&inbox); status != NATS_OK) return StatusOf(status, {}, "inbox");
  const std::string replies = inbox;
  natsInbox_Destroy(inbox);
  natsSubscription* made = nullptr;
  const natsStatus subscribed = natsConnection_SubscribeSync(&made, connection_, (replies + ".*").c_str());
  if (subscribed != NATS_OK) return StatusOf(subscribed, {}, "subscribe");
  const NatsSubscription subscription(made);

  const std::string id = NextMessageId();
  std::set<std::size_t> missing;  // sent, and not heard of
  std::size_t next = 0;
  while (next < subjects.size() || !missing.empty()) {
    for (; next < subjects.size() && missing.size() < kWindow; ++next) {
      missing.insert(next);
      Send(subjects[next], absl::StrCat(replies, ".", next), absl::StrCat(id, ".", next));
    }
    natsMsg* received = nullptr;
    const natsStatus status = natsSubscription_NextMsg(&received, made, kTry.count());
    if (status != NATS_OK) {
      if (!Again(status, {}, end)) return StatusOf(status, {}, "write many");
      for (const std::size_t each : missing) {
        Send(subjects[each], absl::StrCat(replies, ".", each), absl::StrCat(id, ".", each));
      }
      continue;
    }
    const NatsMessage answer(received);
    const absl::string_view text = DataOf(answer);
    const bool refused = text.empty() || text.find("\"error\"") != absl::string_view::npos;
    // That one is there already is as good.
    if (refused && !IsConflict(text)) {
      if (Clock::now() >= end) return JobsUnavailable(absl::StrCat("JetStream says ", Printable(std::string(text))));
      std::this_thread::sleep_for(kPause);
      continue;  // it stays among those that are missing, which are sent again
    }
    const absl::string_view place = natsMsg_GetSubject(received);
    std::size_t number = 0;
    if (absl::SimpleAtoi(absl::string_view(place.data() + replies.size() + 1, place.size() - replies.size() - 1),
                         &number)) {
      missing.erase(number);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<NatsClient::Entry>> NatsClient::Read(const std::string& stream, const std::string& subject,
                                                                  milliseconds patience) {
  const Clock::time_point end = EndOfPatience(patience);
  if (!connected_ && end <= Clock::now()) return JobsUnavailable("NATS does not answer");
  jsOptions options;
  jsOptions_Init(&options);
  options.Wait = std::min(kTry, patience).count();
  for (;;) {
    natsMsg* received = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetLastMsg(&received, jetstream_, stream.c_str(), subject.c_str(), &options, &code);
    if (status == NATS_OK) {
      const NatsMessage message(received);
      return Entry{.data = std::string(DataOf(message)), .sequence = natsMsg_GetSequence(received)};
    }
    if (status == NATS_NOT_FOUND && code != JSStreamNotFoundErr) return std::nullopt;
    if (!Again(status, code, end)) return StatusOf(status, code, "read");
  }
}

absl::Status NatsClient::Purge(const std::string& stream, const std::string& subject) {
  const Clock::time_point end = EndOfPatience();
  for (;;) {
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = kTry.count();
    options.Stream.Purge.Subject = subject.c_str();
    jsErrCode code{};
    const natsStatus status = js_PurgeStream(jetstream_, stream.c_str(), &options, &code);
    if (status == NATS_OK) return absl::OkStatus();
    if (!Again(status, code, end)) return StatusOf(status, code, "purge");
  }
}

std::optional<std::string> NatsClient::Ask(const std::string& subject, absl::string_view question,
                                           std::chrono::milliseconds patience) {
  natsMsg* received = nullptr;
  const natsStatus status = natsConnection_Request(&received, connection_, subject.c_str(), question.data(),
                                                   static_cast<int>(question.size()), patience.count());
  if (status != NATS_OK) return std::nullopt;
  const NatsMessage answer(received);
  return std::string(DataOf(answer));
}

}  // namespace kibitz::server
