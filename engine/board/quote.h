// Somebody's text inside an error message: short, on one line, printable.

#ifndef KIBITZ_ENGINE_BOARD_QUOTE_H_
#define KIBITZ_ENGINE_BOARD_QUOTE_H_

#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kibitz {

inline std::string Quote(absl::string_view text) {
  constexpr std::size_t kMaxLength = 40;
  const bool cut = text.size() > kMaxLength;
  const absl::string_view shown = text.substr(0, kMaxLength);
  return absl::StrCat("'", absl::CHexEscape(shown), cut ? "...'" : "'");
}

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_BOARD_QUOTE_H_
