// One AnalyzeBatch call: many positions, each with its own result.

#ifndef KIBITZ_SERVER_ANALYSIS_BATCH_H_
#define KIBITZ_SERVER_ANALYSIS_BATCH_H_

#include <memory>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/search_group.h"
#include "server/rpc/response_stream.h"

namespace kibitz::server {

class Batch final : public SearchGroup::Owner {
 public:
  using Stream = ResponseStream<v1::AnalyzeBatchResponse>;

  // `search` is the request for each position, but for the position.
  Batch(v1::AnalyzeBatchRequest request, v1::AnalyzeRequest search, std::shared_ptr<Stream> stream);

  v1::AnalyzeRequest RequestOf(int index) override;
  bool HasRoom() override { return stream_->HasRoom(); }
  void OnQueued(int place) override;
  void OnFinal(int index, const v1::AnalyzeResponse::Final& final) override;
  void OnRefused(int index, const absl::Status& why) override;
  void OnEnd(const absl::Status& why) override;

 private:
  const v1::AnalyzeBatchRequest request_;
  const v1::AnalyzeRequest search_;
  const std::shared_ptr<Stream> stream_;
  int done_ = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_BATCH_H_
