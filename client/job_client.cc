#include "client/job_client.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>
#include <stop_token>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"

namespace kibitz::client {
namespace {

constexpr absl::Duration kMinPause = absl::Milliseconds(200);
constexpr absl::Duration kMaxPause = absl::Seconds(3);

// A name that nobody has given before.
std::string NewName() {
  std::random_device random;
  std::string name = "kibitz-";
  for (int i = 0; i < 4; ++i) absl::StrAppend(&name, absl::Hex(random(), absl::kZeroPad8));
  return name;
}

// Pauses between attempts, each twice as long as the one before.
class Pauses {
 public:
  Pauses(absl::Duration patience, std::stop_token stop) : patience_(patience), stop_(std::move(stop)) { Begin(); }

  // It works again.
  void Begin() {
    pause_ = kMinPause;
    latest_ = absl::Now() + patience_;
  }
  // Waits before the next attempt. False: there is to be none.
  bool Wait() {
    if (stop_.stop_requested() || absl::Now() + pause_ > latest_) return false;
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop_, absl::ToChronoNanoseconds(pause_), [] { return false; });
    pause_ = std::min(2 * pause_, kMaxPause);
    return !stop_.stop_requested();
  }

 private:
  const absl::Duration patience_;
  const std::stop_token stop_;
  absl::Duration pause_;
  absl::Time latest_;
};

}  // namespace

JobClient::JobClient(const std::shared_ptr<grpc::ChannelInterface>& channel, Peer server, std::string key,
                     absl::Duration patience)
    : server_(std::move(server)), key_(std::move(key)), patience_(patience), stub_(v1::JobService::NewStub(channel)) {}

template <typename Response, typename Method>
absl::StatusOr<Response> JobClient::CallUnary(const CallOptions& options, Method method) const {
  // No longer than the call may take.
  Pauses pauses(std::min(patience_, options.timeout), options.stop);
  while (true) {
    Call call(options, key_);
    Response response;
    const grpc::Status status = method(call.context(), &response);
    if (status.ok()) return response;
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE || !pauses.Wait()) return ReadableStatus(status, server_);
  }
}

absl::StatusOr<v1::SubmitJobResponse> JobClient::Submit(v1::SubmitJobRequest request,
                                                        const CallOptions& options) const {
  if (request.client_id().empty()) request.set_client_id(NewName());
  return CallUnary<v1::SubmitJobResponse>(
      options, [&](auto* context, auto* response) { return stub_->SubmitJob(context, request, response); });
}

absl::StatusOr<v1::Job> JobClient::Get(const std::string& id, const CallOptions& options) const {
  v1::GetJobRequest request;
  request.set_id(id);
  auto response = CallUnary<v1::GetJobResponse>(
      options, [&](auto* context, auto* answer) { return stub_->GetJob(context, request, answer); });
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_job());
}

absl::StatusOr<v1::ListJobsResponse> JobClient::List(const v1::ListJobsRequest& request,
                                                     const CallOptions& options) const {
  return CallUnary<v1::ListJobsResponse>(
      options, [&](auto* context, auto* response) { return stub_->ListJobs(context, request, response); });
}

absl::StatusOr<v1::Job> JobClient::Cancel(const std::string& id, const CallOptions& options) const {
  v1::CancelJobRequest request;
  request.set_id(id);
  auto response = CallUnary<v1::CancelJobResponse>(
      options, [&](auto* context, auto* answer) { return stub_->CancelJob(context, request, answer); });
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_job());
}

absl::Status JobClient::Delete(const std::string& id, const CallOptions& options) const {
  v1::DeleteJobRequest request;
  request.set_id(id);
  return CallUnary<v1::DeleteJobResponse>(
             options, [&](auto* context, auto* answer) { return stub_->DeleteJob(context, request, answer); })
      .status();
}

absl::Status JobClient::Watch(v1::WatchJobRequest request, const WatchEvents& events,
                              const CallOptions& options) const {
  Pauses pauses(patience_, options.stop);
  while (true) {
    Call call(options, key_);
    const auto stream = stub_->WatchJob(call.context(), request);
    for (v1::WatchJobResponse event; stream->Read(&event);) {
      request.set_after_sequence(event.sequence());
      pauses.Begin();
      events.on_event(event);
    }
    const grpc::Status status = stream->Finish();
    if (status.ok()) return absl::OkStatus();
    const absl::Status readable = ReadableStatus(status, server_);
    if (status.error_code() != grpc::StatusCode::UNAVAILABLE) return readable;
    if (events.on_pause != nullptr && !options.stop.stop_requested()) events.on_pause(readable);
    if (!pauses.Wait()) return readable;
  }
}

}  // namespace kibitz::client
