// Any bytes as moves in algebraic notation.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/san.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TryMoves(absl::string_view(reinterpret_cast<const char*>(data), size), ParseSan,
           [](const Position& position, Move move) { return ToSan(position, move); });
  return 0;
}

}  // namespace kibitz
