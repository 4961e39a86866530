// Any bytes as moves in UCI notation.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"
#include "tests/fuzz/fuzz_support.h"

namespace kibitz {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  TryMoves(absl::string_view(reinterpret_cast<const char*>(data), size), ParseUciMove,
           [](const Position& position, Move move) { return ToUci(move, position.variant()); });
  return 0;
}

}  // namespace kibitz
