// The way to a server. Every client takes it: nothing else opens a channel.

#ifndef KIBITZ_CLIENT_CONNECTION_H_
#define KIBITZ_CLIENT_CONNECTION_H_

#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/analysis_client.h"
#include "client/call.h"
#include "client/job_client.h"
#include "client/net/tls_options.h"

namespace kibitz::server {
class Server;
}

namespace kibitz::client {

// What a server inside this process is started with. Zero or empty: as one that stands alone has it.
struct EmbeddedOptions {
  int workers = 0;
  int hash_mb = 0;
  std::string syzygy_path{};
  std::string evaluation{};
  std::string eval_file{};
  absl::Duration max_search_time{};

  friend bool operator==(const EmbeddedOptions&, const EmbeddedOptions&) = default;
};

struct ConnectionOptions {
  // HOST:PORT. Empty: a server inside this process.
  std::string server{};
  // Tells the server who calls, with every call. Empty: nothing is told.
  std::string key{};
  TlsOptions tls{};
  // Lets the key go to another machine without TLS, where all on the way can read it.
  bool insecure = false;
  // How long a call may last that takes no time worth speaking of, and any other: a search, a count.
  absl::Duration quick_timeout = absl::Seconds(10);
  absl::Duration long_timeout = absl::InfiniteDuration();
  EmbeddedOptions embedded{};

  friend bool operator==(const ConnectionOptions&, const ConnectionOptions&) = default;
};

// Safe to use from several threads at once.
class Connection {
 public:
  // Starts the server inside, if that is asked for. Fails where a file of TLS is not what it should be, and where the
  // key would leave this machine in plaintext; the message says what to do. One elsewhere is not called yet: the first
  // call connects, and after a loss so does the next. Calls that only ask are repeated a few times, for less than a
  // second, while no server answers; a search or a count is not, as it may have told something already.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const ConnectionOptions& options);

  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const AnalysisClient& client() const { return client_; }
  // Jobs are for servers elsewhere: the one inside takes none.
  const JobClient& jobs() const { return jobs_; }
  // How to make a call of either kind; `stop` cancels it.
  CallOptions QuickCall(std::stop_token stop = {}) const;
  CallOptions LongCall(std::stop_token stop = {}) const;

  // Empties the table of the server inside. Does nothing to one elsewhere.
  void ClearHash();

 private:
  // The other end of a channel.
  struct Way {
    std::shared_ptr<grpc::ChannelInterface> channel;
    Peer peer;
  };

  static absl::StatusOr<Way> ReachServer(const ConnectionOptions& options);
  Connection(const ConnectionOptions& options, std::unique_ptr<server::Server> embedded, const Way& way);

  const ConnectionOptions options_;
  const std::unique_ptr<server::Server> embedded_;
  const AnalysisClient client_;
  const JobClient jobs_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CONNECTION_H_
