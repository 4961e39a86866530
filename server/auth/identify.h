// Identify: whose key a call shows, and whether it opens the method.

#ifndef KIBITZ_SERVER_AUTH_IDENTIFY_H_
#define KIBITZ_SERVER_AUTH_IDENTIFY_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "server/auth/guess_limit.h"
#include "server/auth/key_store.h"
#include "server/rpc/call.h"
#include "server/rpc/call_chain.h"

namespace kibitz::server {

// Keys come as metadata: "authorization: Bearer KEY". The store must outlive it.
class Identify final : public CallStep {
 public:
  explicit Identify(const KeyStore& keys, const GuessLimit::Bounds& bounds = {}) : keys_(keys), guesses_(bounds) {}

  absl::Status Enter(Call& call) override;

 private:
  absl::Status EnterWith(absl::string_view key, bool as_admin, Call& call);
  // What somebody hears whose key is nobody's.
  absl::Status Unknown(const Call& call);

  const KeyStore& keys_;
  GuessLimit guesses_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_IDENTIFY_H_
