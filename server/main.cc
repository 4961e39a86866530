// kibitzd: the server as a program. Flags, signals and words; all else is in the library.

#include <execinfo.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/time/time.h"
#include "engine/engine.h"
#include "engine/version.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"
#include "server/config_check.h"
#include "server/errors/errors.h"
#include "server/flag_errors.h"
#include "server/log/log.h"
#include "server/manual/completion.h"
#include "server/manual/man_page.h"
#include "server/metrics/exporter.h"
#include "server/metrics/server_status.h"
#include "server/rpc/listen_address.h"
#include "server/rpc/peer_address.h"
#include "server/server.h"
#include "server/server_options.h"
#include "spdlog/spdlog.h"

namespace kibitz::server {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

// Where metrics are shown unless something else is said.
constexpr char kDefaultMetrics[] = "127.0.0.1:9464";
constexpr char kNoMetrics[] = "off";

struct Flags {
  ServerOptions options{.listen = "127.0.0.1:50051"};
  int drain_delay_ms = 0;
  int grace_ms = 5000;
  int handshake_ms = 10'000;
  int max_connection_age_s = 3600;
  int max_search_s = 3600;
  int default_search_ms = 1000;
  int max_perft_s = 600;
  int job_wait_h = 7 * 24;
  int job_keep_h = 24;
  int job_part_ms = 1500;
  int webhook_pause_ms = 10'000;
  std::string log_level = "info";
  std::string log_format = "auto";
  std::string metrics = kDefaultMetrics;
  bool end_with_parent = false;
  bool check_config = false;

