#include "client/http/transfer_loop.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <future>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"

namespace kibitz::client::http {
namespace {

// More than any server of good will sends.
constexpr std::size_t kMaxHeadBytes = 64 << 10;
// The longest sleep of an idle loop; it is woken for everything, so this is only a second chance.
constexpr int kIdlePollMs = 60'000;
// Finds out that the other machine is gone where neither side has anything to say.
constexpr long kKeepAliveSeconds = 20;  // NOLINT: curl's own type
// An answer to an upload ends it; the rest of that answer has this long to come.
constexpr absl::Duration kGrace = absl::Seconds(2);
// libcurl counts in a type that holds no more than some weeks everywhere.
constexpr absl::Duration kLongestConnect = absl::Hours(1);

void StartLibrary() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  (void)started;
}

CURLM* MakeMulti() {
  StartLibrary();
  return curl_multi_init();
}

absl::Status Failure(CURLcode code, const std::string& host, const char* details) {
  const std::string why = OneLine(*details != '\0' ? details : curl_easy_strerror(code));
  switch (code) {
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
      return absl::InvalidArgumentError(absl::StrCat("no address that can be asked: ", why));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return absl::FailedPreconditionError(absl::StrCat(host, " is not to be trusted: ", why));
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      return absl::UnavailableError(absl::StrCat(host, " cannot be reached: ", why));
    default:
      return absl::UnavailableError(absl::StrCat("the exchange with ", host, " broke off: ", why));
  }
}

}  // namespace

// What the loop knows of an exchange. All of it belongs to the loop's thread.
class Transfer::Job {
 public:
  Job(TransferLoop& loop, TransferSpec spec) : loop_(loop), spec_(std::move(spec)) {}
  ~Job() { Free(); }

  CURL* handle() const { return handle_; }
  const TransferSpec& spec() const { return spec_; }
  const char* details() const { return details_.data(); }
  // What ended it, where that was not libcurl.
  std::optional<absl::Status>& failure() { return failure_; }

  // False where libcurl has no memory.
  bool Prepare();
  void Free();
  void Resume();
  // Lets an upload that was answered ask for more, and hear that there is none.
  void ResumeIfAnswered() {
    if (sending_paused_ && head_is_here_) Resume();
  }
  // The connection of an upload that the server has not answered yet; -1 if there is none. libcurl takes the end of
  // such a connection for the end of the answer alone, and goes on sending.
  int UnansweredUpload() const;
  // When it is overdue, and why.
  absl::Time Deadline() const;
  absl::Status Overdue() const;

 private:
  static std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* job);
  static std::size_t OnData(char* data, std::size_t size, std::size_t count, void* job);
  static std::size_t OnRead(char* buffer, std::size_t size, std::size_t count, void* job);
  // Its connection is there, a new one or one that was kept.
  static int OnConnection(void* job, char* peer, char* here, int peer_port, int local_port);

  template <typename... Value>
  void Set(CURLoption option, Value... value) {
    settings_fit_ = curl_easy_setopt(handle_, option, value...) == CURLE_OK && settings_fit_;
  }
  void SetMethod();
  void SetHeaders();
  void AddHeader(const std::string& line);
  bool HearHeader(absl::string_view line);
  void EndOfHead();
  bool IsUpload() const { return spec_.events.read_body != nullptr; }

  TransferLoop& loop_;
  const TransferSpec spec_;
  CURL* handle_ = nullptr;
  int socket_ = -1;
  curl_slist* headers_ = nullptr;
  bool settings_fit_ = true;
  std::array<char, CURL_ERROR_SIZE> details_{};
  std::optional<absl::Status> failure_;

  ResponseHead head_;
  std::size_t head_bytes_ = 0;
  bool head_is_here_ = false;
  bool reading_paused_ = false;  // nobody takes what comes
  bool sending_paused_ = false;  // there is nothing to send
  const absl::Time start_ = absl::Now();
  absl::Time last_moved_ = start_;
  absl::Time answered_ = absl::InfiniteFuture();
};

