#include "engine/tuning/loss_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace kibitz::tuning {
namespace {

constexpr double kLeft = 70;
constexpr double kRight = 740;
constexpr double kTop = 40;
constexpr double kBottom = 300;

// From values to the picture's points: the positions to the right, the losses upwards, by their logarithm.
class Frame {
 public:
  explicit Frame(const std::vector<LossPoint>& points) {
    for (const LossPoint& point : points) {
      end_ = std::max(end_, static_cast<double>(point.positions));
      for (const double loss : {point.loss, point.validation_loss}) {
        if (!(loss > 0)) continue;
        low_ = std::min(low_, std::log(loss));
        high_ = std::max(high_, std::log(loss));
      }
    }
    if (low_ > high_) low_ = high_ = 0;
    high_ = std::max(high_, low_ + 0.01);
  }

  double X(double positions) const { return kLeft + positions / end_ * (kRight - kLeft); }
  double Y(double loss) const { return kBottom - (std::log(loss) - low_) / (high_ - low_) * (kBottom - kTop); }
  double end() const { return end_; }
  // The loss at a height, 0 to 1.
  double LossAt(double height) const { return std::exp(low_ + height * (high_ - low_)); }

 private:
  double end_ = 1;
  double low_ = 1e9;
  double high_ = -1e9;
};

std::string Curve(const std::vector<LossPoint>& points, const Frame& frame, double LossPoint::* loss,
                  const char* colour) {
  std::string line;
  for (const LossPoint& point : points) {
    if (!(point.*loss > 0)) continue;
    line += fmt::format("{:.1f},{:.1f} ", frame.X(static_cast<double>(point.positions)), frame.Y(point.*loss));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", line, colour);
}

std::string Axes(const Frame& frame) {
  constexpr int kSteps = 4;
  std::string text;
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    const double y = kBottom - share * (kBottom - kTop);
    text += fmt::format(
        "<line x1=\"{0}\" y1=\"{1:.1f}\" x2=\"{2}\" y2=\"{1:.1f}\" stroke=\"#d0d7de\"/>\n"
        "<text x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:.5f}</text>\n",
        kLeft, y, kRight, kLeft - 6, y + 4, frame.LossAt(share));
    text += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.0f} M</text>\n",
                        frame.X(share * frame.end()), kBottom + 18, share * frame.end() / 1e6);
  }
  return text;
}

}  // namespace

std::string LossTableHead() { return "positions\tloss\tvalidation loss\trate\n"; }

std::string LossTableLine(const LossPoint& point) {
  return fmt::format("{}\t{:.8f}\t{:.8f}\t{:.8f}\n", point.positions, point.loss, point.validation_loss, point.rate);
}

std::vector<LossPoint> ReadLossTable(absl::string_view text) {
  std::vector<LossPoint> points;
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n');
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<absl::string_view> cells = absl::StrSplit(lines[i], '\t');
    LossPoint point;
    if (cells.size() != 4 || !absl::SimpleAtoi(cells[0], &point.positions) ||
        !absl::SimpleAtod(cells[1], &point.loss) || !absl::SimpleAtod(cells[2], &point.validation_loss) ||
        !absl::SimpleAtod(cells[3], &point.rate)) {
      break;
    }
    points.push_back(point);
  }
  return points;
}

std::string LossPicture(const std::vector<LossPoint>& points) {
  const Frame frame(points);
  std::string text =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 330\" font-family=\"sans-serif\" font-size=\"12\" "
      "fill=\"#24292f\">\n<rect width=\"760\" height=\"330\" fill=\"#ffffff\"/>\n";
  text += fmt::format(
      "<text x=\"{}\" y=\"22\" fill=\"#0969da\">loss</text>\n"
      "<text x=\"{}\" y=\"22\" fill=\"#bc4c00\">of positions that are not learnt from</text>\n",
      kLeft, kLeft + 50);
  text += Axes(frame);
  text += Curve(points, frame, &LossPoint::loss, "#0969da");
  text += Curve(points, frame, &LossPoint::validation_loss, "#bc4c00");
  return text + "</svg>\n";
}

}  // namespace kibitz::tuning
