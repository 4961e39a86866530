#include "client/cli/failure.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "absl/strings/match.h"
#include "client/cli/console.h"
#include "client/readable_status.h"

namespace kibitz::client {
namespace {

std::string_view HintForField(std::string_view field) {
  if (field == "position.fen") {
    return "an example: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  }
  if (field.starts_with("position.moves")) return "moves are counted from 0; `kibitz moves` lists the legal ones";
  if (field == "square" || field == "piece") return "name a piece and a square, such as --attacks Rd4";
  return "`kibitz info` shows what the server allows";
}

std::string_view HintFor(const absl::Status& status) {
  const std::string field = FieldAtFault(status);
  if (!field.empty()) return HintForField(field);
  // What TLS has to say tells what to do by itself.
  const bool has_tls = absl::StrContains(status.message(), "TLS") || absl::StrContains(status.message(), "certificate");
  if (absl::IsUnavailable(status) && !has_tls) return "start one with ./kibitz serve, or leave out --server";
  if (absl::IsUnauthenticated(status))
    return "its operator gives you one: --key-file FILE, KIBITZ_KEY_FILE or KIBITZ_KEY";
  if (absl::IsPermissionDenied(status)) return "this needs a key that allows more: ask the server's operator";
  if (absl::IsDeadlineExceeded(status)) return "allow more time with --timeout";
  if (RetryDelay(status)) return "the server is full; analyze and perft wait with --wait SECONDS";
  if (absl::IsResourceExhausted(status)) return "the server is full; without --server this machine does the work";
  return "";
}

}  // namespace

ExitCode ReportFailure(const absl::Status& status, bool interrupted, std::string_view where) {
  if (interrupted) {
    std::fputs("interrupted\n", stderr);
    return kExitInterrupted;
  }
  const std::string message(status.message());
  // Advice below each bad line of a file would drown the file's own faults.
  const bool one_of_many = !where.empty() && absl::IsInvalidArgument(status);
  PrintError(fmt::format("{}{}", where, message), one_of_many ? "" : HintFor(status));
  return kExitFailed;
}

}  // namespace kibitz::client
