// A server that says what a test wants, when the test wants it.

#ifndef KIBITZ_TESTS_CLIENT_FAKE_SERVER_H_
#define KIBITZ_TESTS_CLIENT_FAKE_SERVER_H_

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz::client {

using Stream = grpc::ServerReaderWriter<v1::AnalyzeSessionResponse, v1::AnalyzeSessionRequest>;

// One Go as the fake sees it: it can be answered from any thread while its session lasts.
class FakeGo {
 public:
  FakeGo(Stream& stream, std::int64_t number, v1::AnalyzeSessionRequest::Go go)
      : stream_(stream), number_(number), go_(std::move(go)) {}

  const v1::AnalyzeRequest& request() const { return go_.request(); }
  bool ponder() const { return go_.ponder(); }

  // An update whose only line is these moves.
  void Update(int depth, const std::vector<std::string>& pv) const;
  // The end, with that line once more.
  void Final(const std::vector<std::string>& pv) const;
  // The end of a search in a position without legal moves.
  void FinalWithoutMoves(v1::GameStatus status) const;
  void Refuse(const std::string& field, const std::string& description) const;

 private:
  void Send(v1::AnalyzeResponse analysis) const;

  Stream& stream_;
  std::int64_t number_;
  v1::AnalyzeSessionRequest::Go go_;
};

// A free port of this machine that nobody else is given while this lives. Who shares ports may listen there; while
// nobody does, connections are refused.
class ReservedPort {
 public:
  ReservedPort();
  ~ReservedPort();
  ReservedPort(const ReservedPort&) = delete;
  ReservedPort& operator=(const ReservedPort&) = delete;

  // 0 if there is none.
  int number() const { return number_; }

 private:
  int socket_;
  int number_ = 0;
};

// A server on a free port of this machine. What it does is up to the callbacks, which are called on its threads.
class FakeServer final : public v1::AnalysisService::Service {
 public:
  explicit FakeServer(std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials());
  ~FakeServer() override;

  const std::string& address() const { return address_; }
  // Ends all sessions with UNAVAILABLE, as when the process dies. `Start` brings it back at the same address.
  void Kill();
  void Start();
  // Cuts the sessions that are open, and goes on serving.
  void CutSessions();

  // The commands so far.
  std::vector<v1::AnalyzeSessionRequest::CommandCase> Kinds() const;
  // How many commands of a kind have come so far.
  int Count(v1::AnalyzeSessionRequest::CommandCase kind) const;
  // Waits until that many have come; false if they do not.
  bool Await(v1::AnalyzeSessionRequest::CommandCase kind, int count) const;
  // The "authorization" that came with the last call.
  std::string authorization() const;

  // Answers so many calls of GetServerInfo with UNAVAILABLE.
  void RefuseInfo(int calls) { refuse_info_ = calls; }
  int info_calls() const { return info_calls_; }
  // Counts are UNAVAILABLE all.
  int perft_calls() const { return perft_calls_; }

  // Set these before the first session. By default a search says nothing, and a Stop is answered by e2e4.
  std::function<void(const FakeGo&)> on_go = [](const FakeGo&) {};
  std::function<void(const FakeGo&)> on_stop = [](const FakeGo& go) { go.Final({"e2e4", "e7e5"}); };
  std::function<void(const FakeGo&)> on_ponder_hit = [](const FakeGo&) {};

 private:
  grpc::Status AnalyzeSession(grpc::ServerContext* context, Stream* stream) override;
  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest* request,
                             v1::GetServerInfoResponse* response) override;
  grpc::Status Perft(grpc::ServerContext* context, const v1::PerftRequest* request,
                     grpc::ServerWriter<v1::PerftResponse>* writer) override;
  void NoteCaller(const grpc::ServerContext& context);
  void Note(const v1::AnalyzeSessionRequest& request);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<v1::AnalyzeSessionRequest::CommandCase> commands_;
  std::vector<grpc::ServerContext*> sessions_;
  std::string authorization_;
  std::atomic<int> refuse_info_ = 0;
  std::atomic<int> info_calls_ = 0;
  std::atomic<int> perft_calls_ = 0;
  const ReservedPort port_;
  const std::string address_;
  const std::shared_ptr<grpc::ServerCredentials> credentials_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_TESTS_CLIENT_FAKE_SERVER_H_
