#include "client/http/line_stream.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace kibitz::client::http {
namespace {

// Of an answer that is no success.
constexpr std::size_t kMaxErrorBytes = 64 << 10;

bool IsBlank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

bool LineSplitter::Add(std::string_view bytes, std::deque<std::string>& lines) {
  while (true) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    if (rest_.size() + part.size() > max_) return false;
    rest_ += part;
    if (end == std::string_view::npos) return true;
    if (rest_.ends_with('\r')) rest_.pop_back();
    lines.push_back(std::exchange(rest_, {}));
    bytes.remove_prefix(end + 1);
  }
}

LineStream::LineStream(const LineStreamOptions& options, std::stop_token stop, std::string host)
    : options_(options), stop_(std::move(stop)), host_(std::move(host)), splitter_(options.max_line_bytes) {}

TransferEvents LineStream::Events() {
  return {.on_head =
              [this](const ResponseHead& head) {
                std::lock_guard lock(mutex_);
                head_ = Response{head};
                changed_.notify_all();
              },
          .on_data = [this](std::string_view data) { return TakeData(data); },
          .on_end =
              [this](const absl::Status& status) {
                std::lock_guard lock(mutex_);
                if (!end_) end_ = OutcomeOf(status);
                changed_.notify_all();
              }};
}

bool LineStream::TakeData(std::string_view data) {
  std::lock_guard lock(mutex_);
  if (end_) return true;
  if (!head_->IsSuccess()) {
    head_->body.append(data.substr(0, kMaxErrorBytes - head_->body.size()));
    return true;
  }
  if (unread_bytes_ >= options_.max_unread_bytes) {
    paused_ = true;
    return false;
  }
  std::deque<std::string> lines;
  if (!splitter_.Add(data, lines)) {
    end_ = absl::ResourceExhaustedError(
        absl::StrCat(host_, " sent a line of more than ", options_.max_line_bytes, " bytes"));
  }
  for (std::string& line : lines) {
    if (IsBlank(line)) continue;
    unread_bytes_ += line.size();
    lines_.push_back(std::move(line));
  }
  changed_.notify_all();
  return true;
}

// A line without its end is half a line: the server has not meant to stop there.
absl::Status LineStream::OutcomeOf(const absl::Status& end) const {
  if (!end.ok()) return end;
  if (!IsBlank(splitter_.rest())) return absl::UnavailableError(absl::StrCat(host_, " broke off within a line"));
  return absl::OutOfRangeError(absl::StrCat(host_, " has ended the stream"));
}

absl::StatusOr<Response> LineStream::AwaitHead() {
  std::unique_lock lock(mutex_);
  const auto is_known = [&] { return end_ || (head_ && head_->IsSuccess()); };
  if (!changed_.wait(lock, stop_, is_known)) return absl::CancelledError("the stream was given up");
  if (head_) return *head_;
  return *end_;
}

absl::StatusOr<std::string> LineStream::Next(absl::Time until) {
  std::unique_lock lock(mutex_);
  const auto is_there = [&] { return !lines_.empty() || end_; };
  const bool there = until == absl::InfiniteFuture()
                         ? changed_.wait(lock, stop_, is_there)
                         : changed_.wait_until(lock, stop_, absl::ToChronoTime(until), is_there);
  if (stop_.stop_requested()) return absl::CancelledError("the stream was given up");
  if (!there) return absl::DeadlineExceededError(absl::StrCat(host_, " has said nothing new"));
  if (lines_.empty()) return *end_;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  unread_bytes_ -= line.size();
  if (paused_ && unread_bytes_ < options_.max_unread_bytes / 2) {
    paused_ = false;
    transfer_->Resume();
  }
  return line;
}

}  // namespace kibitz::client::http
