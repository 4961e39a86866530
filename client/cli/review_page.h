// Reviewed games as a web page that needs nothing else: no script, no style and no picture from elsewhere.

#ifndef KIBITZ_CLIENT_CLI_REVIEW_PAGE_H_
#define KIBITZ_CLIENT_CLI_REVIEW_PAGE_H_

#include <string>

#include "client/cli/review_text.h"

namespace kibitz::client {

// What comes before the first game and after the last.
std::string PageBegin();
std::string PageEnd();

// One game: how both sides played, White's chances as a graph with the judged moves marked, and a diagram for each
// move that decided it.
std::string PageGame(const ReviewOfGame& review, int number);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_REVIEW_PAGE_H_
