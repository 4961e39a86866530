#include "engine/tuning/statistics.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace kibitz::tuning {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statistics, engine, seed, nodes, siblings, sibling_nodes, book, next_game, positions,
                                   duplicates, siblings_kept, games, plies, starts, results, pieces, values)

void Statistics::Count(const Record& record) {
  ++positions;
  if (LabelOf(record).origin == Origin::kSibling) ++siblings_kept;
  ++pieces[static_cast<std::size_t>(std::popcount(record.occupied))];
  const int last = static_cast<int>(values.size()) - 1;
  ++values[static_cast<std::size_t>(std::clamp(last / 2 + record.value / kValueStep, 0, last))];
}

absl::Status Statistics::Write(const std::string& path) const {
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh);
    if (!(file << nlohmann::json(*this).dump(1) << '\n').flush()) {
      return absl::UnavailableError(absl::StrCat("cannot write ", fresh));
    }
  }
  if (std::rename(fresh.c_str(), path.c_str()) == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

absl::StatusOr<Statistics> Statistics::Read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  try {
    return nlohmann::json::parse(file).get<Statistics>();
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", error.what()));
  }
}

}  // namespace kibitz::tuning
