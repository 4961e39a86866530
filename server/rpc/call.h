// One call: who asks what, until when. Every handler's first argument, and what the steps of the chain look at.

#ifndef KIBITZ_SERVER_RPC_CALL_H_
#define KIBITZ_SERVER_RPC_CALL_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "server/rpc/call_work.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

class Connection;

// The metadata that names a call, given by the client or sent back to it.
inline constexpr char kRequestIdName[] = "x-request-id";

// The steps of the chain write what they found out before anybody else sees the call; all else may be called from any
// thread.
class Call {
 public:
  using Time = std::chrono::system_clock::time_point;

  virtual ~Call() = default;

  // As gRPC spells it: "/kibitz.v1.AnalysisService/Analyze".
  virtual absl::string_view method() const = 0;

  // The other end: "ipv4:127.0.0.1:51234".
  virtual const std::string& peer() const = 0;
  // What it came in on; nullptr for a call from within the process.
  virtual Connection* connection() const = 0;

  // What the client sent along under a name in lower case; empty when there is nothing.
  virtual absl::string_view Metadata(absl::string_view name) const = 0;
  // The size of all that it sent along, names included.
  virtual std::size_t MetadataBytes() const = 0;

  // The client's; Time::max() when it set none.
  virtual Time deadline() const = 0;

  // Calls back once if the client cancels, disconnects or lets its deadline pass: at once if it already has. A later
  // callback takes the place of an earlier one.
  virtual void OnCancel(std::function<void()> callback) = 0;

  // Names the call in logs and errors, here and at the client. Set by the chain's first step.
  const std::string& request_id() const { return request_id_; }
  void set_request_id(std::string id) { request_id_ = std::move(id); }

  // Who calls. Anonymous, and allowed everything, unless a step of the chain asked for a key.
  const TenantPointer& tenant() const { return tenant_; }
  Role role() const { return role_; }
  void Identify(TenantPointer tenant, Role role) {
    tenant_ = std::move(tenant);
    role_ = role;
  }

  // What is done for it. Also for its handlers, which write it from any thread.
  CallWork& work() { return work_; }
  const CallWork& work() const { return work_; }

 private:
  std::string request_id_;
  TenantPointer tenant_ = AnonymousTenant();
  Role role_ = Role::kAdmin;
  CallWork work_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_CALL_H_
