#include "client/cli/progress.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "absl/time/time.h"
#include "client/cli/console.h"
#include "client/cli/quantity.h"

namespace kibitz::client {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr char kWipeLine[] = "\r\x1b[K";

void Draw(const std::string& text) {
  std::fputs((kWipeLine + text).c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(int moves) : moves_(moves), start_(std::chrono::steady_clock::now()) {
  if (IsTerminal(stderr)) artist_ = std::thread([this] { DrawUntilDone(); });
}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  if (artist_.joinable()) artist_.join();
}

void Progress::Add(std::uint64_t nodes) {
  std::lock_guard lock(mutex_);
  ++counted_;
  nodes_ += nodes;
}

void Progress::DrawUntilDone() {
  bool drawn = false;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kRedraw, [this] { return done_; })) {
    const absl::Duration elapsed = absl::FromChrono(std::chrono::steady_clock::now() - start_);
    Draw(fmt::format("{} of {} moves, {} nodes, {}/s, {}", counted_, moves_, WithCommas(nodes_),
                     Rounded(static_cast<double>(nodes_) / absl::ToDoubleSeconds(elapsed)), Rounded(elapsed)));
    drawn = true;
  }
  if (drawn) Draw("");
}

}  // namespace kibitz::client
