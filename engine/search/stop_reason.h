// Why a search has ended.

#ifndef KIBITZ_ENGINE_SEARCH_STOP_REASON_H_
#define KIBITZ_ENGINE_SEARCH_STOP_REASON_H_

#include <cstdint>

namespace kibitz {

enum class StopReason : std::uint8_t {
  kNone,  // it has not
  kDepth,
  kNodes,
  kTime,
  kMate,
  kStopped,  // somebody stopped it
  kNoLegalMoves,
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_STOP_REASON_H_