  // The options, with what flags say in other units.
  ServerOptions ToOptions() const {
    ServerOptions all = options;
    all.max_search_time = std::chrono::seconds(max_search_s);
    all.default_search_time = std::chrono::milliseconds(default_search_ms);
    all.handshake_time = std::chrono::milliseconds(handshake_ms);
    all.max_connection_age = std::chrono::seconds(max_connection_age_s);
    all.log_calls = true;
    all.note_crashes = true;
    all.job_wait = std::chrono::hours(job_wait_h);
    all.job_keep = std::chrono::hours(job_keep_h);
    all.webhook_pause = std::chrono::milliseconds(webhook_pause_ms);
    all.job_part_time = std::chrono::milliseconds(job_part_ms);
    all.max_perft_time = std::chrono::seconds(max_perft_s);
    return all;
  }
};

// For CLI11: empty when all is well.
std::string CheckListenAddress(const std::string& text) {
  return std::string(ParseListenAddress(text).status().message());
}

std::string CheckAddressRanges(const std::string& text) {
  return std::string(ParseAddressRanges(text).status().message());
}

// Flags that print what is written about this program, from all that is declared, and end it.
void DeclareManual(CLI::App& app) {
  const auto add = [&app](const std::string& name, const std::string& help, auto write) {
    app.add_flag_callback(
        name,
        [&app, write] {
          std::fputs(write(app).c_str(), stdout);
          throw CLI::Success();
        },
        help);
  };
  add("--man", "print the manual for man(1)", [](const CLI::App& each) {
    return ManPage(each, {.section = 8, .version = std::string(EngineVersion()), .see_also = "kibitz(1)"});
  });
  add("--completion", "print a script that completes flags in bash", BashCompletion);
}

std::string CheckMetricsAddress(const std::string& text) {
  return text == kNoMetrics ? "" : std::string(ParseMetricsAddress(text).status().message());
}

void Declare(CLI::App& app, Flags& flags) {
  ServerOptions& options = flags.options;
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    std::string variable = "KIBITZ_" + name;
    for (char& c : variable) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return app.add_option("--" + name, value, help)->envname(variable)->capture_default_str()->take_last();
  };
  add("listen", options.listen, "HOST:PORT to listen on; port 0 takes a free one")->check(CheckListenAddress);
  add("workers", options.workers, "threads that search and count; 0: one for each core")->check(CLI::Range(0, 1024));
  add("max-live", options.max_live, "how many searches and counts may be under way at once")
      ->check(CLI::Range(1, 100'000));
  add("hash-mb", options.hash_mb, "MiB for the table that all analyses share")->check(CLI::Range(1, 1 << 20));
  add("syzygy-path", options.syzygy_path, "folders of Syzygy endgame tables, separated by colons");
  add("evaluation", options.evaluation, "how positions are evaluated")
      ->check(CLI::IsMember({kNetEvaluation, kClassicalEvaluation}));
  add("eval-file", options.eval_file, "a net to evaluate positions with; none: the one that Kibitz carries");
  add("max-queue", options.max_queue, "how many requests may wait to begin")->check(CLI::Range(0, 1'000'000));
  add("perft-hash-mb", options.perft_hash_mb, "MiB for perft hash tables, over all requests")
      ->check(CLI::Range(0, 1 << 20));
  add("private-tables-mb", options.private_tables_mb, "MiB for tables of their own, of reproducible searches and such")
      ->check(CLI::Range(0, 1 << 20));
  add("memory-mb", options.memory_mb, "MiB for all requests at once, beside the shared table")
      ->check(CLI::Range(16, 1 << 20));
  add("max-sessions", options.max_sessions, "how many sessions may be open")->check(CLI::Range(1, 100'000));
  add("max-connections", options.max_connections, "how many connections may be open, if the descriptors suffice")
      ->check(CLI::Range(1, 1'000'000));
  add("max-connections-per-peer", options.max_connections_per_peer,
      "how many of them from one IPv4 address or IPv6 /64; 0: no bound")
      ->check(CLI::Range(0, 1'000'000));
  add("proxies", options.proxies, "addresses and ranges that speak for many, and are not bound by that")
      ->check(CheckAddressRanges);
  add("handshake-ms", flags.handshake_ms, "by when who connects must have said what it speaks, in milliseconds")
      ->check(CLI::Range(100, 600'000));
  add("max-connection-age-s", flags.max_connection_age_s,
      "after how many seconds a connection takes no new calls; 0: never. Its streams go on")
      ->check(CLI::Range(0, 2'000'000));
  add("max-multi-pv", options.max_multi_pv, "the most lines of one analysis")->check(CLI::Range(1, 256));
  add("store", options.store,
      "a file to store results in, for whoever asks next, or \"nats\": the farm's; none: nothing is stored");
  add("store-mb", options.store_mb, "how large that may become, in MiB")->check(CLI::Range(1, 1 << 20));
  add("jobs", options.jobs, "a file to keep jobs in, with their results; none: no jobs are taken");
  add("jobs-mb", options.jobs_mb, "how much jobs and their results may take, in MiB")->check(CLI::Range(64, 1 << 20));
  add("max-jobs", options.max_jobs, "how many jobs may be there that are not over")->check(CLI::Range(1, 1'000'000));
  add("max-jobs-per-tenant", options.max_jobs_per_tenant,
      "how many of them may be one caller's, if its key says no more")
      ->check(CLI::Range(1, 1'000'000));
  add("job-wait-h", flags.job_wait_h, "how long jobs may wait to be done, in hours")->check(CLI::Range(1, 24 * 365));
  add("job-keep-h", flags.job_keep_h, "how long jobs are kept once they are over, in hours")
      ->check(CLI::Range(1, 24 * 365));
  add("job-part-ms", flags.job_part_ms, "how long a part of a job takes, about, in milliseconds: what a kill costs")
      ->check(CLI::Range(10, 600'000));
  add("webhook-hosts", options.webhook_hosts,
      "the hosts that may be told that a job is over, such as hooks.example.org,*.example.com:8443");
  add("webhook-secrets", options.webhook_secrets, "a file with a tenant and its secret on each line, to sign that by");
  add("webhook-pause-ms", flags.webhook_pause_ms,
      "after how many milliseconds a host is told again that did not answer well; three times as long each time")
      ->check(CLI::Range(10, 3'600'000));
  add("nats", options.nats,
      "the NATS of a farm to keep jobs in instead, nats://HOST:PORT or tls://HOST:PORT, with commas between several");
  add("nats-creds", options.nats_creds, "file of credentials to show there");
  add("nats-tls-ca", options.nats_tls_ca, "PEM file of the authority that its certificates come from");
  add("nats-prefix", options.nats_prefix, "what its streams' names begin with, so that farms can share it");
  add("nats-replicas", options.nats_replicas, "how many of its servers keep everything: 1, or 3 of a cluster")
      ->check(CLI::Range(1, 5));
  add("node", options.node, "what this server is called where jobs tell who did them; none: as its machine");
  add("openings", options.openings, "a PGN file of named openings; none: that of Debian's pgn-extract, if installed");
  add("max-message-bytes", options.max_message_bytes, "the largest request")->check(CLI::Range(1 << 10, 1 << 26));
  add("max-batch-bytes", options.max_batch_bytes, "the largest request with many positions, or games")
      ->check(CLI::Range(1 << 10, 1 << 26));
  add("max-search-s", flags.max_search_s, "the longest search, in seconds")->check(CLI::Range(1, 86'400));
  add("default-search-ms", flags.default_search_ms, "how long to search without a limit, in milliseconds")
      ->check(CLI::Range(1, 86'400'000));
  add("max-perft-s", flags.max_perft_s, "the longest count of move paths, in seconds")->check(CLI::Range(1, 86'400));
  add("max-perft-nodes", options.max_perft_nodes, "the largest count of move paths")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000'000'000}));
  add("reflection", options.reflection, "whether tools may ask for the methods and messages: true or false");
  add("tls-cert", options.tls_cert, "PEM file of the server's certificate, and of those that lead to its authority");
  add("tls-key", options.tls_key, "PEM file of its private key");
  add("tls-client-ca", options.tls_client_ca, "PEM file of the authorities whose clients are let in, and nobody else");
  add("keys", options.keys, "file of the keys that callers must have one of; kibitz keys writes it");
  app.add_flag("--insecure", options.insecure, "serve without TLS on addresses that others can reach");
  add("drain-delay-ms", flags.drain_delay_ms,
      "how long to go on after SIGTERM with health saying NOT_SERVING, in milliseconds")
      ->check(CLI::Range(0, 3'600'000));
  add("grace-ms", flags.grace_ms, "how long calls may take to end after that, in milliseconds")
      ->check(CLI::Range(0, 3'600'000));
  add("metrics", flags.metrics, "HOST:PORT, or a port of 127.0.0.1, to show Prometheus metrics on; or off")
      ->check(CheckMetricsAddress);
  add("log-level", flags.log_level, "how much to log on standard error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}));
  add("log-format", flags.log_format, "how its lines look; auto: text on a terminal, JSON elsewhere")
      ->check(CLI::IsMember({"auto", "text", "json"}));
  add("log-one-in", options.log_one_in, "log one in so many calls that went well and had nothing to search")
      ->check(CLI::Range(1, 1'000'000));
  app.add_flag("--end-with-parent", flags.end_with_parent, "stop when the process that started this one ends");
  app.add_flag("--check-config", flags.check_config,
               "say all that is wrong with the flags and what they name, and end");
  app.set_config("--config", "", "read flags from a TOML file, such as: workers = 4")->envname("KIBITZ_CONFIG");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.set_version_flag("--version", VersionAndBuild());
  DeclareManual(app);
  app.footer(
      "Each flag can also be given by the environment variable beside it, or in the file of --config.\n"
      "The command line wins over the environment, the environment over the file.\n\n"
      "examples:\n"
      "  kibitzd\n"
      "  kibitzd --listen 0.0.0.0:50051 --tls-cert server.pem --tls-key server.key\n"
      "  kibitzd --listen '[::1]:0'\n"
      "  KIBITZ_LISTEN=127.0.0.1:6000 kibitzd --config kibitzd.toml\n"
      "  kibitzd --config kibitzd.toml --check-config\n\n"
      "SIGTERM, SIGINT or SIGHUP stops it in good order, a second one at once. Exit codes: 0 stopped, 1 failed, 2 "
      "usage.");
}

// The command line, after what the environment says: CLI11 by itself would let a file win over the environment.
std::vector<std::string> Arguments(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  for (const CLI::Option* option : app.get_options()) {
    const char* const value = option->get_envname().empty() ? nullptr : std::getenv(option->get_envname().c_str());
    if (value != nullptr) arguments.insert(arguments.begin(), option->get_name() + "=" + value);
  }
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants it
  return arguments;
}

// gRPC's errors are for operators: the last words before it aborts are among them. The rest it also reports by return
// values, and is for those who look for faults in it.
void LogFromGrpc(gpr_log_func_args* args) {
  spdlog::log(args->severity == GPR_LOG_SEVERITY_ERROR ? spdlog::level::err : spdlog::level::debug, "gRPC: {} ({}:{})",
              args->message, args->file, args->line);
}

// What Protocol Buffers says about bad messages the client is told as well.
void LogFromProtobuf(google::protobuf::LogLevel level, const char* file, int line, const std::string& message) {
  spdlog::log(level == google::protobuf::LOGLEVEL_FATAL ? spdlog::level::err : spdlog::level::debug,
              "Protocol Buffers: {} ({}:{})", message, file, line);
}

void SetUpLogs(const Flags& flags) {
  const bool decided = flags.log_format != "auto";
  const LogFormat wanted = flags.log_format == "json" ? LogFormat::kJson : LogFormat::kText;
  SetUpLog(flags.log_level, decided ? wanted : LogFormatForStandardError());
  gpr_set_log_function(LogFromGrpc);
  google::protobuf::SetLogHandler(LogFromProtobuf);
}

// The signals that end the server. Blocked before any thread starts, so that only sigwait sees them.
sigset_t BlockStopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Connections need descriptors, and the soft limit is for programs of the last century.
void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Large blocks are what searches work in. They are to go back to the system when they are freed, always: left alone,
// the allocator takes the first that is freed for a sign that it had better keep them.
void ReturnLargeBlocks() { mallopt(M_MMAP_THRESHOLD, 256 << 10); }

// When there is no memory left it is too late to load what handles that: the library that unwinds the stack through C,
// and the descriptions of the messages that errors carry.
void PrepareForExhaustion() {
  void* frame = nullptr;
  backtrace(&frame, 1);
  Exhausted("MEMORY_EXHAUSTED", "", absl::ZeroDuration()).IgnoreError();
}

// Whether whoever started this process has ended, so that another has become its parent: the system's first process, or
// one that adopts orphans, whose session is then another than the one that was inherited.
bool IsOrphan() {
  const pid_t parent = getppid();
  return parent == 1 || (getsid(0) != getpid() && getsid(parent) != getsid(0));
}

// Shows the metrics where they are wanted; nullptr where they are not. The default port may be another server's on the
// same machine, which is no reason not to start.
absl::StatusOr<std::unique_ptr<Exporter>> ShowMetrics(const Flags& flags, const Server& server) {
  if (flags.metrics == kNoMetrics) return nullptr;
  const absl::StatusOr<ListenAddress> address = ParseMetricsAddress(flags.metrics);
  if (!address.ok()) return address.status();
  absl::StatusOr<std::unique_ptr<Exporter>> exporter = Exporter::Start(*address, [&server] { return server.status(); });
  if (exporter.ok()) {
    spdlog::info("metrics on {}", (*exporter)->url());
  } else if (flags.metrics == kDefaultMetrics) {
    spdlog::warn("{}; going on without: --metrics HOST:PORT shows them elsewhere, --metrics off not at all",
                 std::string(exporter.status().message()));
    return nullptr;
  }
  return exporter;
}

int Fail(const absl::Status& why) {
  std::fprintf(stderr, "kibitzd: %s\n", std::string(why.message()).c_str());
  return absl::IsInvalidArgument(why) ? kExitUsage : kExitFailed;
}

int Serve(const Flags& flags) {
  const sigset_t signals = BlockStopSignals();
  // Whoever reads our words may end before we do.
  signal(SIGPIPE, SIG_IGN);
  if (flags.end_with_parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    // It may have ended before there was a signal to hear.
    if (IsOrphan()) return kExitOk;
  }
  RaiseDescriptorLimit();
  ReturnLargeBlocks();
  PrepareForExhaustion();
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(flags.ToOptions());
  if (!server.ok()) return Fail(server.status());
  const absl::StatusOr<std::unique_ptr<Exporter>> exporter = ShowMetrics(flags, **server);
  if (!exporter.ok()) return Fail(exporter.status());
  std::printf("listening on %s\n", (*server)->address().c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("stopping; a second signal ends at once");
  // From here on the signals do what they do by default.
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  (*server)->Drain();
  std::this_thread::sleep_for(std::chrono::milliseconds(flags.drain_delay_ms));
  (*server)->Shutdown(std::chrono::milliseconds(flags.grace_ms));
  return kExitOk;
}

// All that is wrong with the flags, one to a line.
void PrintErrors(const std::vector<std::string>& errors) {
  for (const std::string& error : errors) std::fprintf(stderr, "kibitzd: %s\n", error.c_str());
}

// Says what is wrong with the flags, and with what they name; nothing is started.
int CheckAll(const std::vector<std::string>& command_line) {
  Flags flags;
  std::vector<std::string> errors = FindFlagErrors([&flags](CLI::App& app) { Declare(app, flags); }, command_line);
  const ConfigFindings findings = CheckConfig(flags.ToOptions(), flags.metrics == kNoMetrics ? "" : flags.metrics);
  errors.insert(errors.end(), findings.errors.begin(), findings.errors.end());
  PrintErrors(errors);
  for (const std::string& note : findings.notes) std::fprintf(stderr, "kibitzd: note: %s\n", note.c_str());
  if (!errors.empty()) return kExitUsage;
  std::printf("the configuration is good\n");
  return kExitOk;
}

int Main(int argc, char** argv) {
  const std::vector<std::string> command_line(argv + 1, argv + argc);
  Flags flags;
  CLI::App app("kibitzd: the Kibitz chess analysis server.", "kibitzd");
  Declare(app, flags);
  try {
    app.parse(Arguments(app, argc, argv));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    if (std::find(command_line.begin(), command_line.end(), "--check-config") != command_line.end()) {
      return CheckAll(command_line);
    }
    const std::vector<std::string> errors =
        FindFlagErrors([&flags](CLI::App& each) { Declare(each, flags); }, command_line);
    PrintErrors(errors);
    if (errors.empty()) app.exit(error);
    return kExitUsage;
  }
  if (flags.check_config) return CheckAll(command_line);
  SetUpLogs(flags);
  return Serve(flags);
}

}  // namespace
}  // namespace kibitz::server

int main(int argc, char** argv) { return kibitz::server::Main(argc, argv); }
