// The fishnet protocol over HTTP.

#ifndef KIBITZ_CLIENT_FISHNET_API_H_
#define KIBITZ_CLIENT_FISHNET_API_H_

#include <optional>
#include <stop_token>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/fishnet/work.h"
#include "client/http/http_client.h"

namespace kibitz::client::fishnet {

// For how long the oldest work of each kind has waited.
struct QueueAges {
  absl::Duration user, system;
};

// How a request for more work is meant.
struct Wish {
  // Only what is in no hurry: not what a user waits for.
  bool slow = false;
  // No further work.
  bool stop = false;
};

// The client's base URL is the endpoint, its token the key. Safe to use from several threads at once. An error of a
// kind that does not pass (see IsFinal) means that the server does not want this worker, or its answer.
class Api {
 public:
  explicit Api(http::HttpClient& server) : server_(server) {}

  // Whether the server knows the key. One that does not tell will do so when asked for work.
  absl::Status CheckKey(const std::stop_token& stop);
  // Nothing: this server does not tell.
  absl::StatusOr<std::optional<QueueAges>> Ages(const std::stop_token& stop);

  // Work, if there is some. What came and is none is INTERNAL.
  absl::StatusOr<std::optional<Offer>> Acquire(bool slow, const std::stop_token& stop);
  // Hands an answer in, and may get the next work for it. Asks again where that may help, until a stop is requested:
  // then it is CANCELLED.
  absl::StatusOr<std::optional<Offer>> SubmitAnalysis(const std::string& id, std::string text, const Wish& wish,
                                                      const std::stop_token& stop);
  absl::StatusOr<std::optional<Offer>> SubmitMove(const std::string& id, std::string text, const Wish& wish,
                                                  const std::stop_token& stop);
  // Part of an answer; once.
  absl::Status Report(const std::string& id, std::string text, const std::stop_token& stop);
  // Gives work back. A server that knows no such thing is content too.
  absl::Status Abort(const std::string& id);

  // How others call the server.
  const std::string& host() const { return server_.host(); }

 private:
  absl::StatusOr<std::optional<Offer>> Submit(const char* kind, const std::string& id, std::string text,
                                              const Wish& wish, const std::stop_token& stop);

  http::HttpClient& server_;
};

// Whether the server will say the same to whatever this worker asks: a wrong key, a protocol of another time.
bool IsFinal(const absl::Status& status);

}  // namespace kibitz::client::fishnet

#endif  // KIBITZ_CLIENT_FISHNET_API_H_
