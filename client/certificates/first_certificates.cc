#include "client/certificates/first_certificates.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "client/certificates/authority.h"
#include "server/files/files.h"

namespace kibitz::client {
namespace {

// Clocks of the machines that use them may differ a little.
constexpr absl::Duration kClockSkew = absl::Minutes(5);

using File = std::pair<std::string, std::string>;  // its path and content

absl::StatusOr<std::vector<File>> MakeFiles(const FirstCertificates& wanted, absl::Time now) {
  const Validity validity{.from = now - kClockSkew, .until = now + absl::Hours(24) * wanted.days};
  const absl::StatusOr<Authority> authority = Authority::Create("Kibitz CA for a first try", validity);
  if (!authority.ok()) return authority.status();
  const absl::StatusOr<CertifiedKey> own = authority->ToPem();
  if (!own.ok()) return own.status();
  const absl::StatusOr<CertifiedKey> server =
      authority->Issue(Authority::Use::kServer, "kibitzd", wanted.hosts, validity);
  if (!server.ok()) return server.status();
  const absl::StatusOr<CertifiedKey> client = authority->Issue(Authority::Use::kClient, "kibitz client", {}, validity);
  if (!client.ok()) return client.status();
  return std::vector<File>{{wanted.CaCertificate(), own->certificate},        {wanted.CaKey(), own->key},
                           {wanted.ServerCertificate(), server->certificate}, {wanted.ServerKey(), server->key},
                           {wanted.ClientCertificate(), client->certificate}, {wanted.ClientKey(), client->key}};
}

}  // namespace

absl::Status WriteFirstCertificates(const FirstCertificates& wanted, absl::Time now) {
  const absl::StatusOr<std::vector<File>> files = MakeFiles(wanted, now);
  if (!files.ok()) return files.status();
  if (mkdir(wanted.folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make the folder ", wanted.folder));
  }
  for (const auto& [path, content] : *files) {
    if (access(path.c_str(), F_OK) == 0) {
      return absl::AlreadyExistsError(
          absl::StrCat(path, " is there already, and is not overwritten: choose another folder, or remove it"));
    }
  }
  for (std::size_t i = 0; i < files->size(); ++i) {
    const absl::Status written = server::WriteNewFile((*files)[i].first, (*files)[i].second);
    if (written.ok()) continue;
    while (i > 0) unlink((*files)[--i].first.c_str());
    return written;
  }
  return absl::OkStatus();
}

}  // namespace kibitz::client
