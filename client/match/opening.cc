#include "client/match/opening.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/pgn.h"

namespace kibitz::client {
namespace {

// The distributions and the shuffle of the standard library differ between its implementations; this does not.
std::size_t Below(std::mt19937_64& random, std::size_t bound) { return random() % bound; }

absl::StatusOr<OpeningSource> FromList(std::vector<Opening> openings, const OpeningFileOptions& options) {
  if (openings.empty()) return absl::InvalidArgumentError("there are no openings in it");
  if (options.shuffle) {
    std::mt19937_64 random(options.seed);
    for (std::size_t i = openings.size() - 1; i > 0; --i) std::swap(openings[i], openings[Below(random, i + 1)]);
  }
  return [list = std::make_shared<const std::vector<Opening>>(std::move(openings))](int number) {
    return absl::StatusOr<Opening>((*list)[static_cast<std::size_t>(number) % list->size()]);
  };
}

// The first four fields, and the clocks if they are there: an EPD has operations in their place.
std::string FenOfEpd(absl::string_view line) {
  std::vector<absl::string_view> fields = absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  int number = 0;
  const bool has_clocks =
      fields.size() >= 6 && absl::SimpleAtoi(fields[4], &number) && absl::SimpleAtoi(fields[5], &number);
  fields.resize(std::min<std::size_t>(fields.size(), has_clocks ? 6 : 4));
  return absl::StrJoin(fields, " ");
}

// Chooses a move, or none where the opening has to end.
using MovePicker = std::function<std::optional<Move>(const Position&, std::mt19937_64&)>;

// Nothing if the game ended on the way.
std::optional<Opening> PlayOut(std::mt19937_64& random, int plies, const MovePicker& pick) {
  Opening opening;
  Position position = opening.start;
  for (int ply = 0; ply < plies; ++ply) {
    const std::optional<Move> move = pick(position, random);
    if (!move) break;
    opening.moves.push_back(*move);
    position.MakeMove(*move);
  }
  if (position.Status() != GameStatus::kOngoing) return std::nullopt;
  return opening;
}

// Keeps what it has given, because later openings must differ from earlier ones.
class GrowingSource {
 public:
  GrowingSource(const RandomOpeningOptions& options, MovePicker pick, PositionJudge judge, int balance)
      : options_(options), pick_(std::move(pick)), judge_(std::move(judge)), balance_(balance), random_(options.seed) {}

  absl::StatusOr<Opening> Get(int number) {
    while (openings_.size() <= static_cast<std::size_t>(number)) {
      if (absl::Status status = AddOne(); !status.ok()) return status;
    }
    return openings_[static_cast<std::size_t>(number)];
  }

 private:
  absl::Status AddOne() {
    constexpr int kAttempts = 10'000;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const std::optional<Opening> opening = PlayOut(random_, options_.plies, pick_);
      if (!opening) continue;
      const Position end = opening->End();
      if (seen_.contains(end.key())) continue;
      const absl::StatusOr<int> score = judge_(end);
      if (!score.ok()) return score.status();
      if (std::abs(*score) > balance_) continue;
      seen_.insert(end.key());
      openings_.push_back(*opening);
      return absl::OkStatus();
    }
    return absl::ResourceExhaustedError(
        absl::StrCat("no more than ", openings_.size(), " openings of ", options_.plies, " plies were found"));
  }

  RandomOpeningOptions options_;
  MovePicker pick_;
  PositionJudge judge_;
  int balance_;
  std::mt19937_64 random_;
  std::set<Key> seen_;
  std::vector<Opening> openings_;
};

OpeningSource Growing(const RandomOpeningOptions& options, MovePicker pick, PositionJudge judge, int balance) {
  auto source = std::make_shared<GrowingSource>(options, std::move(pick), std::move(judge), balance);
  return [source](int number) { return source->Get(number); };
}

}  // namespace

Position Opening::End() const {
  Position position = start;
  for (const Move move : moves) position.MakeMove(move);
  return position;
}

absl::StatusOr<OpeningSource> OpeningsFromPgn(absl::string_view text, const OpeningFileOptions& options) {
  std::vector<Opening> openings;
  PgnReader reader(text);
  while (true) {
    absl::StatusOr<std::optional<PgnGame>> game = reader.Next();
    if (!game.ok()) return game.status();
    if (!game->has_value()) return FromList(std::move(openings), options);
    Opening opening{.start = (*game)->start, .moves = {}};
    for (const PgnMove& each : (*game)->moves) {
      if (options.plies > 0 && opening.moves.size() >= static_cast<std::size_t>(options.plies)) break;
      opening.moves.push_back(each.move);
    }
    openings.push_back(std::move(opening));
  }
}

absl::StatusOr<OpeningSource> OpeningsFromEpd(absl::string_view text, const OpeningFileOptions& options) {
  std::vector<Opening> openings;
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty() || line[0] == '#') continue;
    absl::StatusOr<Position> position = ParseFen(FenOfEpd(line));
    if (!position.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", line_number, ": ", position.status().message()));
    }
    openings.push_back({.start = *std::move(position), .moves = {}});
  }
  return FromList(std::move(openings), options);
}

OpeningSource RandomOpenings(const RandomOpeningOptions& options, PositionJudge judge, int balance) {
  const MovePicker any = [](const Position& position, std::mt19937_64& random) -> std::optional<Move> {
    const MoveList moves = LegalMoves(position);
    if (moves.empty()) return std::nullopt;
    return moves[static_cast<int>(Below(random, static_cast<std::size_t>(moves.size())))];
  };
  return Growing(options, any, std::move(judge), balance);
}

OpeningSource BookOpenings(PolyglotBook book, const RandomOpeningOptions& options) {
  const auto shared = std::make_shared<const PolyglotBook>(std::move(book));
  const MovePicker pick = [shared](const Position& position, std::mt19937_64& random) {
    return shared->PickMove(position, random());
  };
  const PositionJudge trusting = [](const Position&) { return absl::StatusOr<int>(0); };
  return Growing(options, pick, trusting, /*balance=*/0);
}

}  // namespace kibitz::client
