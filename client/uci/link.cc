#include "client/uci/link.h"

#include <chrono>
#include <utility>

#include "server/server_options.h"

namespace kibitz::client::uci {
namespace {

constexpr absl::Duration kConnectPatience = absl::Seconds(3);

}  // namespace

// What only the server inside is told does not matter on a bridge.
Link::Settings Link::SettingsOf(const Options& options) {
  if (!options.server.empty()) return {options.server, options.token, 0, 0, ""};
  return {"", "", options.hash_mb, options.threads, options.syzygy_path};
}

absl::Status Link::Open(const Options& options) {
  const Settings settings = SettingsOf(options);
  if (IsOpen() && settings_ == settings) return absl::OkStatus();
  Close();
  absl::Status status = Connect(settings);
  if (!status.ok()) {
    Close();
    return status;
  }
  settings_ = settings;
  session_ = client_->OpenSession(make_events_(), {.token = settings.token});
  return absl::OkStatus();
}

absl::Status Link::Connect(const Settings& settings) {
  if (settings.server.empty()) {
    server::ServerOptions options;
    options.workers = settings.threads;
    options.hash_mb = settings.hash_mb;
    options.syzygy_path = settings.syzygy_path;
    options.max_search_time = std::chrono::hours(24);
    auto embedded = server::Server::Start(options);
    if (!embedded.ok()) return embedded.status();
    embedded_ = *std::move(embedded);
    client_ = std::make_unique<AnalysisClient>(embedded_->InProcessChannel(), "the embedded server");
  } else {
    client_ = std::make_unique<AnalysisClient>(ConnectTo(settings.server), settings.server);
  }
  auto info = client_->GetServerInfo({.timeout = kConnectPatience, .token = settings.token});
  if (!info.ok()) return info.status();
  info_ = *std::move(info);
  return absl::OkStatus();
}

void Link::Close() {
  session_.reset();
  client_.reset();
  embedded_.reset();
  settings_.reset();
}

void Link::NewGame() {
  if (!IsOpen()) return;
  session_->NewGame();
  ClearHash();
}

void Link::ClearHash() {
  if (embedded_ != nullptr) embedded_->ClearHash();
}

}  // namespace kibitz::client::uci
