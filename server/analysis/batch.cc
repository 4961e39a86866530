#include "server/analysis/batch.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/conversion/batch.h"
#include "server/errors/errors.h"

namespace kibitz::server {

Batch::Batch(v1::AnalyzeBatchRequest request, v1::AnalyzeRequest search, std::shared_ptr<Stream> stream)
    : request_(std::move(request)), search_(std::move(search)), stream_(std::move(stream)) {}

v1::AnalyzeRequest Batch::RequestOf(int index) {
  v1::AnalyzeRequest request = search_;
  *request.mutable_position() = request_.positions(index);
  return request;
}

void Batch::OnQueued(int place) {
  v1::AnalyzeBatchResponse response;
  response.mutable_queued()->set_place(place);
  stream_->Send(response);
}

void Batch::OnFinal(int index, const v1::AnalyzeResponse::Final& final) {
  ++done_;
  stream_->Send(ItemToWire(index, final));
}

void Batch::OnRefused(int index, const absl::Status& why) {
  ++done_;
  stream_->Send(ItemToWire(index, why));
}

void Batch::OnEnd(const absl::Status& why) {
  if (absl::IsDeadlineExceeded(why)) {
    return stream_->Finish(Failure(
        absl::StatusCode::kDeadlineExceeded, "DEADLINE_NEAR",
        absl::StrCat(done_, " of ", request_.positions_size(), " positions were searched before the deadline")));
  }
  stream_->Finish(why);
}

}  // namespace kibitz::server
