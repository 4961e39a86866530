#include "server/webhook/webhook_rules.h"

#include <gtest/gtest.h>

#include <string>

#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr char kSecrets[] = "# comment\n\nsite   0123456789abcdef\n- fedcba9876543210\n";

WebhookRules Rules(const std::string& hosts) {
  const absl::StatusOr<WebhookRules> rules = WebhookRules::Parse(hosts, kSecrets);
  EXPECT_TRUE(rules.ok()) << rules.status();
  return rules.ok() ? *rules : WebhookRules();
}

// Empty: it is allowed.
std::string ReasonAgainst(const WebhookRules& rules, const std::string& url, const std::string& tenant = "site") {
  return ReasonOf(rules.Check("job.webhook_url", tenant, url));
}

TEST(WebhookRulesTest, AllowsTheHostsThatAreNamed) {
  const WebhookRules rules =
      Rules("hooks.example.org, https://other.example:8443,http://127.0.0.1:9000,*.below.example");
  for (const char* const url :
       {"https://hooks.example.org/", "https://HOOKS.example.org:443/a?b=c", "https://other.example:8443",
        "http://127.0.0.1:9000/x", "https://a.below.example/", "https://a.b.below.example/"}) {
    EXPECT_EQ(ReasonAgainst(rules, url), "") << url;
  }
  for (const char* const url :
       {"http://hooks.example.org/", "https://hooks.example.org:8443/", "https://example.org/",
        "https://hooks.example.org.evil.example/", "https://evilhooks.example.org/", "https://below.example/",
        "https://evilbelow.example/", "https://127.0.0.1:9000/", "http://127.0.0.1/", "https://hooks.example.org./"}) {
    EXPECT_EQ(ReasonAgainst(rules, url), "HOST_NOT_ALLOWED") << url;
  }
}

TEST(WebhookRulesTest, RefusesWhatIsNoPlainUrl) {
  const WebhookRules rules = Rules("hooks.example.org");
  for (const char* const url : {"", "hooks.example.org", "ftp://hooks.example.org/", "file:///etc/passwd",
                                "https://user:word@hooks.example.org/", "https://hooks.example.org/#part",
                                "https://hooks.example.org:port/", "https://hooks.exa mple.org/"}) {
    EXPECT_EQ(ReasonAgainst(rules, url), "INVALID_URL") << url;
  }
}

TEST(WebhookRulesTest, AllowsNothingWithoutASecret) {
  const WebhookRules rules = Rules("hooks.example.org");
  EXPECT_EQ(ReasonAgainst(rules, "https://hooks.example.org/", ""), "");
  EXPECT_EQ(ReasonAgainst(rules, "https://hooks.example.org/", "another"), "NO_WEBHOOK_SECRET");
  EXPECT_EQ(rules.SecretOf("site"), "0123456789abcdef");
  EXPECT_FALSE(WebhookRules().any());
  EXPECT_EQ(ReasonAgainst(WebhookRules(), "https://hooks.example.org/"), "HOST_NOT_ALLOWED");
}

TEST(WebhookRulesTest, TrustsOnlyFullNamesWithItsOwnNetwork) {
  const WebhookRules rules = Rules("hooks.example.org,*.below.example");
  EXPECT_TRUE(rules.MayBePrivate("https://hooks.example.org/"));
  EXPECT_FALSE(rules.MayBePrivate("https://a.below.example/"));
  EXPECT_FALSE(rules.MayBePrivate("https://elsewhere.example/"));
}

TEST(WebhookRulesTest, SaysWhatIsWrongWithItself) {
  for (const char* const hosts : {"a b", "*", "*example.org", "host:0", "host:70000", "host:x", "https://", "a/b"}) {
    EXPECT_FALSE(WebhookRules::Parse(hosts, "").ok()) << hosts;
  }
  for (const char* const secrets :
       {"site", "site short", "site 0123456789abcdef more", "site 0123456789abcdef\nsite 0123456789abcdef"}) {
    const absl::Status status = WebhookRules::Parse("host", secrets).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << secrets;
    EXPECT_EQ(status.message().find("0123456789abcdef"), std::string::npos) << "a secret is not for logs";
  }
}

// By Python: hmac.new(b"0123456789abcdef", b"1795126800.{}", "sha256").hexdigest()
TEST(WebhookRulesTest, SignsAsReceiversCheck) {
  EXPECT_EQ(WebhookSignature("0123456789abcdef", 1'795'126'800, "{}"),
            "t=1795126800,v1=30503153f647868e7f87add407aad23e836aaa174d762ae4ef75635407a9279d");
}

}  // namespace
}  // namespace kibitz::server
