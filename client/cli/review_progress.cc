#include "client/cli/review_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "client/cli/quantity.h"

namespace kibitz::client {
namespace {

constexpr int kMaxBar = 40;
constexpr int kTextRoom = 50;

}  // namespace

std::string ProgressText(const ReviewState& state, int width) {
  const v1::AnalyzeGameResponse::Progress& current = state.current;
  const double current_part =
      current.total_positions() > 0 ? static_cast<double>(current.positions()) / current.total_positions() : 0;
  const double done = std::clamp(state.files_share + state.current_share * current_part, 0.0, 1.0);
  const int bar = std::clamp(width - kTextRoom, 5, kMaxBar);
  const int filled = static_cast<int>(done * bar);
  const double seconds = absl::ToDoubleSeconds(FromProto(current.elapsed()));
  std::string text = fmt::format("[{:{}}] {:3.0f} %  {} game{}", std::string(filled, '='), bar, 100 * done, state.games,
                                 state.games == 1 ? "" : "s");
  if (seconds > 0) text += fmt::format("  {}/s", Rounded(static_cast<double>(current.nodes()) / seconds));
  if (done > 0.005) text += fmt::format("  {} left", Rounded(state.elapsed * ((1 - done) / done)));
  return text.substr(0, static_cast<std::size_t>(std::max(0, width - 1))) + "\n";
}

}  // namespace kibitz::client
