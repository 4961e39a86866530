#include "tests/support/syzygy.h"

#include <cstdlib>
#include <filesystem>

namespace kibitz {

std::optional<std::string> FindSyzygyTables() {
  namespace fs = std::filesystem;
  std::error_code error;
  const char* const named = std::getenv("KIBITZ_TEST_SYZYGY");
  if (named != nullptr && *named != '\0') return fs::is_directory(named, error) ? std::optional(named) : std::nullopt;
  // A runfile is a link into the repository.
  const char* const runfiles = std::getenv("TEST_SRCDIR");
  const fs::path data = fs::path(runfiles == nullptr ? "." : std::string(runfiles) + "/kibitz") / "tests/testdata";
  const fs::path file = fs::canonical(data / "perft_suite.txt", error);
  const fs::path tables = file.parent_path().parent_path().parent_path().parent_path() / "shared/data/syzygy";
  return !error && fs::is_directory(tables, error) ? std::optional(tables.string()) : std::nullopt;
}

}  // namespace kibitz
