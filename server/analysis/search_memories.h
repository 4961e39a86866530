// The memory that searches work in: what they learn about moves, for the next move of the same game if there is one.

#ifndef KIBITZ_SERVER_ANALYSIS_SEARCH_MEMORIES_H_
#define KIBITZ_SERVER_ANALYSIS_SEARCH_MEMORIES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/engine.h"
#include "server/memory/memory_budget.h"

namespace kibitz::server {

// Lends memories out, and keeps those that come back for whoever wants them next. A game finds the memory of its last
// search again, unless others needed it meanwhile: so a game that nobody plays costs nothing that is missed elsewhere.
//
// All methods may be called from any thread. It must outlive what it lends.
class SearchMemories {
 public:
  using Clock = std::chrono::steady_clock;
  // A game, as its session names it. 0: none, the search stands alone.
  using Game = std::uint64_t;

  // Goes back when the last copy goes.
  using Lease = std::shared_ptr<SearchMemory>;

  // What lies idle is at most `max_idle_bytes` large.
  SearchMemories(MemoryBudget& budget, std::size_t max_idle_bytes) : budget_(budget), max_idle_bytes_(max_idle_bytes) {}

  // A name for a new game.
  Game NewGame();

  // A memory for one worker of a search: with what it learnt in this game if that is still there, otherwise with
  // nothing in it. nullptr when the budget is used up.
  Lease Take(Game game, int worker);

  // Nobody will ask for the memories of this game again.
  void Forget(Game game);

  // Gives back to the system what has been idle for long. To be called now and then.
  void Trim(Clock::time_point now);

  std::size_t idle() const;

 private:
  using Key = std::pair<Game, int>;
  struct Owned {
    MemoryBudget::Lease lease;
    std::unique_ptr<SearchMemory> memory;
  };
  struct Idle {
    Key key;
    Clock::time_point since;
    Owned owned;
  };
  using IdleList = std::list<Idle>;

  // Takes from the list, which has it. Under the lock.
  Owned Remove(IdleList::iterator idle);
  // What another may use: something of no game, something new, or what has been idle for longest.
  Owned TakeAny();
  void GiveBack(Key key, Owned owned);

  MemoryBudget& budget_;
  const std::size_t max_idle_bytes_;
  mutable std::mutex mutex_;  // guards what follows
  Game games_ = 0;
  IdleList idle_;  // longest first
  std::multimap<Key, IdleList::iterator> by_key_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_ANALYSIS_SEARCH_MEMORIES_H_
