// grpc.health.v1.Health. gRPC brings one of its own, but on the callback API, whose threads sleep when they are idle.

#ifndef KIBITZ_SERVER_SERVICE_HEALTH_SERVICE_H_
#define KIBITZ_SERVER_SERVICE_HEALTH_SERVICE_H_

#include <memory>
#include <mutex>
#include <unordered_set>

#include "absl/status/status.h"
#include "grpc/health/v1/health.pb.h"
#include "server/rpc/call.h"
#include "server/rpc/method.h"
#include "server/rpc/response_stream.h"

namespace kibitz::server {

// Knows the server as a whole (the empty name), kibitz.v1.AnalysisService and kibitz.v1.AdminService, which are always
// in the same state: SERVING until the server is about to shut down.
class HealthService {
 public:
  // Its methods hold on to the service.
  void AddMethods(MethodTable& methods);

  // Says NOT_SERVING from now on.
  void Drain();
  // The same, and ends the streams of those who watch.
  void Shutdown();

 private:
  using Request = grpc::health::v1::HealthCheckRequest;
  using Response = grpc::health::v1::HealthCheckResponse;
  using Stream = ResponseStream<Response>;

  absl::Status Check(Call& call, const Request& request, Response& response);
  void Watch(Call& call, const Request& request, std::shared_ptr<Stream> stream);

  std::mutex mutex_;  // guards what follows
  bool serving_ = true;
  bool over_ = false;
  std::unordered_set<std::shared_ptr<Stream>> watchers_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_HEALTH_SERVICE_H_
