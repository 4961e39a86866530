// The names of openings, by the positions that they lead to.

#ifndef KIBITZ_SERVER_REVIEW_OPENINGS_H_
#define KIBITZ_SERVER_REVIEW_OPENINGS_H_

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/board/position.h"

namespace kibitz::server {

struct OpeningName {
  std::string eco;   // its code in the Encyclopaedia of Chess Openings: "C60"
  std::string name;  // "Ruy Lopez, Berlin defence"
};

class Openings {
 public:
  // None.
  Openings() = default;

  // Reads a list in PGN, one game for each opening, with the tags ECO, Opening and Variation: such as Debian's
  // pgn-extract has. An error says what is wrong with it, and where.
  static absl::StatusOr<Openings> Load(const std::string& path);
  static absl::StatusOr<Openings> Parse(absl::string_view pgn);

  // nullptr: the position has no name.
  const OpeningName* Find(const Position& position) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_map<std::string, OpeningName> names_;  // by PositionName
};

// The list that Debian's pgn-extract brings.
inline constexpr const char* kDebianOpenings = "/usr/share/pgn-extract/eco.pgn";

// A list that is read when somebody first asks for it. From any thread.
class OpeningsFile {
 public:
  // Empty: Debian's, if it is there.
  explicit OpeningsFile(std::string path) : path_(std::move(path)) {}

  // None if the file cannot be read, which the log says.
  const Openings& Get();

 private:
  const std::string path_;
  std::once_flag read_;
  Openings openings_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_OPENINGS_H_
