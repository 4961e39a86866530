// What tests ask servers for.

#ifndef KIBITZ_TESTS_SUPPORT_REQUESTS_H_
#define KIBITZ_TESTS_SUPPORT_REQUESTS_H_

#include "kibitz/v1/analysis.pb.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz {

v1::AnalyzeRequest InfiniteAnalysis();
v1::AnalyzeRequest AnalysisToDepth(int depth);

v1::PerftRequest PerftOf(int depth, int threads = 1, int hash_mb = 0);
// Takes hours.
v1::PerftRequest EndlessPerft(int threads = 1);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_SUPPORT_REQUESTS_H_
