// A typed way to give jobs to a Kibitz server, and to hear of them.

#ifndef KIBITZ_CLIENT_JOB_CLIENT_H_
#define KIBITZ_CLIENT_JOB_CLIENT_H_

#include <grpcpp/channel.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/call.h"
#include "client/readable_status.h"
#include "kibitz/v1/jobs.grpc.pb.h"

namespace kibitz::client {

// Calls the JobService over any channel. Safe to use from several threads at once. Each call blocks until it has ended;
// a failure's message is meant for people (see readable_status.h). A server that is gone is waited for, as long as
// `patience` says: what it has accepted it has when it is back.
class JobClient {
 public:
  JobClient(const std::shared_ptr<grpc::ChannelInterface>& channel, Peer server, std::string key = "",
            absl::Duration patience = absl::Minutes(2));

  // A request without a name of its own for the job is given one, so that it is done once, however often it is sent.
  absl::StatusOr<v1::SubmitJobResponse> Submit(v1::SubmitJobRequest request, const CallOptions& options) const;
  absl::StatusOr<v1::Job> Get(const std::string& id, const CallOptions& options) const;
  absl::StatusOr<v1::ListJobsResponse> List(const v1::ListJobsRequest& request, const CallOptions& options) const;
  absl::StatusOr<v1::Job> Cancel(const std::string& id, const CallOptions& options) const;
  absl::Status Delete(const std::string& id, const CallOptions& options) const;

  // What a watch tells, on this thread.
  struct WatchEvents {
    std::function<void(const v1::WatchJobResponse&)> on_event;
    // The server is gone, for the reason given; the watch goes on where it was once it is back.
    std::function<void(const absl::Status& why)> on_pause;
  };
  // Until the job is over. `patience` begins anew with each event.
  absl::Status Watch(v1::WatchJobRequest request, const WatchEvents& events, const CallOptions& options) const;

 private:
  template <typename Response, typename Method>
  absl::StatusOr<Response> CallUnary(const CallOptions& options, Method method) const;

  const Peer server_;
  const std::string key_;
  const absl::Duration patience_;
  const std::unique_ptr<v1::JobService::StubInterface> stub_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_JOB_CLIENT_H_
