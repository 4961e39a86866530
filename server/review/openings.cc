#include "server/review/openings.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/board/pgn.h"
#include "server/conversion/position.h"

namespace kibitz::server {

absl::StatusOr<Openings> Openings::Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file || text.empty()) return absl::NotFoundError(absl::StrCat(path, " cannot be read, or is empty"));
  absl::StatusOr<Openings> openings = Parse(text);
  if (openings.ok()) return openings;
  return absl::InvalidArgumentError(absl::StrCat(path, ": ", openings.status().message()));
}

absl::StatusOr<Openings> Openings::Parse(absl::string_view pgn) {
  Openings openings;
  PgnReader reader(pgn);
  while (true) {
    const absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) return game.status();
    if (!game->has_value()) break;
    const PgnGame& line = **game;
    const absl::string_view opening = line.Tag("Opening");
    const absl::string_view variation = line.Tag("Variation");
    if (opening.empty()) continue;
    Position position = line.start;
    for (const PgnMove& each : line.moves) position.MakeMove(each.move);
    openings.names_.try_emplace(PositionName(position),
                                OpeningName{.eco = std::string(line.Tag("ECO")),
                                            .name = absl::StrCat(opening, variation.empty() ? "" : ", ", variation)});
  }
  if (openings.names_.empty()) return absl::InvalidArgumentError("no game has a tag Opening");
  return openings;
}

const OpeningName* Openings::Find(const Position& position) const {
  if (names_.empty()) return nullptr;
  const auto found = names_.find(PositionName(position));
  return found == names_.end() ? nullptr : &found->second;
}

const Openings& OpeningsFile::Get() {
  std::call_once(read_, [this] {
    if (path_.empty() && access(kDebianOpenings, R_OK) != 0) return;
    absl::StatusOr<Openings> openings = Openings::Load(path_.empty() ? kDebianOpenings : path_);
    if (openings.ok()) {
      openings_ = *std::move(openings);
    } else {
      spdlog::warn("openings have no names: {}", std::string(openings.status().message()));
    }
  });
  return openings_;
}

}  // namespace kibitz::server
