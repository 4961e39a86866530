// Where webhooks may go, and by which secrets they are signed: what the operator says.

#ifndef KIBITZ_SERVER_WEBHOOK_WEBHOOK_RULES_H_
#define KIBITZ_SERVER_WEBHOOK_WEBHOOK_RULES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

// May be used by many threads.
class WebhookRules {
 public:
  // Nothing is allowed.
  WebhookRules() = default;

  // `hosts` are "hooks.example.org", "hooks.example.org:8443", or "*.example.org" for all below it, with commas between
  // them; https alone, unless one begins with "http://". `secrets` is the text of a file with a tenant and its secret
  // on each line, "-" for callers without a name; blank lines and those that begin with # are left out. An error says
  // what is wrong with either.
  static absl::StatusOr<WebhookRules> Parse(const std::string& hosts, const std::string& secrets);

  // Whether there are any hosts.
  bool any() const { return !hosts_.empty(); }

  // Whether a tenant may have its jobs told there: INVALID_ARGUMENT with the reason, of `field`, if not.
  absl::Status Check(absl::string_view field, const std::string& tenant, const std::string& url) const;

  // Whether the name of the host may be one of this machine's own network. Those that are named in full may, those that
  // others can add below a star may not.
  bool MayBePrivate(const std::string& url) const;

  // Empty: it has none.
  std::string SecretOf(const std::string& tenant) const;

 private:
  struct Host {
    std::string name;    // in lower case; of those below a star what follows it, with the dot
    bool below = false;  // any name that ends so
    bool plain = false;  // http rather than https
    int port = 443;
  };

  static absl::StatusOr<Host> ParseHost(absl::string_view text);
  absl::Status AddSecrets(const std::string& text);
  // nullptr: it is not allowed. An error says what is wrong with the address.
  absl::StatusOr<const Host*> Find(const std::string& url) const;

  std::vector<Host> hosts_;
  std::map<std::string, std::string> secrets_;  // by tenant
};

// What proves to a receiver that it is told by this server: "t=SECONDS,v1=HEX", the HMAC-SHA256 by the secret of the
// seconds, a dot and the body.
std::string WebhookSignature(const std::string& secret, std::int64_t seconds, const std::string& body);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_WEBHOOK_WEBHOOK_RULES_H_
