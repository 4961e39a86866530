#include "client/uci/link.h"

#include <utility>

namespace kibitz::client::uci {
namespace {

// What only the server inside is told does not matter on a bridge.
ConnectionOptions ConnectionOf(const Options& options) {
  ConnectionOptions connection{.quick_timeout = absl::Seconds(3)};
  if (options.IsBridge()) {
    connection.server = options.server;
    connection.key = options.key;
    connection.tls = options.tls;
    connection.insecure = options.insecure;
  } else {
    connection.embedded = {.workers = options.threads,
                           .hash_mb = options.hash_mb,
                           .syzygy_path = options.syzygy_path,
                           .evaluation = options.evaluation,
                           .eval_file = options.evaluation == kNet ? options.eval_file : "",
                           .max_search_time = absl::Hours(24)};
  }
  return connection;
}

}  // namespace

absl::Status Link::Open(const Options& options) {
  const ConnectionOptions wanted = ConnectionOf(options);
  if (IsOpen() && options_ == wanted) return absl::OkStatus();
  Close();
  absl::Status status = Connect(wanted);
  if (!status.ok()) Close();
  return status;
}

absl::Status Link::Connect(const ConnectionOptions& options) {
  auto connection = Connection::Open(options);
  if (!connection.ok()) return connection.status();
  connection_ = *std::move(connection);
  auto info = connection_->client().GetServerInfo(connection_->QuickCall());
  if (!info.ok()) return info.status();
  info_ = *std::move(info);
  options_ = options;
  session_ = connection_->client().OpenSession(make_events_(), connection_->LongCall());
  return absl::OkStatus();
}

void Link::Close() {
  session_.reset();
  connection_.reset();
  options_.reset();
}

void Link::NewGame() {
  if (!IsOpen()) return;
  session_->NewGame();
  ClearHash();
}

void Link::ClearHash() {
  if (connection_ != nullptr) connection_->ClearHash();
}

}  // namespace kibitz::client::uci
