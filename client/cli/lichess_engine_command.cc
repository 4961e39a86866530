#include "client/cli/lichess_engine_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/cli/connection_flags.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"
#include "client/cli/interrupt.h"
#include "client/connection.h"
#include "client/http/http_client.h"
#include "client/key.h"
#include "client/lichess/external_engine/provider.h"
#include "client/lichess/external_engine/registration.h"
#include "client/lichess/external_engine/secret_file.h"
#include "client/net/server_address.h"
#include "engine/version.h"
#include "server/log/log.h"
#include "server/log/log_fields.h"

namespace kibitz::client {
namespace {

struct EngineFlags {
  ConnectionFlags connection{};
  EmbeddedOptions embedded{};
  std::string url = "https://lichess.org";
  std::string broker = "https://engine.lichess.ovh";
  std::string ca_file{};
  std::string token_file{};
  std::string secret_file{};
  std::string name = "Kibitz";
  int max_threads = 0;
  int max_hash_mb = 0;
  int default_depth = 20;
  int concurrency = 16;
  bool remove = false;
};

ExitCode Fail(const absl::Status& status, ExitCode code = kExitFailed) {
  PrintError(std::string(status.message()));
  return code;
}

absl::StatusOr<std::string> TokenOf(const EngineFlags& flags) {
  if (!flags.token_file.empty()) return ReadKeyFile(flags.token_file, "token");
  const char* const set = std::getenv("LICHESS_TOKEN");
  if (set != nullptr && *set != '\0') return std::string(set);
  return absl::InvalidArgumentError(
      "there is no token: name the file of one by --token-file, or set LICHESS_TOKEN; "
      "https://lichess.org/account/oauth/token makes them, with the scopes engine:read and engine:write");
}

absl::StatusOr<std::string> SecretOf(const EngineFlags& flags) {
  const std::string path = flags.secret_file.empty() ? lichess::DefaultSecretFile() : flags.secret_file;
  if (path.empty()) return absl::InvalidArgumentError("there is no home for the secret: name a file by --secret-file");
  return lichess::ReadOrMakeSecret(path);
}

absl::StatusOr<std::unique_ptr<http::HttpClient>> Open(const std::string& url, const std::string& token,
                                                       const EngineFlags& flags) {
  return http::HttpClient::Open(
      {.base_url = url, .token = token, .user_agent = VersionAndBuild(), .ca_file = flags.ca_file});
}

// What the broker is told names no token, but the secret: that is not for all on the way either.
absl::Status CheckSecrecy(const std::string& url, const http::HttpClient& broker) {
  const auto address = ParseServerAddress(broker.host());
  if (absl::StartsWithIgnoreCase(url, "https://") || (address && IsLoopback(*address))) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("the secret would go to ", broker.host(),
                                                    " in plaintext, for all on the way to read: take https://"));
}

absl::StatusOr<std::unique_ptr<Connection>> OpenPool(const EngineFlags& flags) {
  absl::StatusOr<ConnectionOptions> options = ConnectionOf(flags.connection);
  if (!options.ok()) return options.status();
  options->embedded = flags.embedded;
  options->embedded.workers = flags.max_threads;
  options->embedded.hash_mb = flags.max_hash_mb;
  options->embedded.max_search_time = absl::Hours(24);
  return Connection::Open(*options);
}

// What may be asked of the pool: no more than it has.
void FitToPool(const v1::GetServerInfoResponse& info, lichess::Registration& registration,
               lichess::ProviderOptions& options) {
  const int threads = std::max(1, std::min(info.caps().max_threads(), info.workers()));
  const auto fit = [](int wanted, int most) { return wanted > 0 ? std::min(wanted, most) : most; };
  registration.max_threads = fit(registration.max_threads, threads);
  registration.max_hash_mb = fit(registration.max_hash_mb, std::max(1, info.hash_mb()));
  options.caps = {.max_threads = registration.max_threads, .max_depth = std::max(1, info.caps().max_depth())};
}

ExitCode Serve(const EngineFlags& flags, http::HttpClient& lichess, const std::string& token,
               const Interrupt& interrupt) {
  const absl::StatusOr<std::string> secret = SecretOf(flags);
  if (!secret.ok()) return Fail(secret.status());
  const auto broker = Open(flags.broker, "", flags);
  if (!broker.ok()) return Fail(broker.status(), kExitUsage);
  if (absl::Status status = CheckSecrecy(flags.broker, **broker); !status.ok()) return Fail(status);
  const auto pool = OpenPool(flags);
  if (!pool.ok()) return ReportFailure(pool.status(), /*interrupted=*/false);
  const auto info = (*pool)->client().GetServerInfo((*pool)->QuickCall(interrupt.token()));
  if (!info.ok()) return ReportFailure(info.status(), interrupt.token().stop_requested());
  // After the server inside has had its word about the log.
  server::SetUpLog("info", server::LogFormatForStandardError());
  lichess::Registration registration{.name = flags.name,
                                     .max_threads = flags.max_threads,
                                     .max_hash_mb = flags.max_hash_mb,
                                     .default_depth = flags.default_depth,
                                     .provider_secret = *secret};
  lichess::ProviderOptions options{
      .provider_secret = *secret, .concurrency = flags.concurrency, .log = [&token](std::string_view line) {
        server::LogFields(lichess::WithoutSecret(line, token)).Log(spdlog::level::info);
      }};
  FitToPool(*info, registration, options);
  const auto id = lichess::Register(lichess, registration, interrupt.token());
  if (!id.ok()) {
    if (interrupt.token().stop_requested()) return kExitInterrupted;
    const std::string words = lichess::WithoutSecret(std::string(id.status().message()), *secret);
    return Fail(absl::UnknownError(lichess::WithoutSecret(words, token)));
  }
  server::LogFields("registered")
      .Add("engine", *id)
      .Add("name", registration.name)
      .Add("threads", std::int64_t{registration.max_threads})
      .Add("hash_mb", std::int64_t{registration.max_hash_mb})
      .Log(spdlog::level::info);
  lichess::Provider provider(**broker, **pool, options);
  const absl::Status status = provider.Run(interrupt.token());
  const lichess::ProviderCounts counts = provider.counts();
  Print(fmt::format("served {} analyses, {} failed\n", counts.served, counts.failed));
  return status.ok() ? kExitOk : Fail(status);
}

ExitCode RunLichessEngine(const EngineFlags& flags) {
  // Before any other thread, which must not hear the signal.
  const Interrupt interrupt;
  // Whoever runs it as a service stops it in good order as well.
  std::signal(SIGTERM, [](int) { kill(getpid(), SIGINT); });
  const absl::StatusOr<std::string> token = TokenOf(flags);
  if (!token.ok()) return Fail(token.status(), kExitUsage);
  const auto lichess = Open(flags.url, *token, flags);
  if (!lichess.ok()) return Fail(lichess.status(), kExitUsage);
  if (!flags.remove) return Serve(flags, **lichess, *token, interrupt);
  const auto removed = lichess::Unregister(**lichess, flags.name, interrupt.token());
  if (!removed.ok()) {
    return Fail(absl::UnknownError(lichess::WithoutSecret(std::string(removed.status().message()), *token)));
  }
  Print(*removed == 0 ? fmt::format("there is no engine '{}'\n", flags.name)
                      : fmt::format("'{}' is deleted\n", flags.name));
  return kExitOk;
}

void AddFlags(CLI::App& command, EngineFlags& flags) {
  const auto add = [&](const std::string& name, std::string& value, const std::string& help, const char* type) {
    return command.add_option(name, value, help)->type_name(type);
  };
  const auto add_number = [&](const std::string& name, int& value, const std::string& help, const char* type, int min,
                              int max) {
    return command.add_option(name, value, help)->type_name(type)->check(CLI::Range(min, max).description(""));
  };
  add("--token-file", flags.token_file, "The file that holds the user's token; or LICHESS_TOKEN", "FILE")
      ->envname("LICHESS_TOKEN_FILE");
  add("--secret-file", flags.secret_file, "Where the secret for the broker is kept; made if it is not there", "FILE");
  add("--name", flags.name, "How the board calls the engine", "NAME")->capture_default_str();
  add_number("--max-threads", flags.max_threads, "What a user may ask for; all that the pool has", "N", 1, 1024);
  add_number("--max-hash", flags.max_hash_mb, "The table, which all users share; all that the pool has", "MB", 1,
             1 << 20);
  add_number("--default-depth", flags.default_depth, "How deep a search usually gets", "N", 0, 246)
      ->capture_default_str();
  add_number("--concurrency", flags.concurrency, "How many boards are served at a time", "N", 1, 1000)
      ->capture_default_str();
  command.add_flag("--delete", flags.remove, "Only take the engine of this name away from the board");
  add("--url", flags.url, "Another Lichess than the one", "URL");
  add("--broker", flags.broker, "Where that Lichess has its work for engines", "URL");
  add("--ca-file", flags.ca_file, "Trust the certificates in this file instead of this machine's", "FILE");
  add("--syzygy", flags.embedded.syzygy_path, "Folders of endgame tables, with colons, without --server", "FOLDERS");
  add("--eval-file", flags.embedded.eval_file, "A net to evaluate with, without --server", "FILE");
  AddConnectionFlags(command, flags.connection);
}

}  // namespace

void AddLichessEngineCommand(CLI::App& lichess, ExitCode& exit_code) {
  auto flags = std::make_shared<EngineFlags>();
  CLI::App* command = lichess.add_subcommand("engine", "Be an external engine of Lichess's analysis board");
  AddFlags(*command, *flags);
  command->footer(
      "Examples:\n"
      "  kibitz lichess engine --token-file token --max-hash 512\n"
      "  kibitz lichess engine --token-file token --server analysis.example:50051 --key-file key --name \"Our pool\"\n"
      "  kibitz lichess engine --token-file token --delete\n"
      "\n"
      "Registers the engine, or brings it up to date, and works for the boards of that user until Ctrl-C or SIGTERM.\n"
      "The token needs the scopes engine:read and engine:write. docs/lichess.md tells more.");
  command->callback([flags, &exit_code] { exit_code = RunLichessEngine(*flags); });
}

}  // namespace kibitz::client
