#include "server/config_check.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "server/auth/key_store.h"
#include "server/job_options.h"
#include "server/metrics/exporter.h"
#include "server/review/openings.h"
#include "server/rpc/listen_address.h"
#include "server/store_options.h"
#include "server/tls/certificates.h"
#include "server/tls_options.h"

namespace kibitz::server {
namespace {

// Whether this machine has the address, whatever port is taken, and whether others can reach it there.
bool IsReachable(absl::string_view flag, ListenAddress address, ConfigFindings& findings) {
  address.port = 0;
  const absl::StatusOr<ListeningSockets> sockets = OpenSockets(address);
  if (!sockets.ok()) findings.errors.push_back(absl::StrCat(flag, ": ", sockets.status().message()));
  return sockets.ok() && !sockets->loopback;
}

void CheckAddresses(const ServerOptions& options, const std::string& metrics, ConfigFindings& findings) {
  const absl::StatusOr<ListenAddress> listen = ParseListenAddress(options.listen);
  const bool plaintext = options.tls_cert.empty() && !options.insecure;
  if (listen.ok() && IsReachable("--listen", *listen, findings) && plaintext) {
    findings.errors.push_back(absl::StrCat("--listen: ", PlaintextRefused(*listen).message()));
  }
  if (metrics.empty()) return;
  const absl::StatusOr<ListenAddress> shown = ParseMetricsAddress(metrics);
  if (!shown.ok()) return;
  if (IsReachable("--metrics", *shown, findings)) {
    findings.notes.push_back("--metrics: others than this machine can reach the metrics, and read them");
  }
  if (listen.ok() && shown->port != 0 && shown->ToString() == listen->ToString()) {
    findings.errors.push_back(
        absl::StrCat("--metrics: ", metrics, " is where calls are to be answered: choose another port"));
  }
}

void CheckFolders(const ServerOptions& options, ConfigFindings& findings) {
  for (const absl::string_view folder : absl::StrSplit(options.syzygy_path, ':', absl::SkipEmpty())) {
    std::error_code error;
    const std::filesystem::path path{std::string(folder)};
    if (!std::filesystem::is_directory(path, error)) {
      findings.errors.push_back(absl::StrCat("--syzygy-path: there is no folder ", folder));
    } else if (access(path.c_str(), R_OK | X_OK) != 0) {
      findings.errors.push_back(absl::StrCat("--syzygy-path: ", folder, " may not be read by this user"));
    }
  }
}

void CheckFiles(const ServerOptions& options, ConfigFindings& findings) {
  if (!options.openings.empty()) {
    const absl::StatusOr<Openings> openings = Openings::Load(options.openings);
    if (!openings.ok()) findings.errors.push_back(absl::StrCat("--openings: ", openings.status().message()));
  }
  const absl::StatusOr<std::optional<TlsFiles>> tls = TlsFilesOf(options);
  if (!tls.ok()) {
    findings.errors.emplace_back(tls.status().message());
  } else if (tls->has_value()) {
    const auto certificates = ReadCertificates(**tls, std::chrono::system_clock::now());
    if (!certificates.ok()) findings.errors.emplace_back(certificates.status().message());
  }
  if (const absl::Status jobs = CheckJobs(options); !jobs.ok()) findings.errors.emplace_back(jobs.message());
  if (const absl::Status store = CheckStore(options); !store.ok()) findings.errors.emplace_back(store.message());
  if (options.keys.empty()) return;
  if (const auto keys = KeyStore::Open(options.keys); !keys.ok()) {
    findings.errors.emplace_back(keys.status().message());
  }
}

void CheckMemory(const ServerOptions& options, ConfigFindings& findings) {
  const auto part = [&](absl::string_view flag, int megabytes) {
    if (megabytes <= options.memory_mb) return;
    findings.notes.push_back(absl::StrCat(flag, " (", megabytes, ") is a part of --memory-mb (", options.memory_mb,
                                          "), and cannot be used up"));
  };
  part("--perft-hash-mb", options.perft_hash_mb);
  part("--private-tables-mb", options.private_tables_mb);
  struct sysinfo system{};
  if (sysinfo(&system) != 0) return;
  const std::uint64_t there_mb = static_cast<std::uint64_t>(system.totalram) * system.mem_unit >> 20;
  const auto wanted_mb = static_cast<std::uint64_t>(options.hash_mb) + static_cast<std::uint64_t>(options.memory_mb);
  if (wanted_mb > there_mb) {
    findings.notes.push_back(absl::StrCat("--hash-mb and --memory-mb are ", wanted_mb,
                                          " MiB together; this machine has ", there_mb, " MiB"));
  }
}

void CheckTimes(const ServerOptions& options, ConfigFindings& findings) {
  if (options.default_search_time <= options.max_search_time) return;
  findings.notes.push_back("--default-search-ms is longer than --max-search-s, which ends every search");
}

}  // namespace

ConfigFindings CheckConfig(const ServerOptions& options, const std::string& metrics) {
  ConfigFindings findings;
  CheckAddresses(options, metrics, findings);
  CheckFolders(options, findings);
  CheckFiles(options, findings);
  CheckMemory(options, findings);
  CheckTimes(options, findings);
  return findings;
}

}  // namespace kibitz::server
