// What a server can be told when it starts.

#ifndef KIBITZ_SERVER_SERVER_OPTIONS_H_
#define KIBITZ_SERVER_SERVER_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace kibitz::server {

// Every bound has a default that a site can live with.
struct ServerOptions {
  // Where to listen: "127.0.0.1:50051", "[::1]:0". Port 0 takes a free one. Empty: no socket, only the channel inside
  // this process.
  std::string listen = "";
  // How many threads may search or count at once. 0: one for each core.
  int workers = 0;
  // How many searches and counts may be under way: they share those threads by turns.
  int max_live = 1000;
  // The transposition table that all analyses share.
  int hash_mb = 64;
  // Folders of Syzygy endgame tables, separated by colons. Empty: none. All servers of a process have the same.
  std::string syzygy_path = "";
  // How positions are evaluated, "net" or "classical", and a file for the net; empty: the one that Kibitz carries.
  std::string evaluation = "net";
  std::string eval_file = "";
  // How many analyses and counts may wait to begin.
  int max_queue = 2000;
  // How many sessions may be open, whether they search or not.
  int max_sessions = 4000;
  // All the memory that requests may use at once beside the shared table: connections, calls and their messages, what
  // searches work in, and the two that follow, which are parts of it.
  int memory_mb = 4096;
  // The memory for perft hash tables, over all requests at once.
  int perft_hash_mb = 256;
  // The memory for the tables that some searches have for themselves: 16 MiB when reproducible, 2 when limited in
  // strength.
  int private_tables_mb = 512;
  // The most lines of one analysis.
  int max_multi_pv = 256;
  // Where results are stored, a file or "nats", and how much of them; empty: nowhere.
  std::string store = "";
  int store_mb = 1024;
  // Where jobs are kept, and how much of them, their results included; empty: no jobs are taken.
  std::string jobs = "";
  int jobs_mb = 1024;
  // How many jobs may be there that are not over, in all and of one tenant whose key says nothing else.
  int max_jobs = 10'000;
  int max_jobs_per_tenant = 1000;
  // How long a job may wait to be done, and how long it is kept once it is over.
  std::chrono::seconds job_wait = std::chrono::hours(7 * 24);
  std::chrono::seconds job_keep = std::chrono::hours(24);
  // How long a part of a job takes, about: so much work is lost with a server that is killed, for each of its workers.
  std::chrono::milliseconds job_part_time = std::chrono::milliseconds(1500);
  // The hosts that may be told, by HTTP, that a job is over: "hooks.example.org,*.example.com:8443". The file has a
  // tenant and its secret on each line. Empty: nobody is told.
  std::string webhook_hosts = "";
  std::string webhook_secrets = "";
  // After how long somebody is told again who did not hear it; more and more after each time.
  std::chrono::milliseconds webhook_pause = std::chrono::seconds(10);
  // What this server is called where jobs tell who did them. Empty: as its machine.
  std::string node = "";
  // The NATS of a farm, whose JetStream keeps jobs instead of a file: nats://HOST:PORT or tls://HOST:PORT, several of a
  // cluster separated by commas. Empty: this server is alone. The file of credentials that NATS's tools write, and that
  // of the authority of its certificates; what its streams' names begin with, and how many of its servers keep them.
  std::string nats = "";
  std::string nats_creds = "";
  std::string nats_tls_ca = "";
  std::string nats_prefix = "kibitz";
  int nats_replicas = 1;
  // Whether a crash leaves a note beside the file of jobs, so that what was being done then is suspected of it. For a
  // program that is a server and nothing else: it handles signals.
  bool note_crashes = false;
  // The names of openings, in PGN; empty: those of Debian's pgn-extract, if it is installed.
  std::string openings = "";
  // The largest request. 12,000 moves take less than 100 kB.
  int max_message_bytes = 96 << 10;
  // The same for requests that hold many positions, or games.
  int max_batch_bytes = 1 << 20;
  // How many connections may be open. There are never more than the descriptors suffice for.
  int max_connections = 10'000;
  // How many of them from one IPv4 address, or one IPv6 /64; 0: no bound but the one above. Proxies, which speak for
  // many, are not bound by it: addresses and ranges such as "10.0.0.0/8", separated by commas.
  int max_connections_per_peer = 256;
  std::string proxies = "127.0.0.0/8,::1";
  // By when who connects must have said what it wants to speak.
  std::chrono::milliseconds handshake_time = std::chrono::seconds(10);
  // After so long a connection takes no new calls, so that its client makes another; 0: never. Its streams go on.
  std::chrono::seconds max_connection_age = std::chrono::hours(1);
  // The longest search, whatever the request says.
  std::chrono::milliseconds max_search_time = std::chrono::hours(1);
  // How long to search when the request sets no limit.
  std::chrono::milliseconds default_search_time = std::chrono::seconds(1);
  // The longest count and the largest.
  std::chrono::milliseconds max_perft_time = std::chrono::minutes(10);
  std::uint64_t max_perft_nodes = 1'000'000'000'000'000;
  // By when a call must have sent its request.
  std::chrono::milliseconds request_time = std::chrono::seconds(10);
  // Whether tools may ask for the methods and messages.
  bool reflection = true;
  // TLS, by PEM files: the server's certificate with what leads to its authority, its key, and the authorities whose
  // clients are let in. Without the first two calls travel in plaintext, without the third no client has to show a
  // certificate.
  std::string tls_cert = "";
  std::string tls_key = "";
  std::string tls_client_ca = "";
  // Whether calls may travel in plaintext where others than this machine can listen in.
  bool insecure = false;
  // The file of keys that callers must have one of, as `kibitz keys` writes it. Empty: nobody is asked for a key.
  std::string keys = "";
  // Whether to log a line for each call that is over. A program that carries its own server has its own words.
  bool log_calls = false;
  // Of calls that went well and had nothing to search, which may be thousands a second, one in so many
  // has a line.
  int log_one_in = 100;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SERVER_OPTIONS_H_
