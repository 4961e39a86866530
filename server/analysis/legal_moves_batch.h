// One LegalMovesBatch call: the legal moves of many positions.

#ifndef KIBITZ_SERVER_ANALYSIS_LEGAL_MOVES_BATCH_H_
#define KIBITZ_SERVER_ANALYSIS_LEGAL_MOVES_BATCH_H_

#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/analysis/preparation.h"
#include "server/rpc/response_stream.h"
#include "server/scheduler/scheduler.h"
#include "server/tenant/tenant.h"

namespace kibitz::server {

// Done by turns of a few milliseconds, each a task of the scheduler's, so that searches have theirs in between. While
// the client has much to read it has no turn, and takes up no worker.
class LegalMovesBatch final : public std::enable_shared_from_this<LegalMovesBatch> {
 public:
  using Stream = ResponseStream<v1::LegalMovesBatchResponse>;

  // The request has been checked.
  LegalMovesBatch(Scheduler& scheduler, TenantPointer tenant, v1::LegalMovesBatchRequest request,
                  std::shared_ptr<Stream> stream);

  void Begin();
  // The client is gone. From any thread.
  void Cancel();

 private:
  // Answers what it can in one turn.
  absl::Status TakeTurn();
  void EndTurn(const absl::Status& status);

  Scheduler& scheduler_;
  const TenantPointer tenant_;
  const v1::LegalMovesBatchRequest request_;
  const std::shared_ptr<Stream> stream_;
  int done_ = 0;  // the turns': one comes after the other

  std::mutex mutex_;  // guards what follows
  std::shared_ptr<Preparation> turn_;
  bool cancelled_ = false;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_LEGAL_MOVES_BATCH_H_
