// How a training went, as a picture.

#ifndef KIBITZ_ENGINE_TUNING_LOSS_PICTURE_H_
#define KIBITZ_ENGINE_TUNING_LOSS_PICTURE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace kibitz::tuning {

struct LossPoint {
  std::int64_t positions = 0;  // learnt from so far
  double loss = 0;
  double validation_loss = 0;
  double rate = 0;  // of learning
};

// A table of points, with tabs, below a line of names; and the points of such a text. A line that is no point ends it.
std::string LossTableHead();
std::string LossTableLine(const LossPoint& point);
std::vector<LossPoint> ReadLossTable(absl::string_view text);

// Both losses over the positions, as SVG.
std::string LossPicture(const std::vector<LossPoint>& points);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_LOSS_PICTURE_H_