bool Transfer::Job::Prepare() {
  handle_ = curl_easy_init();
  if (handle_ == nullptr) return false;
  Set(CURLOPT_URL, spec_.url.c_str());
  Set(CURLOPT_PROTOCOLS_STR, "http,https");
  Set(CURLOPT_FOLLOWLOCATION, 0L);
  Set(CURLOPT_PATH_AS_IS, 1L);
  Set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
  Set(CURLOPT_NOSIGNAL, 1L);
  Set(CURLOPT_QUICK_EXIT, 1L);  // whoever gives up does not wait for a name server
  Set(CURLOPT_TCP_KEEPALIVE, 1L);
  Set(CURLOPT_TCP_KEEPIDLE, kKeepAliveSeconds);
  Set(CURLOPT_TCP_KEEPINTVL, kKeepAliveSeconds);
  Set(CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(absl::ToInt64Milliseconds(std::min(spec_.connect_timeout, kLongestConnect))));  // NOLINT
  Set(CURLOPT_ERRORBUFFER, details_.data());
  Set(CURLOPT_USERAGENT, spec_.user_agent.c_str());
  Set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (!spec_.ca_file.empty()) Set(CURLOPT_CAINFO, spec_.ca_file.c_str());
  Set(CURLOPT_HEADERFUNCTION, &OnHeader);
  Set(CURLOPT_HEADERDATA, this);
  Set(CURLOPT_WRITEFUNCTION, &OnData);
  Set(CURLOPT_WRITEDATA, this);
  Set(CURLOPT_OPENSOCKETFUNCTION, &TransferLoop::OpenSocket);
  Set(CURLOPT_OPENSOCKETDATA, &loop_);
  Set(CURLOPT_CLOSESOCKETFUNCTION, &TransferLoop::CloseSocket);
  Set(CURLOPT_CLOSESOCKETDATA, &loop_);
  SetMethod();
  SetHeaders();
  return settings_fit_;
}

void Transfer::Job::SetMethod() {
  const Request& request = spec_.request;
  if (IsUpload()) {
    Set(CURLOPT_POST, 1L);
    Set(CURLOPT_READFUNCTION, &OnRead);
    Set(CURLOPT_READDATA, this);
    Set(CURLOPT_PREREQFUNCTION, &OnConnection);
    Set(CURLOPT_PREREQDATA, this);
  } else if (request.method != Method::kGet) {
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    Set(CURLOPT_POSTFIELDS, request.body.c_str());
    if (request.method == Method::kPut) Set(CURLOPT_CUSTOMREQUEST, "PUT");
    if (request.method == Method::kDelete) Set(CURLOPT_CUSTOMREQUEST, "DELETE");
  }
}

void Transfer::Job::SetHeaders() {
  for (const auto& [name, value] : spec_.request.headers) AddHeader(absl::StrCat(name, ": ", value));
  // Without a value libcurl leaves out what it would say of itself: a type for a body that is none, and the question
  // whether a body is welcome, for whose answer it waits a second.
  AddHeader(absl::StrCat("Content-Type:", spec_.request.content_type.empty() ? "" : " ", spec_.request.content_type));
  AddHeader("Expect:");
  if (IsUpload()) AddHeader("Transfer-Encoding: chunked");
  if (!spec_.bearer.empty()) AddHeader(absl::StrCat("Authorization: Bearer ", spec_.bearer));
  Set(CURLOPT_HTTPHEADER, headers_);
}

void Transfer::Job::AddHeader(const std::string& line) {
  curl_slist* const longer = curl_slist_append(headers_, line.c_str());
  settings_fit_ = settings_fit_ && longer != nullptr;
  if (longer != nullptr) headers_ = longer;
}

void Transfer::Job::Free() {
  if (handle_ != nullptr) curl_easy_cleanup(handle_);
  if (headers_ != nullptr) curl_slist_free_all(headers_);
  handle_ = nullptr;
  headers_ = nullptr;
}

void Transfer::Job::Resume() {
  if (!reading_paused_ && !sending_paused_) return;
  last_moved_ = absl::Now();
  reading_paused_ = false;
  sending_paused_ = false;
  // It may call OnData at once, which may pause again.
  curl_easy_pause(handle_, CURLPAUSE_CONT);
}

int Transfer::Job::UnansweredUpload() const {
  return IsUpload() && !head_is_here_ && loop_.sockets_.contains(socket_) ? socket_ : -1;
}

absl::Time Transfer::Job::Deadline() const {
  const bool bounded = !spec_.is_stream || (!head_is_here_ && !IsUpload());
  const absl::Time whole = bounded ? start_ + spec_.request.timeout : absl::InfiniteFuture();
  // Nothing is late that we hold up ourselves. Nobody has to say anything while he is told things.
  const bool we_wait = reading_paused_ || (IsUpload() && sending_paused_);
  const absl::Time stalled = we_wait ? absl::InfiniteFuture() : last_moved_ + spec_.stall_timeout;
  return std::min({whole, stalled, answered_ + kGrace});
}

