#include "server/webhook/webhook_sender.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <google/protobuf/util/json_util.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "kibitz/v1/jobs.pb.h"
#include "server/conversion/job.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::system_clock;

constexpr long kGone = 410;
// What a receiver says is nobody's business; more than this is not even read.
constexpr std::size_t kMaxAnswer = 16 << 10;

// Addresses of this machine and of networks that are nobody's or everybody's own.
bool IsPrivate(std::uint32_t address) {
  struct Range {
    std::uint32_t first;
    int bits;
  };
  constexpr Range kRanges[] = {{0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
                               {0xac100000, 12}, {0xc0000000, 24}, {0xc0a80000, 16}, {0xc6120000, 15}, {0xe0000000, 3}};
  return std::any_of(std::begin(kRanges), std::end(kRanges),
                     [&](const Range& range) { return (address ^ range.first) >> (32 - range.bits) == 0; });
}

bool IsPrivate(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    return IsPrivate(ntohl(reinterpret_cast<const sockaddr_in&>(address).sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return true;
  const std::uint8_t* const bytes = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr)) {
    return IsPrivate(static_cast<std::uint32_t>(bytes[12] << 24 | bytes[13] << 16 | bytes[14] << 8 | bytes[15]));
  }
  // Only what is given out to be reached from everywhere: 2000::/3.
  return bytes[0] >> 5 != 1;
}

// For libcurl: a socket to where it wants to connect, if it may.
curl_socket_t OpenSocket(void* may_be_private, curlsocktype /*purpose*/, curl_sockaddr* address) {
  if (!*static_cast<const bool*>(may_be_private) && IsPrivate(address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t Ignore(char* /*bytes*/, std::size_t size, std::size_t count, void* read) {
  auto& total = *static_cast<std::size_t*>(read);
  total += size * count;
  return total > kMaxAnswer ? 0 : size * count;
}

}  // namespace

WebhookSender::WebhookSender(Options options, WebhookRules rules, JobQueue& queue)
    : options_(std::move(options)), rules_(std::move(rules)), queue_(queue) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back(&WebhookSender::Run, this);
}

WebhookSender::~WebhookSender() { Stop(); }

void WebhookSender::Stop() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void WebhookSender::Run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    lock.unlock();
    const absl::StatusOr<std::vector<JobQueue::Delivery>> due = queue_.TakeDeliveries(1);
    if (due.ok() && !due->empty()) Deliver(due->front());
    lock.lock();
    if (due.ok() && !due->empty()) continue;
    changed_.wait_for(lock, options_.poll_time, [&] { return ending_; });
  }
}

milliseconds WebhookSender::PauseAfter(int attempt) const {
  milliseconds pause = options_.first_pause;
  for (int i = 1; i < attempt && pause < options_.max_pause; ++i) pause *= 3;
  return std::min(pause, options_.max_pause);
}

void WebhookSender::Deliver(const JobQueue::Delivery& delivery) {
  const JobSpec& spec = delivery.job.spec;
  std::string body;
  // A job that was read from the queue can be written.
  (void)google::protobuf::util::MessageToJsonString(ToWire(delivery.job), &body);
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::seconds>(system_clock::now().time_since_epoch()).count();
  // What was allowed when the job was accepted may not be any more.
  const absl::Status allowed = rules_.Check("webhook_url", spec.tenant, spec.webhook);
  const absl::StatusOr<long> answer =
      allowed.ok() ? Post(spec.webhook, WebhookSignature(rules_.SecretOf(spec.tenant), now, body), body)
                   : absl::StatusOr<long>(allowed);
  const bool told = answer.ok() && *answer >= 200 && *answer < 300;
  const bool hopeless = !allowed.ok() || (answer.ok() && *answer == kGone) || delivery.attempt >= options_.max_attempts;
  std::optional<JobTime> next;
  if (!told && !hopeless) next = system_clock::now() + PauseAfter(delivery.attempt);
  if (!told) {
    spdlog::warn("the webhook of job {} of {} failed, attempt {}: {}{}", spec.id, spec.tenant, delivery.attempt,
                 answer.ok() ? absl::StrCat("HTTP ", *answer) : std::string(answer.status().message()),
                 hopeless ? "; it is given up" : "");
  }
  // If that cannot be put down it is told again.
  queue_.EndDelivery(delivery, next).IgnoreError();
}

absl::StatusOr<long> WebhookSender::Post(const std::string& url, const std::string& signature,
                                         const std::string& body) const {
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(), curl_easy_cleanup);
  if (curl == nullptr) return absl::ResourceExhaustedError("there is no memory for it");
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers(nullptr, curl_slist_free_all);
  for (const std::string& header : {std::string("Content-Type: application/json"), std::string("Expect:"),
                                    absl::StrCat("X-Kibitz-Signature: ", signature)}) {
    headers.reset(curl_slist_append(headers.release(), header.c_str()));
  }
  bool may_be_private = rules_.MayBePrivate(url);
  std::size_t read = 0;
  char error[CURL_ERROR_SIZE] = "";
  const auto set = [&](CURLoption option, auto value) { curl_easy_setopt(curl.get(), option, value); };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "https,http");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options_.timeout.count()));
  set(CURLOPT_USERAGENT, "kibitzd");
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_POSTFIELDS, body.data());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(CURLOPT_WRITEFUNCTION, Ignore);
  set(CURLOPT_WRITEDATA, &read);
  set(CURLOPT_OPENSOCKETFUNCTION, OpenSocket);
  set(CURLOPT_OPENSOCKETDATA, &may_be_private);
  set(CURLOPT_ERRORBUFFER, error);
  if (!options_.ca_file.empty()) set(CURLOPT_CAINFO, options_.ca_file.c_str());
  const CURLcode code = curl_easy_perform(curl.get());
  long answer = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer);
  // A receiver that says too much has answered all the same.
  if (code == CURLE_WRITE_ERROR && answer != 0) return answer;
  if (code != CURLE_OK) return absl::UnavailableError(error[0] != '\0' ? error : curl_easy_strerror(code));
  return answer;
}

}  // namespace kibitz::server
