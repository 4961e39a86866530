// What a file of records holds, and where its making stands.

#ifndef KIBITZ_ENGINE_TUNING_STATISTICS_H_
#define KIBITZ_ENGINE_TUNING_STATISTICS_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tuning/self_play.h"

namespace kibitz::tuning {

// What the positions of a file are like.
struct Contents {
  std::uint64_t positions = 0;
  std::uint64_t siblings = 0;              // of these, beside games
  std::array<std::uint64_t, 33> pieces{};  // positions by how many pieces they have
  // Positions by the value for White, in steps of 100 from -2500.
  static constexpr int kValueStep = 100;
  std::array<std::uint64_t, 51> values{};

  void Count(const Record& record);
};

// Each of the following as JSON, beside the records: written anew as a whole or not at all.

// Of a file that `kibitz selfplay` made.
struct Statistics {
  // How the positions were made; a file has one way.
  std::string engine;
  std::uint64_t seed = 1;
  std::int64_t nodes = 0;
  int siblings = 0;
  std::int64_t sibling_nodes = 0;
  std::string book;

  std::uint64_t next_game = 0;   // the first that was not begun
  std::uint64_t duplicates = 0;  // that were dropped
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::array<std::uint64_t, kNumStartKinds> starts{};
  std::array<std::uint64_t, 3> results{};  // of games: Black won, drawn, White won
  Contents contents;

  absl::Status Write(const std::string& path) const;
  static absl::StatusOr<Statistics> Read(const std::string& path);
};

// Of a file that `kibitz relabel` made.
struct LabelStatistics {
  // How the positions were valued; a file has one way.
  std::string teacher;
  std::string limit;
  int lines = 0;
  std::uint64_t seed = 1;
  Statistics source;  // of the positions, as they were valued at first

  std::uint64_t taken = 0;       // of the source
  std::uint64_t loud = 0;        // that are not quiet
  std::uint64_t duplicates = 0;  // that were dropped
  Contents contents;

  absl::Status Write(const std::string& path) const;
  static absl::StatusOr<LabelStatistics> Read(const std::string& path);
};

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_STATISTICS_H_
