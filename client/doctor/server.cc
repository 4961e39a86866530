#include "client/doctor/server.h"

#include <google/protobuf/message.h>

#include <algorithm>
#include <array>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "client/net/server_address.h"
#include "client/net/tls_probe.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client {
namespace {

using Verdict = Finding::Verdict;

constexpr absl::Duration kPatience = absl::Seconds(5);
// A certificate is renewed before its last days, or nobody will.
constexpr absl::Duration kExpiryNotice = absl::Hours(24 * 14);
// Further apart than the network explains; and so far that certificates and keys that expire are misjudged.
constexpr absl::Duration kClockNotice = absl::Seconds(2);
constexpr absl::Duration kClockFault = absl::Minutes(5);
// An answer that takes longer is felt by whoever plays by a clock.
constexpr absl::Duration kSlowAnswer = absl::Milliseconds(100);

std::string Words(const absl::Status& status) { return std::string(status.message()); }

std::string Milliseconds(absl::Duration duration) {
  return absl::StrFormat("%.1f ms", absl::ToDoubleMilliseconds(duration));
}

// One visit, step by step. Each step says what it found and whether the next makes sense.
class Visit {
 public:
  Visit(const ConnectionOptions& options, const std::string& own_version)
      : options_(options), own_version_(own_version) {
    options_.quick_timeout = kPatience;
  }

  Findings Run() {
    if (FindHost() && Greet() && Connect() && AskHealth() && AskWho()) AskMoves();
    return std::move(findings_);
  }

 private:
  bool FindHost();
  bool Greet();
  bool Connect();
  bool AskHealth();
  bool AskWho();
  bool AskMoves();

  bool Tell(std::string subject, Verdict verdict, std::string words, std::string next_step = "") {
    findings_.push_back({std::move(subject), verdict, std::move(words), std::move(next_step)});
    return verdict != Verdict::kBad;
  }
  void TellVersion(const v1::GetServerInfoResponse& info);

