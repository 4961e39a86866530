// An analysis as text.

#ifndef KIBITZ_CLIENT_CLI_ANALYSIS_TEXT_H_
#define KIBITZ_CLIENT_CLI_ANALYSIS_TEXT_H_

#include <string>

#include "client/cli/console.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// "+0.34", "#3", "#-2"; with ">=" or "<=" in front where it is a bound.
std::string ScoreText(const v1::Score& score);

// One line of text for each line of play: depth, score, nodes, speed, moves.
std::string UpdateLines(const v1::AnalysisUpdate& update, const Palette& palette);

// A table for a terminal of this size, to be drawn over the one before: the state of the search, then a row for each
// line of play. What does not fit is left out, whole moves at a time.
std::string LiveTable(const v1::AnalysisUpdate& update, const Palette& palette, TerminalSize size);

// The best move and why the search ended, or how the game ended.
std::string FinalLines(const v1::AnalyzeResponse::Final& final, const Palette& palette);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_ANALYSIS_TEXT_H_
