// Does the work that analysis boards ask of an external engine, with the pool of a server: many boards at once.

#ifndef KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_PROVIDER_H_
#define KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_PROVIDER_H_

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "client/connection.h"
#include "client/http/backoff.h"
#include "client/http/http_client.h"
#include "client/lichess/external_engine/offer.h"

namespace kibitz::client::lichess {

struct ProviderOptions {
  // Known to the broker and to us. In no log line and no error.
  std::string provider_secret{};
  // Boards served at a time. The others wait at the broker.
  int concurrency = 16;
  OfferCaps caps{};
  http::BackoffOptions backoff{};
  // How long the pool may refuse, or be gone, before a board is told that there will be nothing.
  absl::Duration patience = absl::Minutes(1);
  // Hears what happens, a line at a time, on any thread. May be absent.
  std::function<void(std::string_view)> log{};
};

struct ProviderCounts {
  int taken = 0;   // offers
  int served = 0;  // to a best move, or until the board was gone
  int failed = 0;
};

class Provider {
 public:
  // The broker's client and the connection must outlive it.
  Provider(http::HttpClient& broker, const Connection& pool, ProviderOptions options);
  ~Provider();
  Provider(const Provider&) = delete;
  Provider& operator=(const Provider&) = delete;

  // Takes and does work until a stop is requested, which ends all searches too; then it is OK. An error: the broker
  // wants none of it, and did not from the beginning. Interruptions are waited out.
  absl::Status Run(const std::stop_token& stop);

  ProviderCounts counts() const;

 private:
  class Job;

  // One long poll. No offer: there was no work.
  absl::StatusOr<std::optional<Offer>> Poll(const std::stop_token& stop);
  // Waits for a place. False when a stop came first.
  bool AwaitPlace(const std::stop_token& stop);
  void Begin(Offer offer, const std::stop_token& stop);
  void Serve(Job& job, const Offer& offer);
  // Has the pool search, however often that takes. Writes to the job's upload.
  absl::Status Search(Job& job, const v1::AnalyzeRequest& request);
  void Answer(Job& job, const absl::Status& status);
  // Joins the jobs that are over, and breaks off those that should be.
  void LookAfterJobs();
  void EndAll();
  void Log(std::string_view words) const;

  http::HttpClient& broker_;
  const Connection& pool_;
  const ProviderOptions options_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable_any changed_;
  std::list<Job> jobs_;
  ProviderCounts counts_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_PROVIDER_H_
