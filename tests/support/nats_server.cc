#include "tests/support/nats_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <thread>

extern char** environ;

namespace kibitz {
namespace {

// Debian installs it where only root's PATH leads.
constexpr char kProgram[] = "/usr/sbin/nats-server";
constexpr std::chrono::seconds kStartPatience{20};
constexpr std::chrono::milliseconds kPause{20};

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

class Socket {
 public:
  Socket() : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {}
  ~Socket() { close(fd_); }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  bool Connect(int port) const {
    const sockaddr_in address = Loopback(port);
    return connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  int BindFree() const {
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof(address);
    if (bind(fd_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
      throw std::system_error(errno, std::generic_category(), "bind");
    }
    return ntohs(address.sin_port);
  }

 private:
  const int fd_;
};

}  // namespace

// The servers of a cluster must know each other's ports before the first one starts.
NatsServers::NatsServers(const std::string& folder, int servers) : folder_(folder), servers_(servers) {
  {
    std::vector<Socket> ports(2 * servers_.size());
    for (std::size_t server = 0; server < servers_.size(); ++server) {
      servers_[server].port = ports[2 * server].BindFree();
      servers_[server].cluster_port = ports[2 * server + 1].BindFree();
    }
  }
  for (std::size_t server = 0; server < servers_.size(); ++server) Start(server);
  for (std::size_t server = 0; server < servers_.size(); ++server) AwaitStart(server);
}

NatsServers::~NatsServers() {
  for (std::size_t server = 0; server < servers_.size(); ++server) Kill(server);
}

std::string NatsServers::url() const {
  std::string url;
  for (const Server& server : servers_) {
    if (!url.empty()) url += ",";
    url += "nats://127.0.0.1:" + std::to_string(server.port);
  }
  return url;
}

void NatsServers::Kill(std::size_t server) {
  if (servers_[server].pid < 0) return;
  kill(servers_[server].pid, SIGKILL);
  waitpid(servers_[server].pid, nullptr, 0);
  servers_[server].pid = -1;
}

void NatsServers::Restart(std::size_t server) {
  Kill(server);
  Start(server);
  AwaitStart(server);
}

void NatsServers::Start(std::size_t number) {
  Server& server = servers_[number];
  const std::string name = "server" + std::to_string(number);
  std::vector<std::string> words = {kProgram,
                                    "-a",
                                    "127.0.0.1",
                                    "-p",
                                    std::to_string(server.port),
                                    "-js",
                                    "-sd",
                                    folder_ + "/" + name,
                                    "-n",
                                    name,
                                    "-l",
                                    folder_ + "/" + name + ".log"};
  if (servers_.size() > 1) {
    std::string routes;
    for (const Server& other : servers_) {
      if (&other == &server) continue;
      if (!routes.empty()) routes += ",";
      routes += "nats://127.0.0.1:" + std::to_string(other.cluster_port);
    }
    words.insert(words.end(), {"--cluster_name", "test", "-cluster",
                               "nats://127.0.0.1:" + std::to_string(server.cluster_port), "-routes", routes});
  }
  // Should the test end without a word, so do they.
  words.insert(words.begin(), {"/usr/bin/setpriv", "--pdeathsig", "KILL"});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error = posix_spawn(&server.pid, words.front().c_str(), nullptr, nullptr, arguments.data(), environ);
  if (error != 0) throw std::system_error(error, std::generic_category(), kProgram);
}

void NatsServers::AwaitStart(std::size_t server) const {
  const auto end = std::chrono::steady_clock::now() + kStartPatience;
  while (!Socket().Connect(servers_[server].port)) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("nats-server does not start");
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace kibitz
