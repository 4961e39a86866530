// The calls of one queue that may still say something.

#ifndef KIBITZ_SERVER_RPC_CALL_LIST_H_
#define KIBITZ_SERVER_RPC_CALL_LIST_H_

#include <memory>
#include <mutex>
#include <vector>

namespace kibitz::server {

class ServerCall;

// Linked through the calls themselves, because every call comes and goes here. All methods may be called from any
// thread.
class CallList {
 public:
  // What a call keeps for it.
  struct Links {
    ServerCall* previous = nullptr;
    ServerCall* next = nullptr;
    bool linked = false;
  };

  void Add(ServerCall& call);
  // Does nothing to one that is not there.
  void Remove(ServerCall& call);
  // Adds those that are there now.
  void CopyTo(std::vector<std::shared_ptr<ServerCall>>& calls);

 private:
  std::mutex mutex_;  // guards what follows, and the links
  ServerCall* first_ = nullptr;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_LIST_H_