  ConnectionOptions options_;
  const std::string& own_version_;
  Findings findings_;
  std::unique_ptr<Connection> connection_;
};

bool Visit::FindHost() {
  const auto address = ParseServerAddress(options_.server);
  if (!address) return Tell("address", Verdict::kBad, options_.server + " is not HOST:PORT", "such as 127.0.0.1:50051");
  const auto resolved = ResolvedAddress::Resolve(*address);
  if (!resolved.ok()) {
    return Tell("address", Verdict::kBad, absl::StrCat(address->host, ": ", Words(resolved.status())),
                "check the spelling, and the machine's name service");
  }
  Tell("address", Verdict::kGood, absl::StrCat(address->host, " is ", absl::StrJoin(resolved->Numbers(), ", ")));
  const auto socket = resolved->Connect(absl::Now() + kPatience);
  if (!socket.ok()) {
    return Tell("port", Verdict::kBad, absl::StrCat(address->port, ": ", Words(socket.status())),
                "start the server there (kibitzd --listen), or let the firewall pass its port");
  }
  if (!options_.tls.IsOn() && !IsLoopback(*address)) {
    Tell("plaintext", Verdict::kNote, "all on the way can read what is asked", "use TLS: --tls-ca FILE");
  }
  return Tell("port", Verdict::kGood, address->port + " is open");
}

bool Visit::Greet() {
  const TlsProbe probe = ProbeTls(options_.server, options_.tls, absl::Now() + kPatience);
  if (!options_.tls.IsOn()) {
    if (!probe.certificate) return true;
    return Tell("TLS", Verdict::kBad, "the server speaks TLS", "name the file of its CA: --tls-ca FILE");
  }
  if (probe.outcome != TlsProbe::Outcome::kGood) {
    return Tell("TLS", Verdict::kBad, probe.words, "the operator's `kibitz tls init` or certificate tells the rest");
  }
  Tell("TLS", Verdict::kGood,
       absl::StrCat(probe.version, ", certificate for ", absl::StrJoin(probe.certificate->names, ", ")));
  const absl::Duration left = probe.certificate->not_after - absl::Now();
  const std::string day = absl::FormatTime("%Y-%m-%d", probe.certificate->not_after, absl::UTCTimeZone());
  const std::string words = absl::StrCat("expires on ", day, ", in ", left / absl::Hours(24), " days");
  if (left < kExpiryNotice) return Tell("certificate", Verdict::kNote, words, "its operator should renew it now");
  return Tell("certificate", Verdict::kGood, words);
}

bool Visit::Connect() {
  auto connection = Connection::Open(options_);
  if (!connection.ok()) return Tell("key", Verdict::kBad, Words(connection.status()), "see there");
  connection_ = *std::move(connection);
  return true;
}

// The health service answers everybody, also those without a key.
bool Visit::AskHealth() {
  const auto serving = connection_->client().IsServing(connection_->QuickCall());
  if (!serving.ok()) {
    return Tell("health", Verdict::kBad, Words(serving.status()), "is a Kibitz server there, and not something else?");
  }
  if (*serving) return Tell("health", Verdict::kGood, "the server takes calls");
  return Tell("health", Verdict::kBad, "the server does not take calls", "it is stopping: wait, or call another");
}

bool Visit::AskWho() {
  const absl::Time before = absl::Now();
  const auto info = connection_->client().GetServerInfo(connection_->QuickCall());
  const absl::Time after = absl::Now();
  if (!info.ok()) {
    return Tell(absl::IsUnauthenticated(info.status()) ? "key" : "server", Verdict::kBad, Words(info.status()),
                absl::IsUnauthenticated(info.status()) ? "its operator gives you one: --key-file FILE" : "see its log");
  }
  if (info->tenant().empty()) {
    const bool useless = !options_.key.empty();
    Tell("key", Verdict::kGood, useless ? "the server asks nobody for a key" : "none is asked for");
  } else {
    const bool admin = info->role() == v1::GetServerInfoResponse::ROLE_ADMIN;
    const auto& caps = info->caps();
    Tell("key", Verdict::kGood,
         absl::StrCat("known as ", info->tenant(), admin ? ", an admin" : "", "; depth up to ", caps.max_depth(),
                      ", threads up to ", caps.max_threads(), ", lines up to ", caps.max_multi_pv()));
  }
  TellVersion(*info);
  if (info->has_time()) {
    const absl::Time clock = absl::FromUnixSeconds(info->time().seconds()) + absl::Nanoseconds(info->time().nanos());
    findings_.push_back(CheckClock(clock, before, after));
  }
  return true;
}

void Visit::TellVersion(const v1::GetServerInfoResponse& info) {
  if (!info.GetReflection()->GetUnknownFields(info).empty()) {
    Tell("version", Verdict::kNote, absl::StrCat(info.version(), " there knows more than ", own_version_, " here"),
         "update this program to use all of it");
  } else if (info.version() != own_version_) {
    Tell("version", Verdict::kNote, absl::StrCat(info.version(), " there, ", own_version_, " here"),
         "they understand each other; update the older one when you can");
  } else {
    Tell("version", Verdict::kGood, info.version() + " on both sides");
  }
}

// Answers that are right show that both mean the same by the contract.
bool Visit::AskMoves() {
  std::array<absl::Duration, 9> times{};
  for (absl::Duration& time : times) {
    const absl::Time start = absl::Now();
    const auto moves = connection_->client().LegalMoves({}, connection_->QuickCall());
    time = absl::Now() - start;
    if (!moves.ok()) return Tell("answers", Verdict::kBad, Words(moves.status()), "see the server's log");
    if (moves->moves_size() != 20) {
      return Tell("answers", Verdict::kBad, absl::StrCat(moves->moves_size(), " moves in the starting position"),
                  "the server is another kind or version: update the older side");
    }
  }
  std::sort(times.begin(), times.end());
  const absl::Duration median = times[times.size() / 2];
  const std::string words =
      absl::StrCat("legal moves in ", Milliseconds(median), ", slowest ", Milliseconds(times.back()));
  if (median < kSlowAnswer) return Tell("answers", Verdict::kGood, words);
  return Tell("answers", Verdict::kNote, words, "for games by the clock use a server that is nearer or less busy");
}

}  // namespace

Findings CheckServer(const ConnectionOptions& options, const std::string& own_version) {
  return Visit(options, own_version).Run();
}

Finding CheckClock(absl::Time server, absl::Time before, absl::Time after) {
  // Somewhere between the two the server has looked at its clock.
  const absl::Duration apart = std::max({absl::ZeroDuration(), before - server, server - after});
  const std::string words =
      apart == absl::ZeroDuration() ? "both clocks agree" : absl::StrCat(absl::FormatDuration(apart), " apart");
  if (apart < kClockNotice) return {"clock", Verdict::kGood, words};
  return {"clock", apart < kClockFault ? Verdict::kNote : Verdict::kBad, words,
          "set the clocks of both machines by the network's time"};
}

OwnServer CheckOwnServer(const std::string& syzygy_path) {
  const auto connection = Connection::Open(
      {.quick_timeout = kPatience, .embedded = {.workers = 1, .hash_mb = 1, .syzygy_path = syzygy_path}});
  if (!connection.ok()) {
    return {"", {"own server", Verdict::kBad, Words(connection.status()), "mend that: no command works without"}};
  }
  const auto info = (*connection)->client().GetServerInfo((*connection)->QuickCall());
  if (!info.ok()) return {"", {"own server", Verdict::kBad, Words(info.status()), "report this"}};
  return {info->version(), {"own server", Verdict::kGood, absl::StrCat(info->version(), ", ", info->build())}};
}

}  // namespace kibitz::client
