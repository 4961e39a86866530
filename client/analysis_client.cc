#include "client/analysis_client.h"

#include <future>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "client/position_key.h"
#include "client/remaining_request.h"

namespace kibitz::client {
namespace {

// Before a search goes on elsewhere: what was lost has been noticed by then.
constexpr absl::Duration kMovePause = absl::Milliseconds(200);

}  // namespace

AnalysisClient::AnalysisClient(std::shared_ptr<grpc::ChannelInterface> channel, Peer server, std::string key)
    : server_(std::move(server)),
      key_(std::move(key)),
      stub_(v1::AnalysisService::NewStub(channel)),
      admin_(v1::AdminService::NewStub(channel)),
      health_(grpc::health::v1::Health::NewStub(channel)) {}

template <typename Response, typename Open>
absl::Status AnalysisClient::ReadStream(const CallOptions& options, Open open,
                                        const std::function<void(const Response&)>& on_message,
                                        const std::string& position_key) const {
  Call call(options, key_, position_key);
  auto stream = open(call.context());
  Response message;
  while (stream->Read(&message)) on_message(message);
  return ReadableStatus(stream->Finish(), server_);
}

template <typename Response, typename Method>
absl::StatusOr<Response> AnalysisClient::CallUnary(const CallOptions& options, Method method) const {
  Call call(options, key_);
  Response response;
  absl::Status status = ReadableStatus(method(call.context(), &response), server_);
  if (!status.ok()) return status;
  return response;
}

absl::StatusOr<v1::LegalMovesResponse> AnalysisClient::LegalMoves(const v1::LegalMovesRequest& request,
                                                                  const CallOptions& options) const {
  return CallUnary<v1::LegalMovesResponse>(
      options, [&](auto* context, auto* response) { return stub_->LegalMoves(context, request, response); });
}

absl::Status AnalysisClient::LegalMovesBatch(
    const v1::LegalMovesBatchRequest& request,
    const std::function<void(const v1::LegalMovesBatchResponse::Item&)>& on_item, const CallOptions& options) const {
  int items = 0;
  absl::Status status = ReadStream<v1::LegalMovesBatchResponse>(
      options, [&](auto* context) { return stub_->LegalMovesBatch(context, request); },
      [&](const v1::LegalMovesBatchResponse& response) {
        items += response.items_size();
        for (const auto& item : response.items()) on_item(item);
      });
  if (status.ok() && items != request.positions_size()) {
    return absl::InternalError(server_.name + " has not answered every position");
  }
  return status;
}

absl::StatusOr<v1::BitboardsResponse> AnalysisClient::Bitboards(const v1::BitboardsRequest& request,
                                                                const CallOptions& options) const {
  return CallUnary<v1::BitboardsResponse>(
      options, [&](auto* context, auto* response) { return stub_->Bitboards(context, request, response); });
}

absl::StatusOr<v1::EvaluateResponse> AnalysisClient::Evaluate(const v1::EvaluateRequest& request,
                                                              const CallOptions& options) const {
  return CallUnary<v1::EvaluateResponse>(
      options, [&](auto* context, auto* response) { return stub_->Evaluate(context, request, response); });
}

absl::StatusOr<v1::GetServerInfoResponse> AnalysisClient::GetServerInfo(const CallOptions& options) const {
  return CallUnary<v1::GetServerInfoResponse>(
      options, [&](auto* context, auto* response) { return stub_->GetServerInfo(context, {}, response); });
}

absl::StatusOr<bool> AnalysisClient::IsServing(const CallOptions& options) const {
  const auto answer = CallUnary<grpc::health::v1::HealthCheckResponse>(
      options, [&](auto* context, auto* response) { return health_->Check(context, {}, response); });
  if (!answer.ok()) return answer.status();
  return answer->status() == grpc::health::v1::HealthCheckResponse::SERVING;
}

absl::StatusOr<v1::ServerStatus> AnalysisClient::GetStatus(const CallOptions& options) const {
  absl::StatusOr<v1::GetStatusResponse> response = CallUnary<v1::GetStatusResponse>(
      options, [&](auto* context, auto* answer) { return admin_->GetStatus(context, {}, answer); });
  if (!response.ok()) return response.status();
  return std::move(*response->mutable_status());
}

absl::Status AnalysisClient::WatchStatus(absl::Duration interval,
                                         const std::function<void(const v1::ServerStatus&)>& on_status,
                                         const CallOptions& options) const {
  v1::WatchStatusRequest request;
  request.mutable_interval()->set_seconds(absl::IDivDuration(interval, absl::Seconds(1), &interval));
  request.mutable_interval()->set_nanos(static_cast<int>(absl::ToInt64Nanoseconds(interval)));
  return ReadStream<v1::WatchStatusResponse>(
      options, [&](auto* context) { return admin_->WatchStatus(context, request); },
      [&](const v1::WatchStatusResponse& response) { on_status(response.status()); });
}

absl::StatusOr<v1::PerftResponse::Total> AnalysisClient::Perft(
    const v1::PerftRequest& request, const std::function<void(const v1::PerftResponse::Divide&)>& on_divide,
    const CallOptions& options) const {
  std::optional<v1::PerftResponse::Total> total;
  absl::Status status = ReadStream<v1::PerftResponse>(
      options, [&](auto* context) { return stub_->Perft(context, request); },
      [&](const v1::PerftResponse& response) {
        if (response.has_divide()) on_divide(response.divide());
        if (response.has_total()) total = response.total();
      });
  if (!status.ok()) return status;
  if (!total) return absl::InternalError(server_.name + " ended the count without a total");
  return *total;
}

absl::Status AnalysisClient::Analyze(const v1::AnalyzeRequest& request,
                                     const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                                     const CallOptions& options) const {
  bool ended = false;
  absl::Status status = ReadStream<v1::AnalyzeResponse>(
      options, [&](auto* context) { return stub_->Analyze(context, request); },
      [&](const v1::AnalyzeResponse& response) {
        ended = ended || response.has_final();
        on_event(response);
      },
      PositionKey(request.position()));
  if (status.ok() && !ended) return absl::InternalError(server_.name + " ended the analysis without a result");
  return status;
}

absl::Status AnalysisClient::AnalyzeGame(const v1::AnalyzeGameRequest& request,
                                         const std::function<void(const v1::AnalyzeGameResponse&)>& on_event,
                                         const CallOptions& options) const {
  return ReadStream<v1::AnalyzeGameResponse>(
      options, [&](auto* context) { return stub_->AnalyzeGame(context, request); }, on_event);
}

absl::Status AnalysisClient::AnalyzeUntil(std::stop_token finish, const v1::AnalyzeRequest& request,
                                          const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                                          const CallOptions& options) const {
  const absl::Time start = absl::Now();
  std::int64_t nodes = 0;       // of servers that were lost
  std::int64_t last_nodes = 0;  // of the one that searches
  bool began = false;
  const auto listen = [&](const v1::AnalyzeResponse& event) {
    began = true;
    if (event.has_update()) last_nodes = event.update().nodes();
    on_event(event);
  };
  absl::Status status = AnalyzeOnce(finish, request, listen, options);
  absl::Time end_of_patience = absl::Now() + kMovePatience;
  // A server that was never there is no loss.
  const auto was_there = [&] { return began || IsConnectionLost(status); };
  for (int moves = 0; was_there() && moves < kMaxMoves && IsServerLost(status); ++moves) {
    if (finish.stop_requested() || options.stop.stop_requested()) return status;
    nodes += std::exchange(last_nodes, 0);
    if (options.on_moved) options.on_moved(std::string(status.message()) + "; going on elsewhere");
    do {
      absl::SleepFor(kMovePause);
      CallOptions left = options;
      left.timeout -= absl::Now() - start;
      began = false;
      status = AnalyzeOnce(finish, RemainingRequest(request, nodes, absl::Now() - start), listen, left);
    } while (!was_there() && IsServerLost(status) && absl::Now() < end_of_patience && !finish.stop_requested() &&
             !options.stop.stop_requested());
    end_of_patience = absl::Now() + kMovePatience;
  }
  return status;
}

absl::Status AnalysisClient::AnalyzeOnce(std::stop_token finish, const v1::AnalyzeRequest& request,
                                         const std::function<void(const v1::AnalyzeResponse&)>& on_event,
                                         const CallOptions& options) const {
  std::optional<absl::Status> outcome;
  std::promise<absl::Status> ended;
  std::unique_ptr<AnalysisSession> session;
  const auto on_response = [&](const v1::AnalyzeSessionResponse& response) {
    if (response.has_analysis()) on_event(response.analysis());
    if (response.has_refused()) outcome = ReadableRefusal(response.refused());
    if (response.analysis().has_final()) outcome = absl::OkStatus();
    if (outcome) session->Close();
  };
  const auto on_end = [&](const absl::Status& status) {
    if (!outcome && status.ok()) outcome = absl::InternalError(server_.name + " ended the analysis without a result");
    ended.set_value(outcome.value_or(status));
  };
  session = OpenSession({.on_response = on_response, .on_end = on_end}, options, PositionKey(request.position()));
  session->Go(request);
  const std::stop_callback stop(std::move(finish), [&] { session->Stop(); });
  return ended.get_future().get();
}

std::unique_ptr<AnalysisSession> AnalysisClient::OpenSession(SessionEvents events, const CallOptions& options,
                                                             const std::string& position_key) const {
  return std::make_unique<AnalysisSession>(*stub_, server_, key_, options, std::move(events), position_key);
}

}  // namespace kibitz::client
