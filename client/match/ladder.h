// A ladder: players by strength on one scale, with what it was measured from.

#ifndef KIBITZ_CLIENT_MATCH_LADDER_H_
#define KIBITZ_CLIENT_MATCH_LADDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/match/statistics.h"

namespace kibitz::client {

struct Rung {
  std::string name;
  Estimate rating;  // as a difference to the anchor
  std::int64_t games = 0;
  double points = 0;
};

// The games of any number of records, by who met whom.
class LadderResults {
 public:
  // Adds the finished games of a PGN text; the others, and what cannot be read, are left out.
  void Add(absl::string_view pgn);

  std::int64_t games() const { return games_; }
  // The rungs from the top down. Fails if the anchor has not played.
  absl::StatusOr<std::vector<Rung>> Fit(const std::string& anchor) const;

 private:
  struct Count {
    std::int64_t won = 0, drawn = 0, lost = 0;
  };

  // By the names in their order.
  std::map<std::pair<std::string, std::string>, Count> counts_;
  std::int64_t games_ = 0;
};

// The ladder as a table in Markdown.
std::string LadderTable(const std::vector<Rung>& rungs);
// The ladder as a picture: a dot for each rating, a bar for its error. SVG.
std::string LadderPicture(const std::vector<Rung>& rungs, const std::string& anchor);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_LADDER_H_
