#include "server/rpc/call_list.h"

#include <utility>

#include "server/rpc/server_call.h"

namespace kibitz::server {

void CallList::Add(ServerCall& call) {
  std::lock_guard lock(mutex_);
  call.links_ = {.previous = nullptr, .next = first_, .linked = true};
  if (first_ != nullptr) first_->links_.previous = &call;
  first_ = &call;
}

void CallList::Remove(ServerCall& call) {
  std::lock_guard lock(mutex_);
  const Links links = std::exchange(call.links_, {});
  if (!links.linked) return;
  (links.previous == nullptr ? first_ : links.previous->links_.next) = links.next;
  if (links.next != nullptr) links.next->links_.previous = links.previous;
}

void CallList::CopyTo(std::vector<std::shared_ptr<ServerCall>>& calls) {
  std::lock_guard lock(mutex_);
  for (ServerCall* call = first_; call != nullptr; call = call->links_.next) {
    // One that nobody holds any more is about to leave the list.
    if (auto held = call->weak_from_this().lock()) calls.push_back(std::move(held));
  }
}

}  // namespace kibitz::server
