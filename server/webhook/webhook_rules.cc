#include "server/webhook/webhook_rules.h"

#include <curl/curl.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMinSecretSize = 16;
constexpr int kPlainPort = 80;
constexpr int kSecurePort = 443;

// The parts of a URL, as the library reads it that will call it.
class Url {
 public:
  explicit Url(const std::string& text) : url_(curl_url(), curl_url_cleanup) {
    good_ = url_ != nullptr && curl_url_set(url_.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
  }
  bool good() const { return good_; }
  // Empty: it has none.
  std::string Part(CURLUPart part) const {
    char* text = nullptr;
    if (curl_url_get(url_.get(), part, &text, part == CURLUPART_PORT ? CURLU_DEFAULT_PORT : 0) != CURLUE_OK) return "";
    const std::unique_ptr<char, decltype(&curl_free)> owned(text, curl_free);
    return text;
  }

 private:
  std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url_;
  bool good_ = false;
};

bool IsHostCharacter(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '-' || c == '_'; }

}  // namespace

absl::StatusOr<WebhookRules> WebhookRules::Parse(const std::string& hosts, const std::string& secrets) {
  WebhookRules rules;
  for (const absl::string_view each : absl::StrSplit(hosts, ',', absl::SkipWhitespace())) {
    absl::StatusOr<Host> host = ParseHost(absl::StripAsciiWhitespace(each));
    if (!host.ok()) return host.status();
    rules.hosts_.push_back(*std::move(host));
  }
  if (absl::Status status = rules.AddSecrets(secrets); !status.ok()) return status;
  return rules;
}

absl::StatusOr<WebhookRules::Host> WebhookRules::ParseHost(absl::string_view text) {
  Host host;
  absl::string_view rest = text;
  host.plain = absl::ConsumePrefix(&rest, "http://");
  if (!host.plain) absl::ConsumePrefix(&rest, "https://");
  host.port = host.plain ? kPlainPort : kSecurePort;
  if (absl::ConsumePrefix(&rest, "*")) {
    host.below = true;
    if (!absl::StartsWith(rest, ".")) {
      return absl::InvalidArgumentError(absl::StrCat("'", text, "': a star stands before a dot, as in *.example.org"));
    }
  }
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(rest, absl::MaxSplits(':', 1));
  const bool has_port = rest.size() != parts.first.size();
  if (has_port && (!absl::SimpleAtoi(parts.second, &host.port) || host.port < 1 || host.port > 65535)) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': the port is no number from 1 to 65535"));
  }
  host.name = absl::AsciiStrToLower(parts.first);
  const bool valid =
      host.name.size() > (host.below ? 1 : 0) && std::all_of(host.name.begin(), host.name.end(), IsHostCharacter);
  if (!valid) return absl::InvalidArgumentError(absl::StrCat("'", text, "' is no host, such as hooks.example.org"));
  return host;
}

absl::Status WebhookRules::AddSecrets(const std::string& text) {
  int number = 0;
  for (const absl::string_view each : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view line = absl::StripAsciiWhitespace(each);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> words = absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    // The secret itself is not for logs.
    if (words.size() != 2) return absl::InvalidArgumentError(absl::StrCat("line ", number, " is no tenant and secret"));
    if (words[1].size() < kMinSecretSize) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": the secret has less than ", kMinSecretSize, " characters"));
    }
    if (!secrets_.emplace(words[0] == "-" ? "" : words[0], words[1]).second) {
      return absl::InvalidArgumentError(absl::StrCat("line ", number, ": the tenant has a secret already"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<const WebhookRules::Host*> WebhookRules::Find(const std::string& url) const {
  const Url parsed(url);
  const auto bad = [](const char* what) { return absl::InvalidArgumentError(what); };
  if (!parsed.good()) return bad("is no URL");
  const std::string scheme = parsed.Part(CURLUPART_SCHEME);
  if (scheme != "https" && scheme != "http") return bad("is neither https:// nor http://");
  if (!parsed.Part(CURLUPART_USER).empty() || !parsed.Part(CURLUPART_PASSWORD).empty()) {
    return bad("has a user or a password, which would be kept for others to see");
  }
  if (!parsed.Part(CURLUPART_FRAGMENT).empty()) return bad("has a fragment, which nobody would be told");
  const std::string name = absl::AsciiStrToLower(parsed.Part(CURLUPART_HOST));
  const std::string port = parsed.Part(CURLUPART_PORT);
  for (const Host& host : hosts_) {
    const bool same_name =
        host.below ? name.size() > host.name.size() && absl::EndsWith(name, host.name) : name == host.name;
    if (same_name && host.plain == (scheme == "http") && port == absl::StrCat(host.port)) return &host;
  }
  return nullptr;
}

absl::Status WebhookRules::Check(absl::string_view field, const std::string& tenant, const std::string& url) const {
  const absl::StatusOr<const Host*> host = Find(url);
  if (!host.ok()) return InvalidField(field, "INVALID_URL", host.status().message());
  if (*host == nullptr) {
    return InvalidField(field, "HOST_NOT_ALLOWED", "the server's operator allows no webhooks to that host and port");
  }
  if (SecretOf(tenant).empty()) {
    return InvalidField(field, "NO_WEBHOOK_SECRET", "the server's operator has no secret to sign your webhooks by");
  }
  return absl::OkStatus();
}

bool WebhookRules::MayBePrivate(const std::string& url) const {
  const absl::StatusOr<const Host*> host = Find(url);
  return host.ok() && *host != nullptr && !(*host)->below;
}

std::string WebhookRules::SecretOf(const std::string& tenant) const {
  const auto found = secrets_.find(tenant);
  return found == secrets_.end() ? "" : found->second;
}

std::string WebhookSignature(const std::string& secret, std::int64_t seconds, const std::string& body) {
  const std::string text = absl::StrCat(seconds, ".", body);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest, &size);
  return absl::StrCat("t=", seconds,
                      ",v1=", absl::BytesToHexString(absl::string_view(reinterpret_cast<const char*>(digest), size)));
}

}  // namespace kibitz::server
