// Tells owners of jobs that their jobs are over.

#ifndef KIBITZ_SERVER_WEBHOOK_WEBHOOK_SENDER_H_
#define KIBITZ_SERVER_WEBHOOK_WEBHOOK_SENDER_H_

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/jobs/job_queue.h"
#include "server/webhook/webhook_rules.h"

namespace kibitz::server {

// A few threads ask the queue whom to tell, and post the job there as JSON, signed. A receiver that does not answer
// with 2xx is told again, with pauses that grow, for a day or so; one that is gone for good says 410. Redirects are not
// followed, and proxies not used. Who was told and did not answer in time may be told twice: the id of the job and its
// state are the same.
class WebhookSender {
 public:
  struct Options {
    std::chrono::milliseconds poll_time = std::chrono::seconds(1);
    std::chrono::milliseconds timeout = std::chrono::seconds(10);  // of one attempt
    // Before the second attempt; three times that before the third, and so on, up to the most.
    std::chrono::milliseconds first_pause = std::chrono::seconds(10);
    std::chrono::milliseconds max_pause = std::chrono::hours(1);
    int max_attempts = 30;
    int threads = 2;
    std::string ca_file{};  // besides what the machine trusts; for tests
  };

  // The queue must outlive it. Throws what the system throws when there are no threads to be had.
  WebhookSender(Options options, WebhookRules rules, JobQueue& queue);
  // Calls Stop.
  ~WebhookSender();

  // Returns when nobody is told any more.
  void Stop();

 private:
  void Run();
  void Deliver(const JobQueue::Delivery& delivery);
  // The answer's number, or why there is none.
  absl::StatusOr<long> Post(const std::string& url, const std::string& signature, const std::string& body) const;
  std::chrono::milliseconds PauseAfter(int attempt) const;

  const Options options_;
  const WebhookRules rules_;
  JobQueue& queue_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_WEBHOOK_WEBHOOK_SENDER_H_