absl::Status Transfer::Job::Overdue() const {
  if (answered_ < absl::InfiniteFuture()) return absl::OkStatus();
  if (spec_.is_stream && (head_is_here_ || IsUpload())) {
    return absl::UnavailableError(
        absl::StrCat(spec_.host, " has been silent for ", absl::FormatDuration(spec_.stall_timeout)));
  }
  return absl::DeadlineExceededError(
      absl::StrCat(spec_.host, " did not answer within ", absl::FormatDuration(spec_.request.timeout)));
}

bool Transfer::Job::HearHeader(absl::string_view line) {
  head_bytes_ += line.size();
  if (head_bytes_ > kMaxHeadBytes) {
    failure_ =
        absl::ResourceExhaustedError(absl::StrCat(spec_.host, " sent headers of more than ", kMaxHeadBytes, " bytes"));
    return false;
  }
  last_moved_ = absl::Now();
  if (head_is_here_) return true;  // trailers
  line = absl::StripAsciiWhitespace(line);
  if (absl::StartsWith(line, "HTTP/")) {
    head_ = {};
    const std::vector<absl::string_view> words = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (words.size() > 1) (void)absl::SimpleAtoi(words[1], &head_.status);
  } else if (line.empty()) {
    if (head_.status >= 200) EndOfHead();
  } else {
    const std::pair<absl::string_view, absl::string_view> field = absl::StrSplit(line, absl::MaxSplits(':', 1));
    head_.headers[absl::AsciiStrToLower(absl::StripAsciiWhitespace(field.first))] =
        std::string(absl::StripAsciiWhitespace(field.second));
  }
  return true;
}

void Transfer::Job::EndOfHead() {
  head_is_here_ = true;
  if (IsUpload()) answered_ = absl::Now();
  if (spec_.events.on_head) spec_.events.on_head(head_);
}

std::size_t Transfer::Job::OnHeader(char* data, std::size_t size, std::size_t count, void* job) {
  return static_cast<Job*>(job)->HearHeader({data, size * count}) ? size * count : 0;
}

std::size_t Transfer::Job::OnData(char* data, std::size_t size, std::size_t count, void* job) {
  auto& self = *static_cast<Job*>(job);
  self.last_moved_ = absl::Now();
  if (!self.spec_.events.on_data || self.spec_.events.on_data({data, size * count})) return size * count;
  self.reading_paused_ = true;
  return CURL_WRITEFUNC_PAUSE;
}

std::size_t Transfer::Job::OnRead(char* buffer, std::size_t size, std::size_t count, void* job) {
  auto& self = *static_cast<Job*>(job);
  self.last_moved_ = absl::Now();
  // Whoever has answered does not want the rest.
  if (self.head_is_here_) return 0;
  const std::optional<std::size_t> taken = self.spec_.events.read_body(buffer, size * count);
  if (taken) return *taken;
  self.sending_paused_ = true;
  return CURL_READFUNC_PAUSE;
}

// libcurl tells the port, not the socket.
int Transfer::Job::OnConnection(void* job, char*, char*, int, int local_port) {
  auto& self = *static_cast<Job*>(job);
  for (const int socket : self.loop_.sockets_) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) continue;
    const in_port_t port = address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                                         : reinterpret_cast<sockaddr_in&>(address).sin_port;
    if (ntohs(port) == local_port) self.socket_ = socket;
  }
  return CURL_PREREQFUNC_OK;
}

Transfer::Transfer(TransferLoop& loop, TransferSpec spec)
    : loop_(loop), job_(std::make_shared<Job>(loop, std::move(spec))) {
  loop_.Post([&loop, job = job_] { loop.Begin(job); });
}

Transfer::~Transfer() {
  std::promise<void> gone;
  loop_.Post([this, &gone] {
    loop_.End(job_->handle(), std::nullopt);
    gone.set_value();
  });
  gone.get_future().wait();
}

void Transfer::Resume() {
  loop_.Post([&loop = loop_, job = job_] {
    if (loop.jobs_.contains(job->handle())) job->Resume();
  });
}

TransferLoop::TransferLoop() : multi_(MakeMulti()) {
  thread_ = std::thread([this] { Run(); });
}

