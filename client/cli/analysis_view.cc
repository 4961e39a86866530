#include "client/cli/analysis_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include "client/cli/analysis_text.h"
#include "client/cli/console.h"
#include "client/cli/json.h"

namespace kibitz::client {
namespace {

class JsonView final : public AnalysisView {
 public:
  void Show(const v1::AnalyzeResponse& event) override { Print(ToJsonLine(event)); }
};

class LinesView final : public AnalysisView {
 public:
  void Show(const v1::AnalyzeResponse& event) override {
    if (event.has_queued()) fmt::print(stderr, "waiting for a worker, place {}\n", event.queued().place());
    if (event.has_update()) ShowUpdate(event.update());
    if (event.has_final()) {
      ShowUpdate(event.final().result());
      Print(FinalLines(event.final(), palette_));
    }
  }

 private:
  void ShowUpdate(const v1::AnalysisUpdate& update) {
    // The end of a search often has nothing to add to its last update, nor has the news which move is searched now.
    std::string lines;
    for (const v1::Line& line : update.lines()) lines += line.SerializeAsString();
    if (std::exchange(shown_lines_, lines) == lines && update.depth() == shown_depth_) return;
    shown_depth_ = update.depth();
    Print(UpdateLines(update, palette_));
  }

  const Palette& palette_ = PaletteOf(stdout);
  std::string shown_lines_;
  int shown_depth_ = -1;
};

class LiveTableView final : public AnalysisView {
 public:
  void Show(const v1::AnalyzeResponse& event) override {
    if (event.has_queued()) Draw(fmt::format("waiting for a worker, place {}\n", event.queued().place()));
    if (event.has_update()) DrawTable(event.update());
    if (event.has_final()) {
      if (event.final().result().lines_size() > 0) DrawTable(event.final().result());
      Print(FinalLines(event.final(), palette_));
    }
  }

 private:
  void DrawTable(const v1::AnalysisUpdate& update) { Draw(LiveTable(update, palette_, SizeOf(stdout))); }

  // Goes back to where the last picture began and wipes it.
  void Draw(const std::string& picture) {
    const std::string back = height_ == 0 ? "" : fmt::format("\x1b[{}A\r\x1b[J", height_);
    height_ = std::count(picture.begin(), picture.end(), '\n');
    Print(back + picture);
  }

  const Palette& palette_ = PaletteOf(stdout);
  std::ptrdiff_t height_ = 0;
};

}  // namespace

std::unique_ptr<AnalysisView> MakeAnalysisView(bool json) {
  if (json) return std::make_unique<JsonView>();
  if (CanRedraw(stdout)) return std::make_unique<LiveTableView>();
  return std::make_unique<LinesView>();
}

}  // namespace kibitz::client
