// grpc.health.v1.Health. gRPC brings one of its own, but on the callback API, whose threads sleep when they are idle.

#ifndef KIBITZ_SERVER_HEALTH_SERVICE_H_
#define KIBITZ_SERVER_HEALTH_SERVICE_H_

#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include "absl/status/status.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "server/rpc/completion_loop.h"
#include "server/rpc/response_stream.h"

namespace kibitz::server {

// Knows the server as a whole (the empty name) and kibitz.v1.AnalysisService, which are always in the same state:
// SERVING until the server shuts down.
class HealthService {
 public:
  // For the server's builder.
  grpc::Service* service() { return &wire_; }

  // Answers the calls that come in from now on, on the threads of `loop`.
  void Serve(CompletionLoop& loop);

  // Says NOT_SERVING from now on, and ends the streams of those who watch.
  void Shutdown();

 private:
  using V1 = grpc::health::v1::Health;
  using Request = grpc::health::v1::HealthCheckRequest;
  using Response = grpc::health::v1::HealthCheckResponse;
  using Stream = ResponseStream<Response>;

  absl::Status Check(const Request& request, Response& response);
  void Watch(const Request& request, std::shared_ptr<Stream> stream);

  V1::WithRawMethod_Check<V1::WithRawMethod_Watch<V1::Service>> wire_;
  std::mutex mutex_;  // guards what follows
  bool serving_ = true;
  std::unordered_set<std::shared_ptr<Stream>> watchers_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_HEALTH_SERVICE_H_
