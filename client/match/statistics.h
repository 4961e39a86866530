// What the results of a match say: strength, certainty, and when to stop.
//
// Results are counts of outcomes that are evenly spaced from 0 to 1. Three counts are games (lost, drawn, won). Five
// are pairs of games with the same opening and changed colours (0, 1/2, 1, 3/2 and 2 points of 2): the pair is the
// better unit, because the two games of a one-sided opening are not independent.

#ifndef KIBITZ_CLIENT_MATCH_STATISTICS_H_
#define KIBITZ_CLIENT_MATCH_STATISTICS_H_

#include <cstdint>

#include "absl/types/span.h"

namespace kibitz::client {

using OutcomeCounts = absl::Span<const std::int64_t>;

// A value that lies within `error` of the truth in 95 of 100 cases.
struct Estimate {
  double value = 0;
  double error = 0;
};

// The Elo difference at which `score` (0 to 1) is expected, and the other way round. Infinite at 0 and 1.
double EloOfScore(double score);
double ScoreOfElo(double elo);

// Points per game, from 0 to 1. One half without games.
double MeanScore(OutcomeCounts counts);

// Elo as everybody knows it. Infinite if all was won or all was lost.
Estimate Elo(OutcomeCounts counts);
// Elo in units of the noise of one game. It says how many games a difference takes to be seen, and changes little with
// the openings and the draw rate.
Estimate NormalizedElo(OutcomeCounts counts);
// How likely it is, from 0 to 1, that the player is the better one.
double LikelihoodOfSuperiority(OutcomeCounts counts);

// A sequential test of two hypotheses: the player is better by `elo0`, or by `elo1`.
struct Sprt {
  enum class Model : std::uint8_t { kLogistic, kNormalized };
  enum class Verdict : std::uint8_t { kOpen, kAcceptElo0, kAcceptElo1 };

  double elo0 = 0;
  double elo1 = 5;
  double alpha = 0.05;  // how often elo1 may be accepted where elo0 is true
  double beta = 0.05;   // how often elo0 may be accepted where elo1 is true
  Model model = Model::kNormalized;

  double LowerBound() const;
  double UpperBound() const;
  // The generalised log-likelihood ratio of elo1 to elo0. 0 without games.
  double LogLikelihoodRatio(OutcomeCounts counts) const;
  Verdict Judge(OutcomeCounts counts) const;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_MATCH_STATISTICS_H_
