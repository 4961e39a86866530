// What the engine says of a search: info and bestmove lines.

#ifndef KIBITZ_CLIENT_UCI_INFO_TEXT_H_
#define KIBITZ_CLIENT_UCI_INFO_TEXT_H_

#include <string>
#include <string_view>

#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::uci {

// One "info" line for each line of play, each with its newline. With no line of play there is nothing to say.
std::string InfoLines(const v1::AnalysisUpdate& update, bool show_wdl);

// The score of a game that is over, where nothing can be searched.
std::string GameOverInfo(bool mated, bool show_wdl);

// Somebody's words as an "info string" line: on one line, whatever is in them.
std::string InfoString(std::string_view words);

// An empty move is "(none)"; an empty answer is left out.
std::string BestMoveLine(std::string_view move, std::string_view ponder);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_INFO_TEXT_H_
