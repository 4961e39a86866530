#include "client/cli/review_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/cli/analysis_text.h"
#include "client/cli/words.h"

namespace kibitz::client {
namespace {

constexpr int kGraphWidth = 800;
constexpr int kGraphHeight = 160;
constexpr int kSquare = 30;
constexpr std::size_t kShownMoves = 8;  // of a better line

std::string Escaped(std::string_view text) {
  return absl::StrReplaceAll(absl::string_view(text.data(), text.size()),
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

double WhiteChance(const v1::PlyReview& ply) {
  const double chance = ply.after().winning_chance();
  return ply.side() == v1::COLOR_WHITE ? chance : -chance;
}

// The class that the style knows a judgement by; empty for those that are not marked.
std::string_view MarkOf(v1::Judgement judgement) {
  switch (judgement) {
    case v1::JUDGEMENT_INACCURACY:
      return "inaccuracy";
    case v1::JUDGEMENT_MISTAKE:
      return "mistake";
    case v1::JUDGEMENT_MISSED_WIN:
      return "missed";
    case v1::JUDGEMENT_BLUNDER:
      return "blunder";
    default:
      return "";
  }
}

std::string MoveText(const v1::PlyReview& ply) {
  return fmt::format("{}{} {}", ply.move_number(), ply.side() == v1::COLOR_WHITE ? "." : "…", Escaped(ply.san()));
}

std::string Graph(const ReviewOfGame& review) {
  if (review.plies.empty()) return "";
  const int first = review.plies.begin()->first - 1;
  const int last = review.plies.rbegin()->first;
  const auto x = [&](int ply) { return static_cast<double>(ply - first) / std::max(1, last - first) * kGraphWidth; };
  const auto y = [](double chance) { return (1 - chance) / 2 * kGraphHeight; };
  std::string points;
  std::string marks;
  for (const auto& [number, ply] : review.plies) {
    absl::StrAppend(&points, fmt::format(" {:.1f},{:.1f}", x(number), y(WhiteChance(ply))));
    const std::string_view mark = MarkOf(ply.judgement());
    if (mark.empty()) continue;
    marks += fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"><title>{}: {}</title></circle>",
                         mark, x(number), y(WhiteChance(ply)), MoveText(ply), ToWords(ply.judgement()));
  }
  const int first_ply = review.plies.begin()->first;
  return fmt::format(
      "<svg class=\"graph\" viewBox=\"-5 -5 {} {}\" role=\"img\" aria-label=\"White's chances, move by move\">"
      "<rect width=\"{}\" height=\"{}\"/><polygon points=\"{:.1f},{}{} {:.1f},{}\"/>"
      "<line x1=\"0\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>{}</svg>\n",
      kGraphWidth + 10, kGraphHeight + 10, kGraphWidth, kGraphHeight, x(first_ply), kGraphHeight, points, x(last),
      kGraphHeight, kGraphWidth, kGraphHeight / 2, kGraphHeight / 2, marks);
}

std::string SideRow(std::string_view name, const v1::AnalyzeGameResponse::Side& side) {
  std::vector<std::string> counts;
  for (const auto& count : side.judgements()) {
    counts.push_back(fmt::format("{} {}", count.count(), ToWords(count.judgement())));
  }
  std::vector<std::string> phases;
  for (const auto& phase : side.phases()) {
    phases.push_back(fmt::format("{} {:.0f} %", ToWords(phase.phase()), phase.accuracy()));
  }
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{:.1f} %</td><td>{:.0f}</td><td>{}</td><td>{}</td></tr>\n", name,
                     side.accuracy(), side.average_centipawn_loss(), absl::StrJoin(phases, ", "),
                     absl::StrJoin(counts, ", "));
}

std::string SidesTable(const v1::AnalyzeGameResponse::Summary& summary) {
  std::string rows;
  if (summary.has_white()) rows += SideRow("White", summary.white());
  if (summary.has_black()) rows += SideRow("Black", summary.black());
  return "<table><thead><tr><th></th><th scope=\"col\">accuracy</th><th scope=\"col\">average loss, centipawns</th>"
         "<th scope=\"col\">by phase</th><th scope=\"col\">moves</th></tr></thead>\n" +
         rows + "</table>\n";
}

std::string_view PieceSign(char letter) {
  constexpr std::string_view kLetters = "KQRBNPkqrbnp";
  constexpr std::string_view kSigns[] = {"♔", "♕", "♖", "♗", "♘", "♙", "♚", "♛", "♜", "♝", "♞", "♟"};
  const std::size_t place = kLetters.find(letter);
  return place == std::string_view::npos ? "" : kSigns[place];
}

// The board of a FEN, seen from the side that is to move, with the squares of two moves marked.
std::string Diagram(std::string_view fen, bool white, std::string_view played, std::string_view best) {
  std::string svg = fmt::format("<svg class=\"board\" viewBox=\"0 0 {0} {0}\" role=\"img\" aria-label=\"{1}\">",
                                8 * kSquare, Escaped(fen));
  const auto place = [&](int file, int rank) {
    return std::pair(kSquare * (white ? file : 7 - file), kSquare * (white ? 7 - rank : rank));
  };
  const auto mark = [&](std::string_view move, std::string_view kind) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{2}}) {
      if (move.size() < i + 2) continue;
      const auto [x, y] = place(move[i] - 'a', move[i + 1] - '1');
      svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", kind, x, y, kSquare,
                         kSquare);
    }
  };
  for (int rank = 0; rank < 8; ++rank) {
    for (int file = 0; file < 8; ++file) {
      const auto [x, y] = place(file, rank);
      svg += fmt::format("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                         (file + rank) % 2 == 0 ? "dark" : "light", x, y, kSquare, kSquare);
    }
  }
  mark(played, "played");
  mark(best, "best");
  int file = 0;
  int rank = 7;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      file = 0;
      --rank;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const auto [x, y] = place(file++, rank);
      svg += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>", x + kSquare / 2, y + kSquare * 4 / 5, PieceSign(c));
    }
  }
  return svg + "</svg>";
}

