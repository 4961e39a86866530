// A reviewed game as text.

#ifndef KIBITZ_CLIENT_CLI_REVIEW_TEXT_H_
#define KIBITZ_CLIENT_CLI_REVIEW_TEXT_H_

#include <map>
#include <string>

#include "client/cli/console.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// All that a review has told about one game.
struct ReviewOfGame {
  v1::AnalyzeGameResponse::Accepted::Game game;
  std::map<int, v1::PlyReview> plies;
  v1::AnalyzeGameResponse::Summary summary;
};

// "Ann - Bob, 1-0, Example Open, 2026.01.31", as far as the tags tell it.
std::string TitleOf(const v1::AnalyzeGameResponse::Accepted::Game& game);

// White's chances after each move, as a row of small columns no wider than that; in ASCII unless `unicode`.
std::string SwingLine(const ReviewOfGame& review, int width, bool unicode);

// The title, how both sides played, the swing, and the moves that decided the game.
std::string ReviewText(const ReviewOfGame& review, int number, int width, const Palette& palette);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_REVIEW_TEXT_H_
