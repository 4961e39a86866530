#include "server/rpc/listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr std::chrono::milliseconds kTick{100};
// How often to look at what connections send: as soon as a flood is worth the name, and never for more than about a
// twentieth of the time.
constexpr std::chrono::milliseconds kLook{20};
constexpr std::chrono::microseconds kLookForEach{10};
// So many are accepted before the others are looked at.
constexpr int kAcceptsInARow = 64;

// As gRPC writes it.
std::string PeerName(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
    return absl::StrCat("ipv4:", text, ":", ntohs(v4.sin_port));
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
  if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
    inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[12], text, sizeof(text));
    return absl::StrCat("ipv4:", text, ":", ntohs(v6.sin6_port));
  }
  inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
  return absl::StrCat("ipv6:%5B", text, "%5D:", ntohs(v6.sin6_port));
}

// Without what still waits in the socket: that nobody can account for yet.
std::int64_t BytesRead(int socket) {
  int unread = 0;
  tcp_info info{};
  socklen_t size = sizeof(info);
  if (ioctl(socket, FIONREAD, &unread) != 0 || getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return static_cast<std::int64_t>(info.tcpi_bytes_received) - unread;
}

// Ends a connection for all who hold it, and forgets what it has sent that nobody has read yet. After a mere shutdown
// whoever goes on sending would still be read.
void Abort(int socket) {
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  connect(socket, &nobody, sizeof(nobody));
}

bool Watch(int poll, int fd, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.fd = fd;
  return epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

FileDescriptor OpenSpare() { return FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)); }

}  // namespace

absl::StatusOr<std::unique_ptr<Listener>> Listener::Open(const ListenAddress& address, Bounds bounds) {
  absl::StatusOr<ListeningSockets> sockets = OpenSockets(address);
  if (!sockets.ok()) return sockets.status();
  std::unique_ptr<Listener> listener(new Listener(*std::move(sockets), std::move(bounds)));
  if (absl::Status set_up = listener->SetUpPolling(); !set_up.ok()) return set_up;
  return listener;
}

Listener::Listener(ListeningSockets listening, Bounds bounds)
    : bounds_(std::move(bounds)),
      port_(listening.port),
      loopback_(listening.loopback),
      sockets_(std::move(listening.sockets)) {}

absl::Status Listener::SetUpPolling() {
  poll_.Reset(epoll_create1(EPOLL_CLOEXEC));
  stop_.Reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  spare_ = OpenSpare();
  bool ok = poll_.ok() && stop_.ok() && spare_.ok() && Watch(poll_.get(), stop_.get(), EPOLLIN);
  for (const FileDescriptor& socket : sockets_) ok = ok && Watch(poll_.get(), socket.get(), EPOLLIN);
  if (ok) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat("cannot listen: ", std::strerror(errno)));
}

absl::Status Listener::Start(Accept accept, std::function<void()> on_tick) {
  accept_ = std::move(accept);
  on_tick_ = std::move(on_tick);
  try {
    watcher_ = std::thread(&Listener::WatchPeers, this);
    thread_ = std::thread(&Listener::Run, this);
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot start the thread that listens: ", error.what()));
  }
  return absl::OkStatus();
}

void Listener::Stop() {
  eventfd_write(stop_.get(), 1);
  if (thread_.joinable()) thread_.join();
  // The watcher last: it is what ends a connection that holds the other up.
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  sockets_.clear();
}

Listener::Counts Listener::counts() const {
  std::lock_guard lock(mutex_);
  Counts counts = counts_;
  counts.open = static_cast<int>(peers_.size());
  return counts;
}

std::shared_ptr<Connection> Listener::Find(const std::string& peer) const {
  std::lock_guard lock(mutex_);
  const auto found = by_name_.find(peer);
  return found == by_name_.end() ? nullptr : found->second.lock();
}

void Listener::Run() {
  epoll_event events[64];
  auto next_tick = Connection::Clock::now() + kTick;
  while (true) {
    const int ready = epoll_wait(poll_.get(), events, std::size(events), static_cast<int>(kTick.count()));
    for (int i = 0; i < ready; ++i) {
      const int fd = events[i].data.fd;
      if (fd == stop_.get()) return;
      bool listening = false;
      for (const FileDescriptor& socket : sockets_) listening = listening || socket.get() == fd;
      if (listening) {
        AcceptAll(fd);
      } else {
        Forget(fd);
      }
    }
    if (Connection::Clock::now() < next_tick) continue;
    next_tick = Connection::Clock::now() + kTick;
    on_tick_();
  }
}

