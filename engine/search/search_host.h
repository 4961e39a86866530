// Whoever lends a search its threads.

#ifndef KIBITZ_ENGINE_SEARCH_SEARCH_HOST_H_
#define KIBITZ_ENGINE_SEARCH_SEARCH_HOST_H_

#include <cstdint>

namespace kibitz {

// How many nodes a worker searches between two checkpoints, but for the last of them.
inline constexpr std::int64_t kCheckpointNodes = 1024;

// Where a worker's thread comes by between two lots of nodes. A scheduler lets others run there: the call may block for
// long, and the search goes on after it as if nothing had happened.
class SearchHost {
 public:
  virtual ~SearchHost() = default;
  virtual void Checkpoint() {}
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_SEARCH_SEARCH_HOST_H_
