#include "tests/support/requests.h"

namespace kibitz {

v1::AnalyzeRequest InfiniteAnalysis() {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_infinite(true);
  return request;
}

v1::AnalyzeRequest AnalysisToDepth(int depth) {
  v1::AnalyzeRequest request;
  request.mutable_limits()->set_depth(depth);
  return request;
}

v1::PerftRequest PerftOf(int depth, int threads, int hash_mb) {
  v1::PerftRequest request;
  request.set_depth(depth);
  request.set_threads(threads);
  request.set_hash_mb(hash_mb);
  return request;
}

v1::PerftRequest EndlessPerft(int threads) { return PerftOf(13, threads); }

}  // namespace kibitz
