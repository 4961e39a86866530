#include "server/auth/identify.h"

#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "server/auth/access.h"
#include "server/errors/errors.h"
#include "server/rpc/peer_address.h"

namespace kibitz::server {
namespace {

// The key that a call shows; empty when it shows none.
absl::string_view KeyOf(const Call& call) {
  constexpr absl::string_view kScheme = "Bearer ";
  const absl::string_view shown = call.Metadata("authorization");
  if (!absl::StartsWithIgnoreCase(shown, kScheme)) return "";
  return absl::StripAsciiWhitespace(shown.substr(kScheme.size()));
}

// None of these repeats a word of what was shown.
absl::Status Unauthenticated(absl::string_view reason, absl::string_view message) {
  return Failure(absl::StatusCode::kUnauthenticated, reason, message);
}

}  // namespace

absl::Status Identify::Enter(Call& call) {
  const Access access = AccessOf(call.method());
  if (access == Access::kOpen) return absl::OkStatus();
  const absl::string_view key = KeyOf(call);
  if (key.empty()) {
    return Unauthenticated("MISSING_KEY", "this server wants a key: send \"authorization: Bearer KEY\" as metadata");
  }
  return EnterWith(key, access == Access::kAdminKey, call);
}

absl::Status Identify::EnterWith(absl::string_view key, bool as_admin, Call& call) {
  const std::shared_ptr<const KeyRing> ring = keys_.ring();
  const KeyRing::Holder* const holder = ring->Find(key);
  if (holder == nullptr) return Unknown(call);
  if (holder->expires.has_value() && *holder->expires <= absl::Now()) {
    return Unauthenticated("EXPIRED_KEY", "the key has expired: ask the operator for another");
  }
  // Also where it may not go on, so that logs and counts have its name.
  call.Identify(holder->tenant, holder->role);
  if (as_admin && holder->role != Role::kAdmin) {
    return Failure(absl::StatusCode::kPermissionDenied, "ADMIN_ONLY", "this method needs a key with the role admin");
  }
  return absl::OkStatus();
}

absl::Status Identify::Unknown(const Call& call) {
  const IpAddress place = PeerGroup(AddressOf(call.peer()));
  const GuessLimit::Clock::time_point now = GuessLimit::Clock::now();
  if (const auto wait = guesses_.Wait(place, now); wait > GuessLimit::Clock::duration::zero()) {
    return Exhausted("TOO_MANY_WRONG_KEYS", "too many wrong keys came from this address", absl::FromChrono(wait));
  }
  guesses_.Count(place, now);
  return Unauthenticated("UNKNOWN_KEY", "this server does not know the key");
}

}  // namespace kibitz::server
