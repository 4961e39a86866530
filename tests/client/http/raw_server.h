// A server on loopback that does what its script says, well-behaved or not: bytes as they are, so that tests decide
// where they are cut and when the connection is lost.

#ifndef KIBITZ_TESTS_CLIENT_HTTP_RAW_SERVER_H_
#define KIBITZ_TESTS_CLIENT_HTTP_RAW_SERVER_H_

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace kibitz::client::http {

// One connection, as its script sees it.
class RawPeer {
 public:
  RawPeer(int socket, const std::atomic<bool>& leaving) : socket_(socket), leaving_(leaving) {}
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;

  // The next request with its body, if it says how long that is. Empty when there is none any more.
  std::string ReadRequest();
  // Waits until `text` has come after what was read before, and returns all up to its end. Empty if it never comes.
  std::string ReadUntil(std::string_view text);
  // False when the client is gone.
  bool Say(std::string_view bytes);
  // A whole answer that keeps the connection.
  bool Answer(std::string_view status, std::string_view body, std::string_view headers = "");
  // Waits until the client has closed, or the test is over.
  bool AwaitClose();
  // Waits until the test is over.
  void AwaitEnd();
  // Ends the connection without good-bye (RST).
  void Reset();

 private:
  bool Receive();

  const int socket_;
  const std::atomic<bool>& leaving_;
  std::string unread_;
};

class RawServer {
 public:
  // Each connection is served by `serve` on a thread of its own, and closed when that returns.
  explicit RawServer(std::function<void(RawPeer&)> serve);
  ~RawServer();
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  // "http://127.0.0.1:12345"
  std::string url() const;
  int connections() const { return connections_; }

 private:
  void Accept();

  const std::function<void(RawPeer&)> serve_;
  std::atomic<bool> leaving_ = false;
  std::atomic<int> connections_ = 0;
  int listener_ = -1;
  int port_ = 0;
  std::vector<std::thread> threads_;  // of the accepting thread
  std::thread accepting_;
};

}  // namespace kibitz::client::http

#endif  // KIBITZ_TESTS_CLIENT_HTTP_RAW_SERVER_H_
