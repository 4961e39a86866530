#include "tests/fuzz/fuzz_server.h"

#include <google/protobuf/stubs/logging.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <chrono>
#include <string>

#include "absl/strings/ascii.h"
#include "server/server.h"
#include "server/server_options.h"
#include "spdlog/spdlog.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {
namespace {

server::Server& StartServer() {
  spdlog::set_level(spdlog::level::off);
  // It complains about every string that is no UTF-8.
  google::protobuf::SetLogHandler(nullptr);
  server::ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.workers = 1;
  options.hash_mb = 1;
  options.memory_mb = 256;
  options.private_tables_mb = 64;
  options.perft_hash_mb = 4;
  options.max_search_time = std::chrono::milliseconds(20);
  options.default_search_time = std::chrono::milliseconds(5);
  options.max_perft_time = std::chrono::milliseconds(50);
  options.max_perft_nodes = 20'000;
  auto server = server::Server::Start(options);
  Require(server.ok(), "the server starts");
  return *server->release();
}

}  // namespace

v1::AnalysisService::Stub& FuzzServer() {
  // Held by name, or LeakSanitizer takes it for lost.
  static server::Server& server = StartServer();
  // By a socket: on gRPC's channel inside a process a command that the server no longer reads is waited for forever.
  static auto& stub =
      *v1::AnalysisService::NewStub(grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials()))
           .release();
  return stub;
}

std::unique_ptr<grpc::ClientContext> FuzzCall() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  return context;
}

void RequireGoodStatus(const grpc::Status& status) {
  if (status.ok()) return;
  switch (status.error_code()) {
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
    case grpc::StatusCode::OUT_OF_RANGE:
    case grpc::StatusCode::NOT_FOUND:
      break;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      Require(!status.error_details().empty(), "the server answers in time");
      break;
    default:
      Require(false, "a failure is one of the contract's: " + status.error_message());
  }
  Require(!status.error_message().empty(), "a failure has words");
  for (const char c : status.error_message()) {
    Require(absl::ascii_isprint(static_cast<unsigned char>(c)), "a failure is printable");
  }
}

}  // namespace kibitz