void Listener::AcceptAll(int listening) {
  for (int i = 0; i < kAcceptsInARow; ++i) {
    sockaddr_storage address{};
    socklen_t size = sizeof(address);
    FileDescriptor socket(
        accept4(listening, reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.ok()) {
      Admit(std::move(socket), address);
      continue;
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno == EMFILE || errno == ENFILE) RefuseWithSpare(listening);
    // Nobody waits any more, or the system has no room now: the next round will see.
    return;
  }
}

void Listener::Admit(FileDescriptor socket, const sockaddr_storage& address) {
  if (absl::Status entered = Enter(socket.get(), address); !entered.ok()) return Refuse(entered.message());
  const int on = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  accept_(socket.Release());
}

absl::Status Listener::CheckRoom(const IpAddress& address) const {
  if (static_cast<int>(peers_.size()) >= bounds_.max_connections) {
    return absl::ResourceExhaustedError(absl::StrCat("there are ", bounds_.max_connections, " already"));
  }
  const auto same = by_group_.find(PeerGroup(address));
  if (bounds_.max_connections_per_peer == 0 || same == by_group_.end() ||
      same->second < bounds_.max_connections_per_peer) {
    return absl::OkStatus();
  }
  const bool is_proxy = std::any_of(bounds_.proxies.begin(), bounds_.proxies.end(),
                                    [&](const AddressRange& range) { return range.Contains(address); });
  if (is_proxy) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("this peer has ", bounds_.max_connections_per_peer, " already (--max-connections-per-peer)"));
}

absl::Status Listener::Enter(int socket, const sockaddr_storage& address) {
  const std::string name = PeerName(address);
  const IpAddress ip = AddressOf(address);
  std::lock_guard lock(mutex_);
  if (absl::Status room = CheckRoom(ip); !room.ok()) {
    return absl::ResourceExhaustedError(absl::StrCat(name, ": ", room.message()));
  }
  FileDescriptor second(fcntl(socket, F_DUPFD_CLOEXEC, 0));
  const int fd = second.get();
  if (!second.ok() || !Watch(poll_.get(), fd, EPOLLRDHUP | EPOLLET)) {
    return absl::ResourceExhaustedError(std::strerror(errno));
  }
  auto connection = std::make_shared<Connection>(bounds_.max_message_bytes, bounds_.max_batch_bytes);
  by_name_[name] = connection;
  ++by_group_[PeerGroup(ip)];
  peers_[fd] = {std::move(second), name, PeerGroup(ip), std::move(connection)};
  ++counts_.accepted;
  return absl::OkStatus();
}

void Listener::Refuse(absl::string_view why) {
  std::lock_guard lock(mutex_);
  ++counts_.refused;
  if (!refusals_logged_.Allow()) return;
  spdlog::warn("refused a connection: {}; {} refused so far", std::string(why), counts_.refused);
}

void Listener::RefuseWithSpare(int listening) {
  spare_.Reset();
  FileDescriptor(accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)).Reset();
  spare_ = OpenSpare();
  Refuse("there are no descriptors left");
}

void Listener::Forget(int fd) {
  std::lock_guard lock(mutex_);
  const auto peer = peers_.find(fd);
  if (peer == peers_.end()) return;
  // The name may belong to a later connection by now.
  if (const auto named = by_name_.find(peer->second.name);
      named != by_name_.end() && named->second.lock() == peer->second.connection) {
    by_name_.erase(named);
  }
  if (const auto group = by_group_.find(peer->second.group); --group->second == 0) by_group_.erase(group);
  // gRPC may still hold the socket: without this it would be reported on, under a number that is another's by then.
  epoll_ctl(poll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  peers_.erase(peer);
}

void Listener::WatchPeers() {
  std::unique_lock lock(mutex_);
  const auto pause = [this] { return std::max<std::chrono::microseconds>(kLook, kLookForEach * peers_.size()); };
  while (!stopped_.wait_for(lock, pause(), [this] { return stopping_; })) CheckAll();
}

void Listener::CheckAll() {
  const Connection::Clock::time_point now = Connection::Clock::now();
  for (auto& [fd, peer] : peers_) {
    if (peer.connection->Check(BytesRead(fd), now)) continue;
    ++counts_.cut_off;
    if (cuts_logged_.Allow()) spdlog::warn("cut off {}: it floods the connection", peer.name);
    Abort(fd);
  }
}

}  // namespace kibitz::server
