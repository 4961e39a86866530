// The listening sockets. Kibitz accepts connections itself and hands them to gRPC.
//
// Debian's gRPC never accepts again once it has run out of descriptors (CVE-2023-4785), has no bound on connections,
// and cannot be told to drop one. Here all three are ours.

#ifndef KIBITZ_SERVER_RPC_LISTENER_H_
#define KIBITZ_SERVER_RPC_LISTENER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "server/errors/log_limit.h"
#include "server/files/file_descriptor.h"
#include "server/rpc/connection.h"
#include "server/rpc/listen_address.h"
#include "server/rpc/peer_address.h"

namespace kibitz::server {

// All methods may be called from any thread, but Start and Stop by the owner alone.
class Listener {
 public:
  // Takes over a connected socket.
  using Accept = std::function<void(int fd)>;

  // How many connections may be open, and what they may send.
  struct Bounds {
    int max_connections = 10'000;
    // From one PeerGroup; 0: as many as in all. Those who speak for many, as proxies do, are not bound by it.
    int max_connections_per_peer = 0;
    std::vector<AddressRange> proxies{};
    // Of a request: much of it may be here before it is whole.
    std::int64_t max_message_bytes = 0;
    std::int64_t max_batch_bytes = 0;  // the same for the few methods that take more
  };

  // Listens, but accepts nothing yet. An error says what is wrong with the address and what to do.
  static absl::StatusOr<std::unique_ptr<Listener>> Open(const ListenAddress& address, Bounds bounds);
  ~Listener() { Stop(); }

  // Hands over each new connection from now on, on a thread of its own. `on_tick` is called there ten times a second.
  absl::Status Start(Accept accept, std::function<void()> on_tick);
  // Accepts nothing any more. Connections stay as they are.
  void Stop();

  int port() const { return port_; }
  // Whether only this machine can connect.
  bool loopback() const { return loopback_; }

  struct Counts {
    int open = 0;
    std::int64_t accepted = 0;
    std::int64_t refused = 0;  // for want of room or descriptors
    std::int64_t cut_off = 0;  // for what they sent
  };
  Counts counts() const;

  // The connection of a peer as gRPC names it ("ipv4:127.0.0.1:51234"); nullptr when it is not, or no longer, one of
  // ours.
  std::shared_ptr<Connection> Find(const std::string& peer) const;

 private:
  // gRPC owns the socket. The second descriptor is to look at it and to end it; it is closed when the other end, or
  // gRPC, has.
  struct Peer {
    FileDescriptor socket;
    std::string name;
    IpAddress group;
    std::shared_ptr<Connection> connection;
  };

  Listener(ListeningSockets listening, Bounds bounds);

  absl::Status SetUpPolling();
  void Run();
  void WatchPeers();
  void AcceptAll(int listening);
  void Admit(FileDescriptor socket, const sockaddr_storage& address);
  // Makes a peer of it, or says why there is no room for it.
  absl::Status Enter(int socket, const sockaddr_storage& address);
  // Under the lock.
  absl::Status CheckRoom(const IpAddress& address) const;
  void Refuse(absl::string_view why);
  // Out of descriptors: gives up the spare one to take a connection and close it, so that the caller learns of it.
  void RefuseWithSpare(int listening);
  void Forget(int fd);
  void CheckAll();  // with the lock held

  const Bounds bounds_;
  const int port_;
  const bool loopback_;
  std::vector<FileDescriptor> sockets_;
  FileDescriptor poll_;
  FileDescriptor stop_;
  FileDescriptor spare_;
  Accept accept_;
  std::function<void()> on_tick_;
  std::thread thread_;
  // Looks at what connections send. Apart, because gRPC may begin to read a connection on the thread that hands it
  // over, and goes on for as long as something comes.
  std::thread watcher_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable stopped_;
  bool stopping_ = false;
  std::unordered_map<int, Peer> peers_;
  std::unordered_map<std::string, std::weak_ptr<Connection>> by_name_;
  std::map<IpAddress, int> by_group_;  // how many
  Counts counts_;
  LogLimit refusals_logged_;
  LogLimit cuts_logged_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_LISTENER_H_