TransferLoop::~TransferLoop() {
  Post([this] { leaving_ = true; });
  thread_.join();
  curl_multi_cleanup(multi_);
}

void TransferLoop::Post(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    posted_.push_back(std::move(work));
  }
  curl_multi_wakeup(multi_);
}

void TransferLoop::Run() {
  // Signals are for the program's own threads; and a write to a connection that is gone is an error, not the end.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  while (!leaving_) {
    int running = 0;
    curl_multi_perform(multi_, &running);
    for (const auto& [handle, job] : jobs_) job->ResumeIfAnswered();
    EndFinished();
    EndOverdue();
    EndDeserted();
    Await();
    DoPosted();
  }
}

void TransferLoop::DoPosted() {
  std::vector<std::function<void()>> work;
  {
    std::lock_guard lock(mutex_);
    work.swap(posted_);
  }
  for (const auto& piece : work) piece();
}

void TransferLoop::Begin(const std::shared_ptr<Transfer::Job>& job) {
  const bool added = job->Prepare() && curl_multi_add_handle(multi_, job->handle()) == CURLM_OK;
  if (added) {
    jobs_.emplace(job->handle(), job);
  } else if (job->spec().events.on_end) {
    job->spec().events.on_end(absl::InternalError("libcurl takes no such request"));
  }
}

void TransferLoop::End(CURL* handle, std::optional<absl::Status> outcome) {
  const auto found = jobs_.find(handle);
  if (found == jobs_.end()) return;
  const std::shared_ptr<Transfer::Job> job = std::move(found->second);
  jobs_.erase(found);
  curl_multi_remove_handle(multi_, handle);
  job->Free();
  if (outcome && job->spec().events.on_end) job->spec().events.on_end(*std::move(outcome));
}

void TransferLoop::EndFinished() {
  int left = 0;
  while (const CURLMsg* const message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const handle = message->easy_handle;
    const CURLcode code = message->data.result;
    Transfer::Job& job = *jobs_.at(handle);
    absl::Status outcome = job.failure()      ? *job.failure()
                           : code == CURLE_OK ? absl::OkStatus()
                                              : Failure(code, job.spec().host, job.details());
    End(handle, std::move(outcome));
  }
}

void TransferLoop::EndOverdue() {
  const absl::Time now = absl::Now();
  std::vector<std::shared_ptr<Transfer::Job>> overdue;
  for (const auto& [handle, job] : jobs_) {
    if (job->Deadline() <= now) overdue.push_back(job);
  }
  for (const auto& job : overdue) End(job->handle(), job->Overdue());
}

int TransferLoop::OpenSocket(void* loop, int, curl_sockaddr* address) {
  const int opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (opened >= 0) static_cast<TransferLoop*>(loop)->sockets_.insert(opened);
  return opened;
}

int TransferLoop::CloseSocket(void* loop, int socket) {
  static_cast<TransferLoop*>(loop)->sockets_.erase(socket);
  return close(socket);
}

void TransferLoop::EndDeserted() {
  std::vector<std::shared_ptr<Transfer::Job>> deserted;
  for (const auto& [handle, job] : jobs_) {
    char byte = 0;
    const int socket = job->UnansweredUpload();
    if (socket < 0) continue;
    const ssize_t peeked = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (peeked == 0 || (peeked < 0 && errno != EAGAIN && errno != EINTR && errno != ENOTCONN)) deserted.push_back(job);
  }
  for (const auto& job : deserted) {
    End(job->handle(), absl::UnavailableError(absl::StrCat(job->spec().host, " closed the connection")));
  }
}

void TransferLoop::Await() {
  std::vector<curl_waitfd> watched;
  for (const auto& [handle, job] : jobs_) {
    const int socket = job->UnansweredUpload();
    if (socket >= 0) watched.push_back({.fd = socket, .events = CURL_WAIT_POLLIN, .revents = 0});
  }
  curl_multi_poll(multi_, watched.data(), static_cast<unsigned>(watched.size()), PollMs(), nullptr);
}

int TransferLoop::PollMs() const {
  absl::Duration wait = absl::Milliseconds(kIdlePollMs);
  for (const auto& [handle, job] : jobs_) wait = std::min(wait, job->Deadline() - absl::Now());
  return std::max<int>(0, static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(wait, absl::Milliseconds(1)))));
}

}  // namespace kibitz::client::http
