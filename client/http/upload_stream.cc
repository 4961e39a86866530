#include "client/http/upload_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kibitz::client::http {

UploadStream::UploadStream(UploadStreamOptions options, std::stop_token stop)
    : options_(std::move(options)), stop_(std::move(stop)) {}

TransferEvents UploadStream::Events() {
  return {.on_head =
              [this](const ResponseHead& head) {
                {
                  std::lock_guard lock(mutex_);
                  response_ = Response{head};
                }
                Close();
              },
          .on_data =
              [this](std::string_view data) {
                constexpr std::size_t kMaxBytes = 64 << 10;
                std::lock_guard lock(mutex_);
                response_.body.append(data.substr(0, kMaxBytes - std::min(kMaxBytes, response_.body.size())));
                return true;
              },
          .read_body = [this](char* buffer, std::size_t size) { return Read(buffer, size); },
          .on_end =
              [this](const absl::Status& status) {
                {
                  std::lock_guard lock(mutex_);
                  end_ = status;
                  changed_.notify_all();
                }
                Close();
              }};
}

std::optional<std::size_t> UploadStream::Read(char* buffer, std::size_t size) {
  std::lock_guard lock(mutex_);
  if (unsent_.empty()) return finishing_ ? std::optional<std::size_t>(0) : std::nullopt;
  const std::size_t count = std::min(size, unsent_.size());
  std::memcpy(buffer, unsent_.data(), count);
  unsent_.erase(0, count);
  return count;
}

void UploadStream::Close() {
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true)) return;
    unsent_.clear();
  }
  if (options_.on_closed) options_.on_closed();
}

UploadStream::Written UploadStream::Write(std::string_view bytes) {
  std::lock_guard lock(mutex_);
  if (closed_ || finishing_) return Written::kClosed;
  if (unsent_.size() + bytes.size() > options_.max_unsent_bytes) return Written::kNoRoom;
  const bool was_empty = unsent_.empty();
  unsent_ += bytes;
  if (was_empty) transfer_->Resume();
  return Written::kYes;
}

absl::StatusOr<Response> UploadStream::Finish(absl::Duration timeout) {
  std::unique_lock lock(mutex_);
  finishing_ = true;
  transfer_->Resume();
  const bool ended =
      changed_.wait_for(lock, stop_, absl::ToChronoNanoseconds(timeout), [&] { return end_.has_value(); });
  if (!ended && stop_.stop_requested()) return absl::CancelledError("the upload was given up");
  if (!ended) return absl::DeadlineExceededError("the server did not answer an upload in time");
  // What came after the head is of no importance.
  if (response_.status != 0) return response_;
  return end_->ok() ? absl::UnavailableError("the server closed without an answer") : *end_;
}

}  // namespace kibitz::client::http
