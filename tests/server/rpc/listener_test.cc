#include "server/rpc/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "server/rpc/peer_address.h"

namespace kibitz::server {
namespace {

constexpr std::chrono::seconds kPatience{30};

// A listener on loopback, and what it hands over.
class ListenerTest : public ::testing::Test {
 protected:
  void Start(const Listener::Bounds& bounds) {
    absl::StatusOr<std::unique_ptr<Listener>> listener = Listener::Open({"127.0.0.1", 0}, bounds);
    ASSERT_TRUE(listener.ok()) << listener.status().message();
    listener_ = *std::move(listener);
    ASSERT_TRUE(listener_
                    ->Start(
                        [this](int fd) {
                          std::lock_guard lock(mutex_);
                          accepted_.emplace_back(fd);
                        },
                        [] {})
                    .ok());
  }

  // From an address of the loopback network.
  FileDescriptor Connect(const char* from = "127.0.0.1") {
    FileDescriptor client(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in own{};
    own.sin_family = AF_INET;
    inet_pton(AF_INET, from, &own.sin_addr);
    EXPECT_EQ(bind(client.get(), reinterpret_cast<sockaddr*>(&own), sizeof(own)), 0);
    ConnectTo(client.get());
    return client;
  }

  void ConnectTo(int client) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(listener_->port()));
    EXPECT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }

  std::string NameOf(const FileDescriptor& client) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    getsockname(client.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return absl::StrCat("ipv4:127.0.0.1:", ntohs(address.sin_port));
  }

  // Whether the counts become so, in the end.
  template <typename Condition>
  bool Becomes(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end) {
      if (condition(listener_->counts())) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  // As gRPC does with a socket that is its own.
  void CloseAccepted() {
    std::lock_guard lock(mutex_);
    for (const FileDescriptor& socket : accepted_) shutdown(socket.get(), SHUT_RDWR);
    accepted_.clear();
  }

  std::mutex mutex_;
  std::vector<FileDescriptor> accepted_;
  std::unique_ptr<Listener> listener_;  // ends before what it writes to
};

TEST_F(ListenerTest, HandsConnectionsOverAndKnowsThem) {
  Start({.max_connections = 10});
  const FileDescriptor client = Connect();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  EXPECT_NE(listener_->Find(NameOf(client)), nullptr);
  EXPECT_EQ(listener_->Find("ipv4:127.0.0.1:1"), nullptr);
}

TEST_F(ListenerTest, ForgetsAConnectionThatTheClientCloses) {
  Start({.max_connections = 10});
  FileDescriptor client = Connect();
  const std::string name = NameOf(client);
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  client.Reset();
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 0; }));
  EXPECT_EQ(listener_->Find(name), nullptr);
}

TEST_F(ListenerTest, ForgetsAConnectionThatTheServerCloses) {
  Start({.max_connections = 10});
  const FileDescriptor client = Connect();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  CloseAccepted();
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 0; }));
  char byte;
  EXPECT_EQ(read(client.get(), &byte, 1), 0);  // the client hears of it
}

TEST_F(ListenerTest, OnePeerHasOnlySoManyAndOthersTheirs) {
  Start({.max_connections = 10, .max_connections_per_peer = 2});
  std::vector<FileDescriptor> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(Connect("127.0.0.1"));
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 2 && counts.refused == 1; }));
  for (int i = 0; i < 3; ++i) clients.push_back(Connect("127.0.0.2"));
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 4 && counts.refused == 2; }));
  clients.erase(clients.begin(), clients.begin() + 3);
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 2; }));
  for (int i = 0; i < 2; ++i) clients.push_back(Connect("127.0.0.1"));
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 4; }));
}

TEST_F(ListenerTest, AProxyIsNotBoundAsOnePeer) {
  absl::StatusOr<std::vector<AddressRange>> proxies = ParseAddressRanges("127.0.0.2");
  ASSERT_TRUE(proxies.ok());
  Start({.max_connections = 10, .max_connections_per_peer = 1, .proxies = *std::move(proxies)});
  std::vector<FileDescriptor> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(Connect("127.0.0.2"));
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 3; }));
  for (int i = 0; i < 2; ++i) clients.push_back(Connect("127.0.0.3"));
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 4 && counts.refused == 1; }));
}

TEST_F(ListenerTest, ClosesWhatIsBeyondTheBoundAndGoesOnAfterwards) {
  Start({.max_connections = 2});
  std::vector<FileDescriptor> clients;
  for (int i = 0; i < 5; ++i) clients.push_back(Connect());
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 2 && counts.refused == 3; }));
  clients.clear();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 0; }));
  const FileDescriptor again = Connect();
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
}

TEST_F(ListenerTest, ForgetsNobodyForTheEndOfAnother) {
  Start({.max_connections = 10});
  const FileDescriptor second(socket(AF_INET, SOCK_STREAM, 0));
  FileDescriptor lowest(open("/dev/null", O_RDONLY));
  FileDescriptor first = Connect();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  // Half closed it is forgotten, while gRPC, which we are here, still has it.
  shutdown(first.get(), SHUT_WR);
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 0; }));
  // The next takes this number and the one by which the first was watched.
  lowest.Reset();
  ConnectTo(second.get());
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(first.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  first.Reset();
  // Whoever comes later is seen after that.
  const FileDescriptor third = Connect();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.accepted == 3; }));
  EXPECT_NE(listener_->Find(NameOf(second)), nullptr);
}

TEST_F(ListenerTest, CutsOffAConnectionThatFloods) {
  Start({.max_connections = 2});
  const FileDescriptor client = Connect();
  ASSERT_TRUE(Becomes([](const auto& counts) { return counts.open == 1; }));
  // Somebody must read it, as gRPC would.
  std::thread reader([fd = [this] {
    std::lock_guard lock(mutex_);
    return accepted_.front().get();
  }()] {
    std::vector<char> buffer(1 << 20);
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < end && (read(fd, buffer.data(), buffer.size()) > 0 || errno == EAGAIN)) {
      continue;
    }
  });
  const std::string junk(1 << 20, 'x');
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < end && send(client.get(), junk.data(), junk.size(), MSG_NOSIGNAL) > 0) {
    continue;
  }
  EXPECT_TRUE(Becomes([](const auto& counts) { return counts.cut_off >= 1 && counts.open == 0; }));
  reader.join();
}

}  // namespace
}  // namespace kibitz::server
