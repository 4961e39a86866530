#include "tests/client/fake_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace kibitz::client {
namespace {

constexpr std::chrono::seconds kPatience{20};

v1::AnalysisUpdate MakeUpdate(int depth, const std::vector<std::string>& pv) {
  v1::AnalysisUpdate update;
  update.set_depth(depth);
  update.set_nodes(depth * 100);
  v1::Line& line = *update.add_lines();
  line.set_rank(1);
  line.mutable_score()->set_centipawns(depth);
  for (const std::string& move : pv) line.add_pv_uci(move);
  return update;
}

}  // namespace

void FakeGo::Send(v1::AnalyzeResponse analysis) const {
  v1::AnalyzeSessionResponse response;
  response.set_go(number_);
  *response.mutable_analysis() = std::move(analysis);
  stream_.Write(response);
}

void FakeGo::Update(int depth, const std::vector<std::string>& pv) const {
  v1::AnalyzeResponse analysis;
  *analysis.mutable_update() = MakeUpdate(depth, pv);
  Send(std::move(analysis));
}

void FakeGo::Final(const std::vector<std::string>& pv) const {
  v1::AnalyzeResponse analysis;
  *analysis.mutable_final()->mutable_result() = MakeUpdate(9, pv);
  analysis.mutable_final()->set_best_move(pv.at(0));
  if (pv.size() > 1) analysis.mutable_final()->set_ponder_move(pv[1]);
  Send(std::move(analysis));
}

void FakeGo::FinalWithoutMoves(v1::GameStatus status) const {
  v1::AnalyzeResponse analysis;
  analysis.mutable_final()->set_stop_reason(v1::STOP_REASON_NO_LEGAL_MOVES);
  analysis.mutable_final()->set_status(status);
  Send(std::move(analysis));
}

void FakeGo::Refuse(const std::string& field, const std::string& description) const {
  v1::AnalyzeSessionResponse response;
  response.set_go(number_);
  response.mutable_refused()->set_code(grpc::INVALID_ARGUMENT);
  response.mutable_refused()->set_field(field);
  response.mutable_refused()->set_description(description);
  stream_.Write(response);
}

ReservedPort::ReservedPort() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
  const int on = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const raw = reinterpret_cast<sockaddr*>(&address);  // NOLINT: what the socket API takes
  socklen_t size = sizeof(address);
  if (bind(socket_, raw, size) == 0 && getsockname(socket_, raw, &size) == 0) number_ = ntohs(address.sin_port);
}

ReservedPort::~ReservedPort() { close(socket_); }

FakeServer::FakeServer(std::shared_ptr<grpc::ServerCredentials> credentials)
    : address_("127.0.0.1:" + std::to_string(port_.number())), credentials_(std::move(credentials)) {
  Start();
}

FakeServer::~FakeServer() { Kill(); }

void FakeServer::Start() {
  server_ = grpc::ServerBuilder().AddListeningPort(address_, credentials_).RegisterService(this).BuildAndStart();
}

void FakeServer::Kill() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now());
  server_.reset();
}

void FakeServer::CutSessions() {
  std::lock_guard lock(mutex_);
  for (grpc::ServerContext* session : sessions_) session->TryCancel();
}

std::vector<v1::AnalyzeSessionRequest::CommandCase> FakeServer::Kinds() const {
  std::lock_guard lock(mutex_);
  return commands_;
}

int FakeServer::Count(v1::AnalyzeSessionRequest::CommandCase kind) const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(std::count(commands_.begin(), commands_.end(), kind));
}

bool FakeServer::Await(v1::AnalyzeSessionRequest::CommandCase kind, int count) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience,
                           [&] { return std::count(commands_.begin(), commands_.end(), kind) >= count; });
}

std::string FakeServer::authorization() const {
  std::lock_guard lock(mutex_);
  return authorization_;
}

void FakeServer::NoteCaller(const grpc::ServerContext& context) {
  std::lock_guard lock(mutex_);
  const auto found = context.client_metadata().find("authorization");
  authorization_ =
      found == context.client_metadata().end() ? "" : std::string(found->second.data(), found->second.size());
}

void FakeServer::Note(const v1::AnalyzeSessionRequest& request) {
  {
    std::lock_guard lock(mutex_);
    commands_.push_back(request.command_case());
  }
  changed_.notify_all();
}

grpc::Status FakeServer::AnalyzeSession(grpc::ServerContext* context, Stream* stream) {
  NoteCaller(*context);
  {
    std::lock_guard lock(mutex_);
    sessions_.push_back(context);
  }
  std::int64_t number = 0;
  std::optional<FakeGo> current;
  v1::AnalyzeSessionRequest request;
  while (stream->Read(&request)) {
    if (request.has_go()) current.emplace(*stream, ++number, request.go());
    // What a command causes comes before others can know of it.
    if (request.has_go()) on_go(*current);
    if (request.has_stop() && current) on_stop(*current);
    if (request.has_ponder_hit() && current) on_ponder_hit(*current);
    Note(request);
  }
  std::lock_guard lock(mutex_);
  std::erase(sessions_, context);
  return grpc::Status::OK;
}

grpc::Status FakeServer::GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest*,
                                       v1::GetServerInfoResponse* response) {
  NoteCaller(*context);
  ++info_calls_;
  if (refuse_info_ > 0) {
    --refuse_info_;
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "not now");
  }
  response->set_version("Fake 1.0");
  response->mutable_caps()->set_max_depth(100);
  response->mutable_caps()->set_max_threads(2);
  response->mutable_caps()->set_max_multi_pv(5);
  return grpc::Status::OK;
}

grpc::Status FakeServer::Perft(grpc::ServerContext*, const v1::PerftRequest*, grpc::ServerWriter<v1::PerftResponse>*) {
  ++perft_calls_;
  return grpc::Status(grpc::StatusCode::UNAVAILABLE, "not now");
}

}  // namespace kibitz::client
