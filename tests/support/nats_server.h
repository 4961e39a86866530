// Debian's nats-server as processes of their own, with JetStream in a folder of theirs.

#ifndef KIBITZ_TESTS_SUPPORT_NATS_SERVER_H_
#define KIBITZ_TESTS_SUPPORT_NATS_SERVER_H_

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace kibitz {

// One server, or a cluster of several on loopback. All are killed when this goes. Throws if one does not start.
class NatsServers {
 public:
  // `folder` is an empty one, which stays.
  NatsServers(const std::string& folder, int servers);
  ~NatsServers();
  NatsServers(const NatsServers&) = delete;
  NatsServers& operator=(const NatsServers&) = delete;

  // All of them, separated by commas.
  std::string url() const;

  // kill -9, and the same server again with what it had on its disk.
  void Kill(std::size_t server);
  void Restart(std::size_t server);
  std::size_t size() const { return servers_.size(); }

 private:
  struct Server {
    pid_t pid = -1;
    int port = 0;
    int cluster_port = 0;
  };

  void Start(std::size_t server);
  void AwaitStart(std::size_t server) const;

  const std::string folder_;
  std::vector<Server> servers_;
};

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_NATS_SERVER_H_
