// A line on the terminal that tells how far a review has come.

#ifndef KIBITZ_CLIENT_CLI_REVIEW_PROGRESS_H_
#define KIBITZ_CLIENT_CLI_REVIEW_PROGRESS_H_

#include <string>

#include "absl/time/time.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// How far it is in the files as a whole, and in the games at hand.
struct ReviewState {
  int games = 0;             // done
  double files_share = 0;    // of the files, that was read before these games
  double current_share = 0;  // of the files, that these games are
  v1::AnalyzeGameResponse::Progress current{};
  absl::Duration elapsed;
};

// "[=====>     ]  43 %  12 games  1.52 M/s  2 min 5 s left". As wide as that, at most.
std::string ProgressText(const ReviewState& state, int width);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_REVIEW_PROGRESS_H_
