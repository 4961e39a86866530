#include "client/lichess/bot/kept_stream.h"

#include <algorithm>
#include <utility>

#include "client/http/clock.h"

namespace kibitz::client::lichess {
namespace {

// A stream that has lasted so long was worth opening.
constexpr absl::Duration kGoodLife = absl::Seconds(2);

// What does not pass by waiting.
bool IsFinal(const absl::Status& status) {
  return absl::IsNotFound(status) || absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status) ||
         absl::IsInvalidArgument(status) || absl::IsFailedPrecondition(status);
}

}  // namespace

KeptStream::KeptStream(Open open, Events events, const http::BackoffOptions& backoff)
    : open_(std::move(open)),
      events_(std::move(events)),
      backoff_(backoff),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

KeptStream::~KeptStream() = default;

void KeptStream::Reopen() {
  const std::lock_guard lock(mutex_);
  attempt_.request_stop();
}

std::stop_source KeptStream::NewAttempt() {
  const std::lock_guard lock(mutex_);
  attempt_ = std::stop_source();
  return attempt_;
}

void KeptStream::Run(const std::stop_token& stop) {
  http::Backoff backoff(backoff_);
  while (!stop.stop_requested()) {
    std::stop_source attempt = NewAttempt();
    const std::stop_callback both(stop, [&] { attempt.request_stop(); });
    const absl::Status end = ReadOne(attempt.get_token(), backoff);
    if (stop.stop_requested()) return;
    if (IsFinal(end)) return events_.on_refused(end);
    // Whoever asked for another stream wants it now.
    if (attempt.stop_requested()) continue;
    events_.on_lost(end);
    if (!http::RealClock().WaitFor(backoff.Next(), stop)) return;
  }
}

absl::Status KeptStream::ReadOne(const std::stop_token& stop, http::Backoff& backoff) {
  const auto stream = open_(stop);
  if (!stream.ok()) return stream.status();
  events_.on_open();
  const absl::Time began = http::RealClock().Now();
  while (true) {
    absl::StatusOr<std::string> line = (*stream)->Next();
    if (!line.ok()) {
      // One that ends soon, though it has said something, is no success: another program may have the same token, and
      // of two streams of an account's events Lichess ends the older.
      if (http::RealClock().Now() - began >= std::min(backoff_.longest, kGoodLife)) backoff.Reset();
      return line.status();
    }
    events_.on_line(*std::move(line));
  }
}

}  // namespace kibitz::client::lichess
