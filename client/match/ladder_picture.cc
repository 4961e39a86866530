#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "client/match/ladder.h"

namespace kibitz::client {
namespace {

constexpr int kWidth = 760;
constexpr int kNameWidth = 170;
constexpr int kFigureWidth = 100;
constexpr int kRowHeight = 28;
constexpr int kTop = 44;

// The part of the scale that is shown, in whole steps.
struct Scale {
  double low = 0;
  double high = 0;
  double step = 100;

  explicit Scale(const std::vector<Rung>& rungs) {
    for (const Rung& rung : rungs) {
      // An error beyond all measure must not squeeze the others.
      const double error = std::min(rung.rating.error, 400.0);
      low = std::min(low, rung.rating.value - error);
      high = std::max(high, rung.rating.value + error);
    }
    if (high - low > 1000) step = 200;
    low = std::floor(low / step) * step;
    high = std::max(low + step, std::ceil(high / step) * step);
  }

  double X(double elo) const {
    const double share = (std::clamp(elo, low, high) - low) / (high - low);
    return kNameWidth + share * (kWidth - kNameWidth - kFigureWidth);
  }
};

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
}

std::string Axis(const Scale& scale, int bottom) {
  std::string text;
  for (double elo = scale.low; elo <= scale.high; elo += scale.step) {
    absl::StrAppendFormat(&text,
                          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>\n"
                          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" class=\"faint\">%+.0f</text>\n",
                          scale.X(elo), kTop - 8, scale.X(elo), bottom, elo == 0 ? "#57606a" : "#d0d7de", scale.X(elo),
                          kTop - 16, elo + 0.0);
  }
  return text;
}

std::string Row(const Rung& rung, const Scale& scale, int y, bool is_anchor) {
  const char* colour = is_anchor ? "#bc4c00" : "#0969da";
  const double x = scale.X(rung.rating.value);
  std::string text = absl::StrFormat("<text x=\"%d\" y=\"%d\" text-anchor=\"end\"%s>%s</text>\n", kNameWidth - 12,
                                     y + 5, is_anchor ? " font-weight=\"bold\"" : "", Escaped(rung.name));
  absl::StrAppendFormat(&text,
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n"
                        "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\" fill=\"%s\"/>\n",
                        scale.X(rung.rating.value - rung.rating.error), y,
                        scale.X(rung.rating.value + rung.rating.error), y, colour, x, y, colour);
  const std::string figure = is_anchor ? "0" : absl::StrFormat("%+.0f ± %.0f", rung.rating.value, rung.rating.error);
  absl::StrAppendFormat(&text, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" class=\"faint\">%s</text>\n", kWidth - 8,
                        y + 5, figure);
  return text;
}

}  // namespace

std::string LadderPicture(const std::vector<Rung>& rungs, const std::string& anchor) {
  const Scale scale(rungs);
  const int bottom = kTop + kRowHeight * static_cast<int>(rungs.size());
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
      "<title>Elo differences to %s, with 95 %% error bars</title>\n"
      "<style>text { font: 14px sans-serif; fill: #24292f } .faint { font-size: 12px; fill: #57606a }</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
      kWidth, bottom + 8, kWidth, bottom + 8, Escaped(anchor));
  text += Axis(scale, bottom);
  int y = kTop + kRowHeight / 2;
  for (const Rung& rung : rungs) {
    text += Row(rung, scale, y, rung.name == anchor);
    y += kRowHeight;
  }
  return text + "</svg>\n";
}

}  // namespace kibitz::client
