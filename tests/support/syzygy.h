// Syzygy tables for tests. They are large and no part of this repository.

#ifndef KIBITZ_TESTS_SUPPORT_SYZYGY_H_
#define KIBITZ_TESTS_SUPPORT_SYZYGY_H_

#include <optional>
#include <string>

namespace kibitz {

// The folder that KIBITZ_TEST_SYZYGY names, or ../shared/data/syzygy beside the repository; nothing if there is none.
std::optional<std::string> FindSyzygyTables();

// For a test's first line, in words that say where to put the tables.
#define KIBITZ_SKIP_WITHOUT_SYZYGY() \
  if (!::kibitz::FindSyzygyTables()) \
  GTEST_SKIP() << "no Syzygy tables (set KIBITZ_TEST_SYZYGY to a folder with those of four men): not tested"

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_SYZYGY_H_
