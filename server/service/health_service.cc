#include "server/service/health_service.h"

#include <functional>
#include <string>
#include <utility>

#include "server/errors/errors.h"
#include "server/rpc/typed_methods.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMaxRequestBytes = 1 << 10;

bool IsKnown(const std::string& service) {
  return service.empty() || service == "kibitz.v1.AnalysisService" || service == "kibitz.v1.AdminService";
}

}  // namespace

void HealthService::AddMethods(MethodTable& methods) {
  methods["/grpc.health.v1.Health/Check"] =
      UnaryMethod<Request, Response>(kMaxRequestBytes, std::bind_front(&HealthService::Check, this));
  methods["/grpc.health.v1.Health/Watch"] =
      StreamMethod<Request, Response>(kMaxRequestBytes, std::bind_front(&HealthService::Watch, this));
}

void HealthService::Drain() {
  std::lock_guard lock(mutex_);
  if (!std::exchange(serving_, false)) return;
  Response response;
  response.set_status(Response::NOT_SERVING);
  for (const auto& watcher : watchers_) watcher->SendLatest(response);
}

void HealthService::Shutdown() {
  Drain();
  std::unordered_set<std::shared_ptr<Stream>> watchers;
  {
    std::lock_guard lock(mutex_);
    over_ = true;
    watchers.swap(watchers_);
  }
  for (const auto& watcher : watchers) watcher->Finish(StatusOf(StopCause::kShutdown));
}

absl::Status HealthService::Check(Call& /*call*/, const Request& request, Response& response) {
  if (!IsKnown(request.service())) {
    return Failure(absl::StatusCode::kNotFound, "UNKNOWN_SERVICE", "there is no such service");
  }
  std::lock_guard lock(mutex_);
  response.set_status(serving_ ? Response::SERVING : Response::NOT_SERVING);
  return absl::OkStatus();
}

// As the protocol has it: a service that is not known may come to be, so the stream stays open.
void HealthService::Watch(Call& call, const Request& request, std::shared_ptr<Stream> stream) {
  Response response;
  {
    std::lock_guard lock(mutex_);
    if (over_) return stream->Finish(StatusOf(StopCause::kShutdown));
    response.set_status(!serving_                    ? Response::NOT_SERVING
                        : IsKnown(request.service()) ? Response::SERVING
                                                     : Response::SERVICE_UNKNOWN);
    stream->SendLatest(response);
    watchers_.insert(stream);
  }
  call.OnCancel([this, stream] {
    {
      std::lock_guard lock(mutex_);
      if (watchers_.erase(stream) == 0) return;
    }
    stream->Finish(StatusOf(StopCause::kCancelled));
  });
}

}  // namespace kibitz::server
