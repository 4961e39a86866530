// make_certificates FOLDER DAYS AGO: certificates that were made so many days ago, good for so many days.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/time/clock.h"
#include "client/certificates/first_certificates.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const absl::Time made_at = absl::Now() - absl::Hours(24) * std::atoi(argv[3]);
  const absl::Status written =
      kibitz::client::WriteFirstCertificates({.folder = argv[1], .days = std::atoi(argv[2])}, made_at);
  if (!written.ok()) std::fprintf(stderr, "%s\n", std::string(written.message()).c_str());
  return written.ok() ? 0 : 1;
}
