// Names and digests of jobs.

#ifndef KIBITZ_SERVER_JOBS_DIGEST_H_
#define KIBITZ_SERVER_JOBS_DIGEST_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {

// A name that nobody guesses: 32 hexadecimal digits. An error says why the system has no random numbers.
absl::StatusOr<std::string> MakeJobId();

// The SHA-256 of some bytes, in bytes.
std::string FingerprintOf(absl::string_view bytes);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_DIGEST_H_
