// The way to whoever searches: a server inside this process, or one elsewhere.

#ifndef KIBITZ_CLIENT_UCI_LINK_H_
#define KIBITZ_CLIENT_UCI_LINK_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "client/analysis_client.h"
#include "client/analysis_session.h"
#include "client/uci/options.h"
#include "server/server.h"

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
  // The options that a link is made for.
  struct Settings {
    std::string server;
    std::string token;
    int hash_mb;
    int threads;
    std::string syzygy_path;
    friend bool operator==(const Settings&, const Settings&) = default;
  };

  static Settings SettingsOf(const Options& options);
  absl::Status Connect(const Settings& settings);

  const std::function<SessionEvents()> make_events_;
  std::optional<Settings> settings_;
  // Each uses the one before it.
  std::unique_ptr<server::Server> embedded_;
  std::unique_ptr<AnalysisClient> client_;
  std::unique_ptr<AnalysisSession> session_;
  v1::GetServerInfoResponse info_;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_LINK_H_
