#include "server/health_service.h"

#include <functional>
#include <utility>

#include "server/grpc_status.h"
#include "server/rpc/stream_call.h"
#include "server/rpc/unary_call.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

bool IsKnown(const std::string& service) { return service.empty() || service == "kibitz.v1.AnalysisService"; }

}  // namespace

void HealthService::Serve(CompletionLoop& loop) {
  using Wire = decltype(wire_);
  ServeUnary(loop, wire_, &Wire::RequestCheck, this, &HealthService::Check);
  ServeStream<Request, Response>(loop, wire_, &Wire::RequestWatch, std::bind_front(&HealthService::Watch, this));
}

void HealthService::Shutdown() {
  std::unordered_set<std::shared_ptr<Stream>> watchers;
  {
    std::lock_guard lock(mutex_);
    serving_ = false;
    watchers.swap(watchers_);
  }
  Response response;
  response.set_status(Response::NOT_SERVING);
  for (const auto& watcher : watchers) {
    watcher->SendLatest(response);
    watcher->Finish(StatusOf(StopCause::kShutdown));
  }
}

absl::Status HealthService::Check(const Request& request, Response& response) {
  if (!IsKnown(request.service())) {
    return Failure(absl::StatusCode::kNotFound, "UNKNOWN_SERVICE", "there is no such service");
  }
  std::lock_guard lock(mutex_);
  response.set_status(serving_ ? Response::SERVING : Response::NOT_SERVING);
  return absl::OkStatus();
}

// As the protocol has it: a service that is not known may come to be, so the stream stays open.
void HealthService::Watch(const Request& request, std::shared_ptr<Stream> stream) {
  Response response;
  {
    std::lock_guard lock(mutex_);
    if (!serving_) return stream->Finish(StatusOf(StopCause::kShutdown));
    response.set_status(IsKnown(request.service()) ? Response::SERVING : Response::SERVICE_UNKNOWN);
    stream->SendLatest(response);
    watchers_.insert(stream);
  }
  stream->OnCancel([this, stream] {
    {
      std::lock_guard lock(mutex_);
      if (watchers_.erase(stream) == 0) return;
    }
    stream->Finish(StatusOf(StopCause::kCancelled));
  });
}

}  // namespace kibitz::server
