// grpc.reflection: tells tools what this server's methods and messages are. gRPC brings one of its own, with a thread
// for each stream that is open.

#ifndef KIBITZ_SERVER_SERVICE_REFLECTION_SERVICE_H_
#define KIBITZ_SERVER_SERVICE_REFLECTION_SERVICE_H_

#include <memory>
#include <set>
#include <string>

#include "grpc/reflection/v1alpha/reflection.pb.h"
#include "server/rpc/method.h"

namespace kibitz::server {

// Versions v1 and v1alpha, which differ in name only.
class ReflectionService {
 public:
  using Request = grpc::reflection::v1alpha::ServerReflectionRequest;
  using Response = grpc::reflection::v1alpha::ServerReflectionResponse;

  // Adds its methods, and tells from then on of the services of all methods that the table holds by now. They hold on
  // to the service.
  void AddMethods(MethodTable& methods);

  // The answer to one question. For whoever has no stream.
  Response Answer(const Request& request) const;

 private:
  class Stream;

  std::set<std::string> services_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVICE_REFLECTION_SERVICE_H_
