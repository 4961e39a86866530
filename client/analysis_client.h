// A typed way to call a Kibitz server: plain results or a readable status, with deadlines and cancellation.

#ifndef KIBITZ_CLIENT_ANALYSIS_CLIENT_H_
#define KIBITZ_CLIENT_ANALYSIS_CLIENT_H_

#include <grpcpp/channel.h>

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "client/analysis_session.h"
#include "client/call.h"
#include "client/readable_status.h"
#include "grpc/health/v1/health.grpc.pb.h"
#include "kibitz/v1/admin.grpc.pb.h"
#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz::client {

// Calls the AnalysisService, and the admin and health services beside it, over any channel. Safe to use from several
// threads at once.
//
// Each call blocks until it has ended. A failure's message is meant for people (see readable_status.h).
class AnalysisClient {
 public:
  // `server` is the other end, for error messages. The key goes with every call, unless it is empty.
  // A Connection has one of these for those who do not bring a channel.
  AnalysisClient(std::shared_ptr<grpc::ChannelInterface> channel, Peer server, std::string key = "");

  absl::StatusOr<v1::LegalMovesResponse> LegalMoves(const v1::LegalMovesRequest& request,
                                                    const CallOptions& options) const;
  // Calls `on_item` for each position, in their order, on this thread.
  absl::Status LegalMovesBatch(const v1::LegalMovesBatchRequest& request,
                               const std::function<void(const v1::LegalMovesBatchResponse::Item&)>& on_item,
                               const CallOptions& options) const;
  absl::StatusOr<v1::BitboardsResponse> Bitboards(const v1::BitboardsRequest& request,
                                                  const CallOptions& options) const;
  absl::StatusOr<v1::EvaluateResponse> Evaluate(const v1::EvaluateRequest& request, const CallOptions& options) const;
  absl::StatusOr<v1::GetServerInfoResponse> GetServerInfo(const CallOptions& options) const;
  // Whether the server says of itself that it takes calls, by the standard health service.
  absl::StatusOr<bool> IsServing(const CallOptions& options) const;
  absl::StatusOr<v1::ServerStatus> GetStatus(const CallOptions& options) const;

  // Calls `on_status` with how the server does, at once and then every `interval`, on this thread, until the call ends.
  absl::Status WatchStatus(absl::Duration interval, const std::function<void(const v1::ServerStatus&)>& on_status,
                           const CallOptions& options) const;

  // Calls `on_divide` for each root move as it arrives, on this thread, and returns the total.
  absl::StatusOr<v1::PerftResponse::Total> Perft(const v1::PerftRequest& request,
                                                 const std::function<void(const v1::PerftResponse::Divide&)>& on_divide,
                                                 const CallOptions& options) const;

  // Calls `on_event` for each event, the final one included, on this thread.
  absl::Status Analyze(const v1::AnalyzeRequest& request,
                       const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                       const CallOptions& options) const;

  // The same for games.
  absl::Status AnalyzeGame(const v1::AnalyzeGameRequest& request,
                           const std::function<void(const v1::AnalyzeGameResponse&)>& on_event,
                           const CallOptions& options) const;

  // A search as above, but one that is ended early by `finish` still gives its final event. Events come on another
  // thread. If the server is lost over it, it goes on at another that is behind the same address, or at the same one
  // once it is back, with the limits that are left; the events then come anew from the first depth on.
  absl::Status AnalyzeUntil(std::stop_token finish, const v1::AnalyzeRequest& request,
                            const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                            const CallOptions& options) const;

  // Opens a session, which must not outlive this client. What fails is told by its events.
  std::unique_ptr<AnalysisSession> OpenSession(SessionEvents events, const CallOptions& options,
                                               const std::string& position_key = "") const;

 private:
  absl::Status AnalyzeOnce(std::stop_token finish, const v1::AnalyzeRequest& request,
                           const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                           const CallOptions& options) const;
  template <typename Response, typename Call>
  absl::StatusOr<Response> CallUnary(const CallOptions& options, Call call) const;
  template <typename Response, typename Open>
  absl::Status ReadStream(const CallOptions& options, Open open, const std::function<void(const Response&)>& on_message,
                          const std::string& position_key = "") const;

  Peer server_;
  std::string key_;
  std::unique_ptr<v1::AnalysisService::StubInterface> stub_;
  std::unique_ptr<v1::AdminService::StubInterface> admin_;
  std::unique_ptr<grpc::health::v1::Health::StubInterface> health_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_ANALYSIS_CLIENT_H_
