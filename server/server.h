// A Kibitz server: the services, their workers, and the sockets they are reached by.

#ifndef KIBITZ_SERVER_SERVER_H_
#define KIBITZ_SERVER_SERVER_H_

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "server/server_options.h"

namespace kibitz::server {

struct ServerStatus;

// Serves from Start until Shutdown. All methods may be called from any thread.
class Server {
 public:
  // Starts serving. An error names the address or the folder that is at fault and says what to do about it.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options);

  // Shuts down at once if nobody did before.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // A channel to this server that needs no socket. It may outlive neither Shutdown nor the server.
  std::shared_ptr<grpc::Channel> InProcessChannel();

  // Forgets what all searches have found. For whoever owns the server alone.
  void ClearHash();

  // Where it listens, with the real port: "127.0.0.1:50051". Empty when it has no socket.
  const std::string& address() const;
  // 0 when it has no socket.
  int port() const;

  // How it does now.
  ServerStatus status() const;

  // Blocks until Shutdown is complete.
  void Wait();

  // Health says NOT_SERVING from now on, and all else goes on: for balancers to look elsewhere before Shutdown.
  void Drain();

  // Stops in good order: health says NOT_SERVING, new work is refused, searches that run send their Final (SHUTDOWN).
  // Calls that are still open after `grace` are cancelled. Returns when all is over; later calls do nothing.
  void Shutdown(std::chrono::milliseconds grace);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVER_H_
