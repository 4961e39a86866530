// An analysis on the screen, in a pipe or as JSON, while it goes on.

#ifndef KIBITZ_CLIENT_CLI_ANALYSIS_VIEW_H_
#define KIBITZ_CLIENT_CLI_ANALYSIS_VIEW_H_

#include <memory>

#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client {

// Writes to standard output. For one analysis, whose events it is shown one at a time.
class AnalysisView {
 public:
  virtual ~AnalysisView() = default;
  virtual void Show(const v1::AnalyzeResponse& event) = 0;
};

// JSON Lines if asked for; on a terminal a table that is redrawn in place; otherwise lines of text.
std::unique_ptr<AnalysisView> MakeAnalysisView(bool json);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_ANALYSIS_VIEW_H_
