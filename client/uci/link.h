// The way to whoever searches: a server inside this process, or one elsewhere.

#ifndef KIBITZ_CLIENT_UCI_LINK_H_
#define KIBITZ_CLIENT_UCI_LINK_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/analysis_session.h"
#include "client/connection.h"
#include "client/uci/options.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::uci {

// Closed at first. Not for several threads at once.
class Link {
 public:
  // `make_events` is asked once for each session that is opened.
  explicit Link(std::function<SessionEvents()> make_events) : make_events_(std::move(make_events)) {}

  // Opens what the options ask for: a server of its own with their Hash, Threads and SyzygyPath, or a session with
  // theirs. What is open already and still fits is kept. Waits a few seconds at the most.
  absl::Status Open(const Options& options);
  // Ends the session, and the server inside if there is one. The next Open begins anew.
  void Close();
  bool IsOpen() const { return session_ != nullptr; }

  // For an open link.
  AnalysisSession& session() { return *session_; }
  const v1::GetServerInfoResponse& info() const { return info_; }

  // Forgets the game so far. Does nothing if the link is closed.
  void NewGame();
  // Empties the table of the server inside.
  void ClearHash();

 private:
  absl::Status Connect(const ConnectionOptions& options);

  const std::function<SessionEvents()> make_events_;
  // What the link is made for, while it is open.
  std::optional<ConnectionOptions> options_;
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<AnalysisSession> session_;  // uses the connection
  v1::GetServerInfoResponse info_;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_LINK_H_
