// A small HTTP server on loopback for the stand-ins: handlers by pattern, streams of lines, TLS, and faults.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_HTTP_SERVER_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_HTTP_SERVER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "tests/support/lichess/faults.h"
#include "tests/support/lichess/line_stream.h"

namespace kibitz::stand_in {

struct HttpRequest {
  std::string method;
  std::string path;
  std::vector<std::string> matches;           // of the pattern's groups
  std::map<std::string, std::string> params;  // of the query and of a form
  std::string bearer;                         // of the Authorization header, without "Bearer "
  std::string body;

  std::string Param(const std::string& name, const std::string& otherwise = "") const {
    const auto found = params.find(name);
    return found == params.end() ? otherwise : found->second;
  }
};

struct HttpReply {
  int status = 200;
  std::string body{};
  std::string content_type = "application/json";
  std::map<std::string, std::string> headers{};
  // Instead of the body: its lines, with blank lines in between, until it ends.
  std::shared_ptr<LineStream> stream{};
};

using HttpHandler = std::function<HttpReply(const HttpRequest&)>;

// A request's body that is read as it comes. Lives as long as its handler runs.
class Upload {
 public:
  virtual ~Upload() = default;
  // Gives the pieces to `take` until the end, or until `take` returns false; then the connection is closed after the
  // reply. Returns whether the body came to its end.
  virtual bool Read(const std::function<bool(std::string_view piece)>& take) = 0;
  // Lets Read return now, from any thread: nothing more of the body is wanted.
  virtual void BreakOff() = 0;
};
using UploadHandler = std::function<HttpReply(const HttpRequest&, Upload&)>;

struct HttpServerOptions {
  // PEM files; empty: no TLS.
  std::string cert_file{};
  std::string key_file{};
  // 0: a free one.
  int port = 0;
  // After so long without a line a stream sends a blank one.
  absl::Duration keep_alive = absl::Seconds(7);
  FaultOptions faults{};
};

// One thread for each connection. Handlers are added before Start, and may be called on several threads at once.
class HttpServer {
 public:
  explicit HttpServer(HttpServerOptions options);
  // Ends all connections and streams.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // The pattern is a regular expression for the whole path. Whether the faults of the plan befall it is for the caller
  // to say: not its own controls.
  void Handle(const std::string& method, const std::string& pattern, HttpHandler handler, bool with_faults = true);
  // POST with a body that is read as it comes, without faults.
  void HandleUpload(const std::string& pattern, UploadHandler handler);

  absl::Status Start();
  void Stop();
  // Whether handlers that wait are to give up.
  bool stopping() const;
  int port() const { return port_; }
  // "http://127.0.0.1:PORT" or "https://localhost:PORT".
  std::string url() const;

  FaultPlan& faults() { return faults_; }
  // What is open now.
  int open_streams() const;
  int open_connections() const;
  // Ends all streams in the middle, as if the server had crashed.
  void CutStreams();

 private:
  class Impl;

  const HttpServerOptions options_;
  FaultPlan faults_;
  int port_ = 0;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_HTTP_SERVER_H_
