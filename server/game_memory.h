// What the searches of one game remember from move to move.

#ifndef KIBITZ_SERVER_GAME_MEMORY_H_
#define KIBITZ_SERVER_GAME_MEMORY_H_

#include <memory>
#include <vector>

#include "engine/engine.h"

namespace kibitz::server {

// A memory for each worker of a search. One search at a time; its workers may use it at once.
class GameMemory {
 public:
  explicit GameMemory(int max_workers) : memories_(static_cast<std::size_t>(max_workers)) {}

  // The memory of one worker, the same for each search. Made when it is first wanted.
  SearchMemory& Of(int worker) {
    std::unique_ptr<SearchMemory>& memory = memories_[static_cast<std::size_t>(worker)];
    if (memory == nullptr) memory = std::make_unique<SearchMemory>();
    return *memory;
  }

  // For another game. Not while a search runs.
  void Clear() {
    for (auto& memory : memories_) {
      if (memory != nullptr) memory->Clear();
    }
  }

 private:
  std::vector<std::unique_ptr<SearchMemory>> memories_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_GAME_MEMORY_H_
