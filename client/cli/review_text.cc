#include "client/cli/review_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "client/cli/analysis_text.h"
#include "client/cli/table.h"
#include "client/cli/words.h"

namespace kibitz::client {
namespace {

constexpr std::array<std::string_view, 8> kColumns = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kAsciiColumns = "_.,-~=*#";
constexpr std::size_t kShownMoves = 6;  // of a better line

std::string TagOf(const v1::AnalyzeGameResponse::Accepted::Game& game, std::string_view name) {
  for (const auto& tag : game.tags()) {
    if (tag.name() == name && tag.value() != "?" && tag.value() != "????.??.??") return tag.value();
  }
  return "";
}

int CountOf(const v1::AnalyzeGameResponse::Side& side, v1::Judgement judgement) {
  for (const auto& count : side.judgements()) {
    if (count.judgement() == judgement) return count.count();
  }
  return 0;
}

bool SpeaksUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    return locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
  }
  return false;
}

std::string SidesTable(const ReviewOfGame& review, const Palette& palette) {
  using enum Table::Align;
  Table table({kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kRight});
  std::vector<Cell> heading;
  for (const char* title :
       {"", "accuracy", "average loss", "moves", "inaccuracies", "mistakes", "blunders", "missed wins"}) {
    heading.push_back({title, palette.heading});
  }
  table.AddRow(std::move(heading));
  const auto add = [&](const char* name, bool given, const v1::AnalyzeGameResponse::Side& side) {
    if (!given) return;
    const auto count = [&](v1::Judgement judgement) { return std::to_string(CountOf(side, judgement)); };
    table.AddRow({{name, palette.strong},
                  {fmt::format("{:.1f} %", side.accuracy()), palette.strong},
                  {fmt::format("{:.0f} cp", side.average_centipawn_loss())},
                  {std::to_string(side.moves())},
                  {count(v1::JUDGEMENT_INACCURACY)},
                  {count(v1::JUDGEMENT_MISTAKE)},
                  {count(v1::JUDGEMENT_BLUNDER)},
                  {count(v1::JUDGEMENT_MISSED_WIN)}});
  };
  add("White", review.summary.has_white(), review.summary.white());
  add("Black", review.summary.has_black(), review.summary.black());
  return table.ToString();
}

std::string Facts(const v1::PlyReview& ply) {
  std::vector<std::string> facts;
  for (const v1::MoveFact& fact : ply.facts()) {
    facts.push_back(fact.mate_in_moves() > 0 ? fmt::format("{} (#{})", ToWords(fact.kind()), fact.mate_in_moves())
                                             : std::string(ToWords(fact.kind())));
  }
  return absl::StrJoin(facts, ", ");
}

std::string MomentsTable(const ReviewOfGame& review, const Palette& palette) {
  if (review.summary.moments().empty()) return "";
  using enum Table::Align;
  Table table({kLeft, kLeft, kRight, kRight, kLeft, kLeft});
  table.AddRow({{"move", palette.heading},
                {"judgement", palette.heading},
                {"before", palette.heading},
                {"after", palette.heading},
                {"better", palette.heading},
                {"", palette.heading}});
  std::vector<int> moments(review.summary.moments().begin(), review.summary.moments().end());
  std::sort(moments.begin(), moments.end());
  for (const int moment : moments) {
    const auto found = review.plies.find(moment);
    if (found == review.plies.end()) continue;
    const v1::PlyReview& ply = found->second;
    const auto& san = ply.best_line().pv_san();
    const auto end = san.begin() + static_cast<int>(std::min<std::size_t>(kShownMoves, san.size()));
    const char* dots = ply.side() == v1::COLOR_WHITE ? "." : "...";
    table.AddRow({{fmt::format("{}{} {}", ply.move_number(), dots, ply.san()), palette.strong},
                  {std::string(ToWords(ply.judgement())),
                   ply.judgement() == v1::JUDGEMENT_BLUNDER ? palette.alert : fmt::text_style()},
                  {ScoreText(ply.before().score())},
                  {ScoreText(ply.after().score())},
                  {absl::StrJoin(san.begin(), end, " ")},
                  {Facts(ply), palette.faint}});
  }
  return "\n" + table.ToString();
}

}  // namespace

std::string TitleOf(const v1::AnalyzeGameResponse::Accepted::Game& game) {
  const std::string white = TagOf(game, "White");
  const std::string black = TagOf(game, "Black");
  std::vector<std::string> parts;
  if (!white.empty() || !black.empty()) {
    parts.push_back(fmt::format("{} - {}", white.empty() ? "White" : white, black.empty() ? "Black" : black));
  }
  for (const char* name : {"Result", "Event", "Date"}) {
    const std::string value = TagOf(game, name);
    if (!value.empty() && value != "*") parts.push_back(value);
  }
  parts.push_back(fmt::format("{} plies", game.plies()));
  return absl::StrJoin(parts, ", ");
}

std::string SwingLine(const ReviewOfGame& review, int width, bool unicode) {
  std::vector<double> chances;
  for (const auto& [number, ply] : review.plies) {
    const double chance = ply.after().winning_chance();
    chances.push_back(ply.side() == v1::COLOR_WHITE ? chance : -chance);
  }
  if (chances.empty()) return "";
  const auto columns = std::min<std::size_t>(chances.size(), static_cast<std::size_t>(std::max(1, width)));
  std::string line;
  for (std::size_t i = 0; i < columns; ++i) {
    // Of several moves in one column the last.
    const double chance = chances[(i + 1) * chances.size() / columns - 1];
    const int height = std::clamp(static_cast<int>((chance + 1) / 2 * 8), 0, 7);
    if (unicode) {
      line += kColumns[static_cast<std::size_t>(height)];
    } else {
      line += kAsciiColumns[static_cast<std::size_t>(height)];
    }
  }
  return line;
}

std::string ReviewText(const ReviewOfGame& review, int number, int width, const Palette& palette) {
  std::string text = fmt::format("{}\n", fmt::format(palette.heading, "Game {}: {}", number, TitleOf(review.game)));
  if (review.summary.has_opening()) {
    text += fmt::format("{} {}\n", review.summary.opening().eco(), review.summary.opening().name());
  }
  if (review.game.has_defect()) {
    text += fmt::format(
        "{} {}\n",
        fmt::format(palette.alert, "line {}, column {}:", review.game.defect().line(), review.game.defect().column()),
        review.game.defect().description());
  }
  text += "\n" + SidesTable(review, palette);
  const std::string swing = SwingLine(review, width - 8, SpeaksUtf8());
  if (!swing.empty()) text += fmt::format("\n{} {}\n", fmt::format(palette.heading, "swing"), swing);
  text += MomentsTable(review, palette);
  if (!review.summary.complete()) text += "The review was cut short.\n";
  return text;
}

}  // namespace kibitz::client
