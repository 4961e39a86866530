// An explained evaluation as text.

#ifndef KIBITZ_CLIENT_CLI_EVALUATION_TEXT_H_
#define KIBITZ_CLIENT_CLI_EVALUATION_TEXT_H_

#include <string>

#include "client/cli/console.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// A row for each term, with a bar that goes to the right for White and to the left for Black, and the sum below.
std::string EvaluationText(const v1::EvaluateResponse& response, const Palette& palette);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_EVALUATION_TEXT_H_
