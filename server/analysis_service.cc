#include "server/analysis_service.h"

#include <functional>

#include "server/grpc_status.h"
#include "server/proto_conversion.h"
#include "server/rpc/unary_call.h"

namespace kibitz::server {

void AnalysisService::Serve(grpc::ServerCompletionQueue* queue) {
  UnaryCall<v1::LegalMovesRequest, v1::LegalMovesResponse>::Serve(
      queue,
      [this](auto* context, auto* request, auto* responder, auto* queue, void* tag) {
        wire_.RequestLegalMoves(context, request, responder, queue, queue, tag);
      },
      std::bind_front(&AnalysisService::LegalMoves, this));
}

grpc::Status AnalysisService::LegalMoves(const v1::LegalMovesRequest& request, v1::LegalMovesResponse& response) {
  const absl::StatusOr<Position> position = ParsePosition(request.position());
  if (!position.ok()) return ToGrpcStatus(position.status());
  ToWire(*position, response);
  return grpc::Status::OK;
}

}  // namespace kibitz::server