std::string Moment(const v1::PlyReview& ply) {
  const auto& uci = ply.best_line().pv_uci();
  const auto& san = ply.best_line().pv_san();
  const auto end = san.begin() + static_cast<int>(std::min<std::size_t>(kShownMoves, san.size()));
  std::string facts;
  for (const v1::MoveFact& fact : ply.facts()) facts += fmt::format("<li>{}</li>", ToWords(fact.kind()));
  return fmt::format(
      "<article>{}<div><h3>{} <span class=\"{}\">{}</span></h3><p>{} → {}</p><p>Better: {}</p>{}</div></article>\n",
      Diagram(ply.fen(), ply.side() == v1::COLOR_WHITE, ply.uci(), uci.empty() ? "" : uci[0]), MoveText(ply),
      MarkOf(ply.judgement()), ToWords(ply.judgement()), ScoreText(ply.before().score()),
      ScoreText(ply.after().score()), Escaped(absl::StrJoin(san.begin(), end, " ")),
      facts.empty() ? "" : "<ul>" + facts + "</ul>");
}

}  // namespace

std::string PageBegin() {
  return R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Game review</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 0.2rem 1rem 0.2rem 0; }
svg.graph { width: 100%; }
svg.graph rect { fill: #555; }
svg.graph polygon { fill: #eee; }
svg.graph line { stroke: #888; stroke-dasharray: 4; }
svg.board { width: 15rem; flex: none; }
svg.board text { font-size: 25px; text-anchor: middle; fill: #000; }
.light { fill: #f0e6d2; }
.dark { fill: #b89b72; }
.played { fill: #d33; fill-opacity: 0.5; }
.best { fill: #3a3; fill-opacity: 0.5; }
circle.inaccuracy { fill: #d9a400; }
circle.mistake, circle.missed { fill: #e06c00; }
circle.blunder { fill: #d11; }
span.inaccuracy { color: #a67c00; }
span.mistake, span.missed { color: #c65d00; }
span.blunder { color: #d11; }
article { display: flex; gap: 1.5rem; margin: 1rem 0; flex-wrap: wrap; }
pre { white-space: pre-wrap; }
</style>
</head>
<body>
)";
}

std::string PageEnd() { return "</body>\n</html>\n"; }

std::string PageGame(const ReviewOfGame& review, int number) {
  std::string page = fmt::format("<section>\n<h2>Game {}: {}</h2>\n", number, Escaped(TitleOf(review.game)));
  if (review.summary.has_opening()) {
    page += fmt::format("<p>{} {}</p>\n", Escaped(review.summary.opening().eco()),
                        Escaped(review.summary.opening().name()));
  }
  if (review.game.has_defect()) {
    page += fmt::format("<p>Line {}, column {}: {}</p>\n", review.game.defect().line(), review.game.defect().column(),
                        Escaped(review.game.defect().description()));
  }
  page += SidesTable(review.summary) + Graph(review);
  std::vector<int> moments(review.summary.moments().begin(), review.summary.moments().end());
  std::sort(moments.begin(), moments.end());
  for (const int moment : moments) {
    if (const auto ply = review.plies.find(moment); ply != review.plies.end()) page += Moment(ply->second);
  }
  page += fmt::format("<details><summary>PGN</summary><pre>{}</pre></details>\n</section>\n",
                      Escaped(review.summary.annotated_pgn()));
  return page;
}

}  // namespace kibitz::client
