#include "client/cli/tls_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "client/certificates/first_certificates.h"
#include "client/cli/console.h"
#include "client/cli/failure.h"

namespace kibitz::client {
namespace {

// What to type next, with the files that were made.
std::string NextSteps(const FirstCertificates& made) {
  return fmt::format(
      "Made in {}, good for {} days: a CA, a certificate for servers called {}, and one for a client.\n"
      "Whoever reads ca.key can make more of them: keep it to yourself.\n"
      "\n"
      "Start the server:\n"
      "  kibitzd --listen 0.0.0.0:50051 --tls-cert {} --tls-key {}\n"
      "or let in only clients that show a certificate of this CA:\n"
      "  kibitzd --listen 0.0.0.0:50051 --tls-cert {} --tls-key {} --tls-client-ca {}\n"
      "\n"
      "Call it:\n"
      "  kibitz info --server {}:50051 --tls-ca {}\n"
      "or, showing a certificate:\n"
      "  kibitz info --server {}:50051 --tls-ca {} --tls-client-cert {} --tls-client-key {}\n",
      made.folder, made.days, fmt::join(made.hosts, ", "), made.ServerCertificate(), made.ServerKey(),
      made.ServerCertificate(), made.ServerKey(), made.CaCertificate(), made.hosts.front(), made.CaCertificate(),
      made.hosts.front(), made.CaCertificate(), made.ClientCertificate(), made.ClientKey());
}

ExitCode RunInit(const FirstCertificates& wanted) {
  const absl::Status written = WriteFirstCertificates(wanted, absl::Now());
  if (!written.ok()) return ReportFailure(written, /*interrupted=*/false);
  Print(NextSteps(wanted));
  return kExitOk;
}

}  // namespace

void AddTlsCommand(CLI::App& app, ExitCode& exit_code) {
  auto wanted = std::make_shared<FirstCertificates>(FirstCertificates{.folder = "tls"});
  CLI::App* command = app.add_subcommand("tls", "Make certificates for a first try of TLS");
  command->require_subcommand(1);
  CLI::App* init = command->add_subcommand("init", "Make a CA, a server's certificate and a client's");
  init->add_option("FOLDER", wanted->folder, "Where the files go; nothing there is overwritten")->capture_default_str();
  init->add_option("--host", wanted->hosts, "A name or address by which the server is called; may be given again")
      ->type_name("HOST")
      ->capture_default_str();
  init->add_option("--days", wanted->days, "How long they are good")
      ->type_name("N")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str();
  init->footer(
      "Examples:\n"
      "  kibitz tls init\n"
      "  kibitz tls init /etc/kibitz/tls --host chess.example.org --host 10.0.0.7");
  init->callback([wanted, &exit_code] { exit_code = RunInit(*wanted); });
}

}  // namespace kibitz::client
