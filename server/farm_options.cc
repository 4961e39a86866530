#include "server/farm_options.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "server/errors/errors.h"

namespace kibitz::server {

NatsOptions FarmNats(const ServerOptions& options) {
  return {.url = options.nats,
          .credentials = options.nats_creds,
          .tls_ca = options.nats_tls_ca,
          .prefix = options.nats_prefix,
          .replicas = options.nats_replicas};
}

absl::Status CheckNats(const ServerOptions& options) {
  if (!options.jobs.empty())
    return absl::InvalidArgumentError("--jobs and --nats: jobs are kept in a file or in a farm");
  for (const absl::string_view url : absl::StrSplit(options.nats, ',')) {
    if (!absl::StartsWith(url, "nats://") && !absl::StartsWith(url, "tls://")) {
      return absl::InvalidArgumentError(
          absl::StrCat("--nats: ", Printable(url), " is not nats://HOST:PORT or tls://HOST:PORT"));
    }
  }
  const auto is_letter = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
  };
  if (options.nats_prefix.empty() || !std::all_of(options.nats_prefix.begin(), options.nats_prefix.end(), is_letter)) {
    return absl::InvalidArgumentError("--nats-prefix: must be letters, digits, - and _");
  }
  for (const auto& [flag, file] :
       {std::pair("--nats-creds", options.nats_creds), {"--nats-tls-ca", options.nats_tls_ca}}) {
    if (!file.empty() && access(file.c_str(), R_OK) != 0) {
      return absl::InvalidArgumentError(absl::StrCat(flag, ": ", file, " cannot be read"));
    }
  }
  return absl::OkStatus();
}

}  // namespace kibitz::server
