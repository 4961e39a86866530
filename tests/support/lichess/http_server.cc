#include "tests/support/lichess/http_server.h"

// As Debian builds the library.
#define CPPHTTPLIB_OPENSSL_SUPPORT
#define CPPHTTPLIB_ZLIB_SUPPORT
#define CPPHTTPLIB_BROTLI_SUPPORT
#include <httplib.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kibitz::stand_in {
namespace {

constexpr std::chrono::milliseconds kLookAround{50};
// An engine that thinks has nothing to say for a while.
constexpr std::chrono::minutes kReadTimeout{5};

int PortOf(int (*name_of)(int, sockaddr*, socklen_t*), int socket) {
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  if (name_of(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;  // NOLINT: how sockets are named
  return address.sin_family == AF_INET ? ntohs(address.sin_port) : -1;
}

// The library keeps its sockets to itself, but a connection is known by the ports of its two ends.
int SocketOf(int own_port, int peer_port) {
  constexpr int kMaxDescriptor = 4096;
  for (int socket = 0; socket < kMaxDescriptor; ++socket) {
    if (PortOf(getpeername, socket) == peer_port && PortOf(getsockname, socket) == own_port) return socket;
  }
  return -1;
}

class HttpUpload final : public Upload {
 public:
  HttpUpload(const httplib::ContentReader& content, int socket) : content_(content), socket_(socket) {}

  bool Read(const std::function<bool(std::string_view)>& take) override {
    whole_ = content_([&](const char* data, std::size_t size) { return take({data, size}); });
    return whole_;
  }
  void BreakOff() override {
    if (socket_ >= 0) shutdown(socket_, SHUT_RD);
  }
  bool whole() const { return whole_; }

 private:
  const httplib::ContentReader& content_;
  const int socket_;
  bool whole_ = false;
};

// Streams keep their threads, so there must be one for each connection.
class ThreadPerConnection : public httplib::TaskQueue {
 public:
  explicit ThreadPerConnection(std::atomic<int>& open) : open_(open) {}
  ~ThreadPerConnection() override { Join(); }

  void enqueue(std::function<void()> task) override {
    Reap();
    auto& connection = connections_.emplace_back();
    ++open_;
    connection.thread = std::thread([this, task = std::move(task), &connection] {
      task();
      --open_;
      connection.over = true;
    });
  }
  void shutdown() override { Join(); }

 private:
  struct Connection {
    std::thread thread{};
    std::atomic<bool> over = false;
  };

  void Reap() {
    connections_.remove_if([](Connection& each) {
      if (!each.over) return false;
      each.thread.join();
      return true;
    });
  }
  void Join() {
    for (Connection& each : connections_) each.thread.join();
    connections_.clear();
  }

  std::atomic<int>& open_;
  std::list<Connection> connections_;
};

HttpRequest ToRequest(const httplib::Request& from) {
  HttpRequest request{
      .method = from.method, .path = from.path, .matches = {}, .params = {}, .bearer = "", .body = from.body};
  for (std::size_t i = 1; i < from.matches.size(); ++i) request.matches.push_back(from.matches[i].str());
  for (const auto& [name, value] : from.params) request.params[name] = value;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string authorization = from.get_header_value("Authorization");
  if (authorization.starts_with(kBearer)) request.bearer = authorization.substr(kBearer.size());
  return request;
}

void CutOff(httplib::Response& response) {
  constexpr std::size_t kNeverReached = 1000;
  response.set_content_provider(kNeverReached, "application/json",
                                [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
}

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const HttpServerOptions& options, FaultPlan& faults) : options_(options), faults_(faults) {
    if (options.cert_file.empty()) {
      http_ = std::make_unique<httplib::Server>();
    } else {
      http_ = std::make_unique<httplib::SSLServer>(options.cert_file.c_str(), options.key_file.c_str());
    }
    http_->new_task_queue = [this] { return new ThreadPerConnection(open_connections_); };  // NOLINT: the library's
    // A POST without a length has no body; the library would wait for one.
    http_->set_pre_routing_handler([](const httplib::Request& request, httplib::Response&) {
      if (!request.has_header("Content-Length") && !request.has_header("Transfer-Encoding")) {
        const_cast<httplib::Request&>(request).set_header("Content-Length", "0");  // NOLINT: it is ours to change
      }
      return httplib::Server::HandlerResponse::Unhandled;
    });
    http_->set_tcp_nodelay(true);
    http_->set_read_timeout(kReadTimeout);
    http_->set_keep_alive_timeout(1);
    http_->set_keep_alive_max_count(1'000'000);
  }

  void Handle(const std::string& method, const std::string& pattern, HttpHandler handler, bool with_faults) {
    httplib::Server::Handler wrapped = [this, handler = std::move(handler), with_faults](
                                           const httplib::Request& request, httplib::Response& response) {
      Answer(request, response, handler, with_faults);
    };
    if (method == "GET")
      http_->Get(pattern, std::move(wrapped));
    else if (method == "PUT")
      http_->Put(pattern, std::move(wrapped));
    else if (method == "DELETE")
      http_->Delete(pattern, std::move(wrapped));
    else
      http_->Post(pattern, std::move(wrapped));
  }

  void HandleUpload(const std::string& pattern, UploadHandler handler) {
    http_->Post(pattern,
                [this, handler = std::move(handler)](const httplib::Request& request, httplib::Response& response,
                                                     const httplib::ContentReader& content) {
                  HttpUpload upload(content, SocketOf(port_, request.remote_port));
                  Write(handler(ToRequest(request), upload), response);
                  if (!upload.whole()) response.set_header("Connection", "close");
                });
  }

  bool is_valid() const { return http_->is_valid(); }
  int Bind() {
    if (options_.port == 0) {
      port_ = http_->bind_to_any_port("127.0.0.1");
    } else {
      port_ = http_->bind_to_port("127.0.0.1", options_.port) ? options_.port : -1;
    }
    return port_;
  }
  void Run() {
    thread_ = std::thread([this] { http_->listen_after_bind(); });
    while (!http_->is_running()) std::this_thread::yield();
  }
  void Stop() {
    stopping_ = true;
    if (!thread_.joinable()) return;
    http_->stop();
    thread_.join();
  }
  bool stopping() const { return stopping_; }
  int open_streams() const { return open_streams_; }
  int open_connections() const { return open_connections_; }
  void CutStreams() { ++cuts_; }

 private:
  void Answer(const httplib::Request& request, httplib::Response& response, const HttpHandler& handler,
              bool with_faults) {
    const RequestFault fault = with_faults ? faults_.NextRequest() : RequestFault::kNone;
    const FaultOptions& options = faults_.options();
    switch (fault) {
      case RequestFault::kTooManyRequests:
        response.status = 429;
        if (options.retry_after > absl::ZeroDuration()) {
          response.set_header("Retry-After", absl::StrCat(absl::ToInt64Seconds(options.retry_after)));
        }
        return response.set_content(R"({"error":"Too many requests. Try again later."})", "application/json");
      case RequestFault::kServerError:
        response.status = 502;
        return response.set_content("<html>502 Bad Gateway</html>", "text/html");
      case RequestFault::kLostRequest:
        return CutOff(response);
      case RequestFault::kLostAnswer:
        handler(ToRequest(request));
        return CutOff(response);
      case RequestFault::kBadAnswer:
        handler(ToRequest(request));
        response.status = 502;
        return response.set_content("<html>502 Bad Gateway</html>", "text/html");
      case RequestFault::kSlowAnswer: {
        HttpReply reply = handler(ToRequest(request));
        Sleep(options.slowness);
        return Write(std::move(reply), response);
      }
      case RequestFault::kNone:
        return Write(handler(ToRequest(request)), response, with_faults);
    }
  }

  void Sleep(absl::Duration time) const {
    const auto until = std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(time);
    while (!stopping_ && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }

  void Write(HttpReply reply, httplib::Response& response, bool with_faults = false) {
    response.status = reply.status;
    for (const auto& [name, value] : reply.headers) response.set_header(name, value);
    if (reply.stream == nullptr) return response.set_content(reply.body, reply.content_type);
    auto course = std::make_shared<Course>();
    course->stream = std::move(reply.stream);
    if (with_faults) course->fault = faults_.NextStream();
    course->cuts = cuts_;
    ++open_streams_;
    response.set_chunked_content_provider(
        reply.content_type == "application/json" ? "application/x-ndjson" : reply.content_type,
        [this, course](std::size_t, httplib::DataSink& sink) { return Continue(*course, sink); },
        [this, course](bool) {
          course->stream->Close();
          --open_streams_;
        });
  }

  // A stream under way.
  struct Course {
    std::shared_ptr<LineStream> stream;
    StreamFault fault{};
    int cuts = 0;
    int lines = 0;
    std::chrono::steady_clock::time_point last_word = std::chrono::steady_clock::now();
  };

  // Writes what there is to write. Returns whether the stream goes on.
  bool Continue(Course& course, httplib::DataSink& sink) {
    if (!sink.is_writable() || course.cuts != cuts_) return false;
    if (course.lines == 0 && std::exchange(course.fault.slow_start, false)) Sleep(faults_.options().slowness);
    if (course.fault.silent_after >= 0 && course.lines >= course.fault.silent_after) {
      std::this_thread::sleep_for(kLookAround);
      return true;
    }
    const std::optional<std::string> line = course.stream->Next(kLookAround);
    const auto now = std::chrono::steady_clock::now();
    if (line) {
      course.last_word = now;
      return WriteLine(course, *line + "\n", sink);
    }
    if (course.stream->exhausted()) {
      sink.done();
      return true;
    }
    if (now - course.last_word >= absl::ToChronoNanoseconds(options_.keep_alive)) {
      course.last_word = now;
      return sink.write("\n", 1);
    }
    return true;
  }

  bool WriteLine(Course& course, const std::string& line, httplib::DataSink& sink) const {
    if (course.fault.cut_after >= 0 && course.lines >= course.fault.cut_after) {
      sink.write(line.data(), line.size() / 2);
      return false;
    }
    ++course.lines;
    if (!course.fault.split_lines) return sink.write(line.data(), line.size());
    const std::size_t third = line.size() / 3 + 1;
    for (std::size_t place = 0; place < line.size(); place += third) {
      if (!sink.write(line.data() + place, std::min(third, line.size() - place))) return false;
      Sleep(absl::Milliseconds(10));
    }
    return true;
  }

  const HttpServerOptions& options_;
  FaultPlan& faults_;
  std::unique_ptr<httplib::Server> http_;
  int port_ = -1;
  std::thread thread_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> cuts_ = 0;
  std::atomic<int> open_streams_ = 0;
  std::atomic<int> open_connections_ = 0;
};

HttpServer::HttpServer(HttpServerOptions options)
    : options_(std::move(options)), faults_(options_.faults), impl_(std::make_unique<Impl>(options_, faults_)) {}

HttpServer::~HttpServer() { Stop(); }

void HttpServer::Handle(const std::string& method, const std::string& pattern, HttpHandler handler, bool with_faults) {
  impl_->Handle(method, pattern, std::move(handler), with_faults);
}

void HttpServer::HandleUpload(const std::string& pattern, UploadHandler handler) {
  impl_->HandleUpload(pattern, std::move(handler));
}

absl::Status HttpServer::Start() {
  if (!impl_->is_valid()) return absl::InvalidArgumentError("the certificate or its key is no good");
  port_ = impl_->Bind();
  if (port_ < 0) return absl::UnavailableError(absl::StrCat("port ", options_.port, " is not to be had"));
  impl_->Run();
  return absl::OkStatus();
}

void HttpServer::Stop() { impl_->Stop(); }
bool HttpServer::stopping() const { return impl_->stopping(); }

std::string HttpServer::url() const {
  return options_.cert_file.empty() ? absl::StrCat("http://127.0.0.1:", port_)
                                    : absl::StrCat("https://localhost:", port_);
}

int HttpServer::open_streams() const { return impl_->open_streams(); }
int HttpServer::open_connections() const { return impl_->open_connections(); }
void HttpServer::CutStreams() { impl_->CutStreams(); }

}  // namespace kibitz::stand_in
