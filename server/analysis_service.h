// kibitz.v1.AnalysisService: thin handlers between the wire and the engine.

#ifndef KIBITZ_SERVER_ANALYSIS_SERVICE_H_
#define KIBITZ_SERVER_ANALYSIS_SERVICE_H_

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz::server {

class AnalysisService {
 public:
  // For the server's builder.
  grpc::Service* service() { return &wire_; }

  // Answers the calls that come in on `queue` from now on.
  void Serve(grpc::ServerCompletionQueue* queue);

 private:
  grpc::Status LegalMoves(const v1::LegalMovesRequest& request, v1::LegalMovesResponse& response);

  v1::AnalysisService::AsyncService wire_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_SERVICE_H_
