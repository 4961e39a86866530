#include "client/cli/match_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "client/cli/table.h"

namespace kibitz::client {
namespace {

using Json = nlohmann::json;

std::string Signed(double value) {
  if (std::isinf(value)) return value > 0 ? "+inf" : "-inf";
  return fmt::format("{:+.1f}", value + 0.0);  // no -0.0
}

std::string WithError(const Estimate& estimate) {
  const std::string error = std::isfinite(estimate.error) ? fmt::format("{:.1f}", estimate.error) : "?";
  return fmt::format("{} +/- {}", Signed(estimate.value), error);
}

// Pairs tell more, but there may be none yet.
OutcomeCounts BestCounts(const Tally& tally) {
  for (const std::int64_t count : tally.pairs) {
    if (count > 0) return tally.pairs;
  }
  return tally.games;
}

std::string Percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string FailureText(const Tally& tally) {
  return fmt::format("{} on time, {} by crash, {} by illegal move", tally.time_losses, tally.crashes,
                     tally.illegal_moves);
}

std::string DuelText(const MatchView& view, const Palette& palette) {
  const Tally& first = view.standings.OfPairing(0);
  const OutcomeCounts counts = BestCounts(first);
  const auto games = first.GameCount();
  std::string text = fmt::format(palette.heading, "{} against {}", view.names[0], view.names[1]);
  text += fmt::format(", {} of {} games\n", games, view.schedule.size());
  text += fmt::format("won {}  drawn {}  lost {}   score {}   draws {}\n", first.games[2], first.games[1],
                      first.games[0], Percent(MeanScore(first.games)), Percent(first.DrawRate()));
  text += fmt::format("pairs with 0, 1/2, 1, 3/2, 2 points: {}\n", fmt::join(first.pairs, " "));
  text += fmt::format(palette.strong, "Elo {}", WithError(Elo(counts)));
  text += fmt::format("   normalised {}   LOS {}\n", WithError(NormalizedElo(counts)),
                      Percent(LikelihoodOfSuperiority(counts)));
  if (view.sprt) text += SprtText(*view.sprt, first) + "\n";
  for (const int player : {0, 1}) {
    const Tally& tally = view.standings.OfPlayer(player);
    if (tally.time_losses + tally.crashes + tally.illegal_moves == 0) continue;
    text += fmt::format(palette.alert, "{} lost {}", view.names[static_cast<std::size_t>(player)], FailureText(tally)) +
            "\n";
  }
  return text;
}

std::string FieldText(const MatchView& view, const Palette& palette) {
  using enum Table::Align;
  Table table({kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kLeft});
  std::vector<Cell> heading;
  for (const char* name :
       {"player", "games", "won", "drawn", "lost", "score", "Elo", "lost on time, by crash, illegal"}) {
    heading.push_back({name, palette.heading});
  }
  table.AddRow(std::move(heading));
  for (std::size_t i = 0; i < view.names.size(); ++i) {
    const Tally& tally = view.standings.OfPlayer(static_cast<int>(i));
    table.AddRow({{view.names[i]},
                  {fmt::to_string(tally.GameCount())},
                  {fmt::to_string(tally.games[2])},
                  {fmt::to_string(tally.games[1])},
                  {fmt::to_string(tally.games[0])},
                  {Percent(MeanScore(tally.games))},
                  {WithError(Elo(BestCounts(tally)))},
                  {fmt::format("{} {} {}", tally.time_losses, tally.crashes, tally.illegal_moves)}});
  }
  return fmt::format("{} of {} games\n{}", view.standings.GameCount(), view.schedule.size(), table.ToString());
}

Json Number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json ToJson(const Tally& tally) {
  const OutcomeCounts counts = BestCounts(tally);
  const Estimate elo = Elo(counts);
  const Estimate normalized = NormalizedElo(counts);
  return {{"games", tally.GameCount()},
          {"won", tally.games[2]},
          {"drawn", tally.games[1]},
          {"lost", tally.games[0]},
          {"pairs", tally.pairs},
          {"score", MeanScore(tally.games)},
          {"drawRate", tally.DrawRate()},
          {"elo", Number(elo.value)},
          {"eloError", Number(elo.error)},
          {"normalizedElo", Number(normalized.value)},
          {"normalizedEloError", Number(normalized.error)},
          {"los", LikelihoodOfSuperiority(counts)},
          {"timeLosses", tally.time_losses},
          {"crashes", tally.crashes},
          {"illegalMoves", tally.illegal_moves}};
}

const char* VerdictName(Sprt::Verdict verdict) {
  switch (verdict) {
    case Sprt::Verdict::kAcceptElo0:
      return "elo0";
    case Sprt::Verdict::kAcceptElo1:
      return "elo1";
    case Sprt::Verdict::kOpen:
      break;
  }
  return "open";
}

}  // namespace

std::string SprtText(const Sprt& sprt, const Tally& tally) {
  const char* model = sprt.model == Sprt::Model::kNormalized ? "normalised" : "logistic";
  std::string text =
      fmt::format("LLR {:.2f} of {:.2f} to {:.2f} for Elo {} against {} ({})", sprt.LogLikelihoodRatio(tally.pairs),
                  sprt.LowerBound(), sprt.UpperBound(), sprt.elo0, sprt.elo1, model);
  switch (sprt.Judge(tally.pairs)) {
    case Sprt::Verdict::kAcceptElo0:
      return text + fmt::format(": Elo {} is accepted", sprt.elo0);
    case Sprt::Verdict::kAcceptElo1:
      return text + fmt::format(": Elo {} is accepted", sprt.elo1);
    case Sprt::Verdict::kOpen:
      break;
  }
  return text;
}

std::string MatchText(const MatchView& view, const Palette& palette) {
  return view.names.size() == 2 ? DuelText(view, palette) : FieldText(view, palette);
}

std::string MatchJson(const MatchView& view) {
  Json json;
  json["games"] = view.standings.GameCount();
  json["scheduledGames"] = view.schedule.size();
  for (std::size_t i = 0; i < view.names.size(); ++i) {
    Json player = ToJson(view.standings.OfPlayer(static_cast<int>(i)));
    player["name"] = view.names[i];
    json["players"].push_back(std::move(player));
  }
  const auto& pairings = view.schedule.pairings();
  for (std::size_t i = 0; i < pairings.size(); ++i) {
    Json pairing = ToJson(view.standings.OfPairing(static_cast<int>(i)));
    pairing["first"] = view.names[static_cast<std::size_t>(pairings[i].first)];
    pairing["second"] = view.names[static_cast<std::size_t>(pairings[i].second)];
    json["pairings"].push_back(std::move(pairing));
  }
  if (view.sprt) {
    const Tally& tally = view.standings.OfPairing(0);
    json["sprt"] = {{"elo0", view.sprt->elo0},
                    {"elo1", view.sprt->elo1},
                    {"alpha", view.sprt->alpha},
                    {"beta", view.sprt->beta},
                    {"model", view.sprt->model == Sprt::Model::kNormalized ? "normalized" : "logistic"},
                    {"llr", view.sprt->LogLikelihoodRatio(tally.pairs)},
                    {"lowerBound", view.sprt->LowerBound()},
                    {"upperBound", view.sprt->UpperBound()},
                    {"verdict", VerdictName(view.sprt->Judge(tally.pairs))}};
  }
  return json.dump() + "\n";
}

}  // namespace kibitz::client
