// HTTP to one server: the only place that speaks it. On libcurl: HTTP/1.1 with connections that are kept, HTTP/2 where
// the server offers it, proxies as the environment says (https_proxy, no_proxy). Redirects are not followed: the token
// is for the server that it was meant for.

#ifndef KIBITZ_CLIENT_HTTP_HTTP_CLIENT_H_
#define KIBITZ_CLIENT_HTTP_HTTP_CLIENT_H_

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/http/backoff.h"
#include "client/http/clock.h"
#include "client/http/line_stream.h"
#include "client/http/request.h"
#include "client/http/transfer_loop.h"
#include "client/http/upload_stream.h"

namespace kibitz::client::http {

struct HttpClientOptions {
  // Where all paths begin: "https://lichess.org".
  std::string base_url{};
  // Sent with every request as a bearer token, and shown nowhere. Empty: none is sent.
  std::string token{};
  std::string user_agent = "kibitz";
  // The certificates of those who may have signed the server's, in PEM. Empty: the system's.
  std::string ca_file{};
  // Lets the token go to another machine without TLS, where all on the way can read it.
  bool insecure = false;
  absl::Duration connect_timeout = absl::Seconds(10);
  // After a 429 that does not say for how long: no request of this client begins before.
  absl::Duration pause_after_429 = absl::Minutes(1);
  // Send and SendPatiently have one request under way at a time, whoever calls them. Streams are not counted.
  bool one_at_a_time = false;
  Clock* clock = &RealClock();
};

// Safe to use from several threads at once. Every method that waits returns CANCELLED soon after a stop is requested.
// What it opened must be gone before it is.
class HttpClient {
 public:
  // Fails where the base URL is none, and where the token would leave this machine in plaintext.
  static absl::StatusOr<std::unique_ptr<HttpClient>> Open(const HttpClientOptions& options);

  // Has one exchange, whatever the answer's status: see StatusOf. An error means that there was no answer: UNAVAILABLE,
  // DEADLINE_EXCEEDED, FAILED_PRECONDITION for a server that is not to be trusted.
  absl::StatusOr<Response> Send(const Request& request, const std::stop_token& stop = {});

  // The same until it succeeds, or fails in a way that does not pass, or the policy's patience is over. An answer that
  // is no success is an error here. The server may see the request more than once.
  absl::StatusOr<Response> SendPatiently(const Request& request, const RetryPolicy& policy,
                                         const std::stop_token& stop = {});

  // Opens a response that is read line by line, and waits for its head. An answer that is no success is an error.
  absl::StatusOr<std::unique_ptr<LineStream>> OpenLines(const Request& request, const LineStreamOptions& options = {},
                                                        const std::stop_token& stop = {});

  // Opens a request whose body is written bit by bit (a POST), and does not wait for the server.
  absl::StatusOr<std::unique_ptr<UploadStream>> OpenUpload(const Request& request, UploadStreamOptions options = {},
                                                           const std::stop_token& stop = {});

  // How others call the server: its name and, if it is unusual, its port.
  const std::string& host() const { return host_; }
  // Until when the server wants to be left alone; in the past if it does not.
  absl::Time free_at() const;

 private:
  HttpClient(HttpClientOptions options, std::string host);

  TransferSpec SpecOf(const Request& request, TransferEvents events) const;
  absl::StatusOr<Response> Exchange(const Request& request, const std::stop_token& stop);
  // Waits until the server may be asked.
  absl::Status AwaitTurn(const std::stop_token& stop);
  // Closes the door if the answer says so.
  void Heed(const ResponseHead& head);

  const HttpClientOptions options_;
  const std::string host_;
  mutable std::mutex mutex_;
  std::condition_variable_any left_;
  bool occupied_ = false;                      // guarded by mutex_
  absl::Time free_at_ = absl::InfinitePast();  // guarded by mutex_
  TransferLoop loop_;
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_CLIENT_HTTP_HTTP_CLIENT_H_
