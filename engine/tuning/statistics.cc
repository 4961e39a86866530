#include "engine/tuning/statistics.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace kibitz::tuning {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Contents, positions, siblings, pieces, values)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statistics, engine, seed, nodes, siblings, sibling_nodes, book, next_game,
                                   duplicates, games, plies, starts, results, contents)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LabelStatistics, teacher, limit, lines, seed, source, taken, loud, duplicates,
                                   contents)

namespace {

absl::Status WriteJson(const std::string& path, const nlohmann::json& json) {
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh);
    if (!(file << json.dump(1) << '\n').flush()) {
      return absl::UnavailableError(absl::StrCat("cannot write ", fresh));
    }
  }
  if (std::rename(fresh.c_str(), path.c_str()) == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write ", path));
}

template <typename Value>
absl::StatusOr<Value> ReadJson(const std::string& path) {
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  try {
    return nlohmann::json::parse(file).get<Value>();
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", error.what()));
  }
}

}  // namespace

void Contents::Count(const Record& record) {
  ++positions;
  if (LabelOf(record).origin == Origin::kSibling) ++siblings;
  ++pieces[static_cast<std::size_t>(std::popcount(record.occupied))];
  const int last = static_cast<int>(values.size()) - 1;
  ++values[static_cast<std::size_t>(std::clamp(last / 2 + record.value / kValueStep, 0, last))];
}

absl::Status Statistics::Write(const std::string& path) const { return WriteJson(path, *this); }
absl::StatusOr<Statistics> Statistics::Read(const std::string& path) { return ReadJson<Statistics>(path); }
absl::Status LabelStatistics::Write(const std::string& path) const { return WriteJson(path, *this); }
absl::StatusOr<LabelStatistics> LabelStatistics::Read(const std::string& path) {
  return ReadJson<LabelStatistics>(path);
}

}  // namespace kibitz::tuning
