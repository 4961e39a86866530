#include "server/analysis/search_memories.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace kibitz::server {
namespace {

constexpr SearchMemories::Game kNoGame = 0;

// Idle for so long, a memory that no game waits for is given back, and one of a game.
constexpr std::chrono::seconds kKeptForAny{10};
constexpr std::chrono::minutes kKeptForGame{10};

}  // namespace

SearchMemories::Game SearchMemories::NewGame() {
  std::lock_guard lock(mutex_);
  return ++games_;
}

SearchMemories::Lease SearchMemories::Take(Game game, int worker) {
  const Key key{game, game == kNoGame ? 0 : worker};
  Owned owned;
  bool remembers = false;
  {
    std::lock_guard lock(mutex_);
    const auto own = game == kNoGame ? by_key_.end() : by_key_.find(key);
    remembers = own != by_key_.end();
    owned = remembers ? Remove(own->second) : TakeAny();
  }
  if (owned.memory == nullptr) {
    if (owned.lease == nullptr) return nullptr;
    owned.memory = std::make_unique<SearchMemory>();
  } else if (!remembers) {
    owned.memory->Clear();
  }
  SearchMemory* const memory = owned.memory.get();
  // The deleter must be copyable.
  const auto shared = std::make_shared<Owned>(std::move(owned));
  return Lease(memory, [this, key, shared](SearchMemory*) { GiveBack(key, std::move(*shared)); });
}

SearchMemories::Owned SearchMemories::Remove(IdleList::iterator idle) {
  const auto [first, last] = by_key_.equal_range(idle->key);
  by_key_.erase(std::find_if(first, last, [&](const auto& each) { return each.second == idle; }));
  Owned owned = std::move(idle->owned);
  idle_.erase(idle);
  return owned;
}

SearchMemories::Owned SearchMemories::TakeAny() {
  if (const auto free = by_key_.find({kNoGame, 0}); free != by_key_.end()) return Remove(free->second);
  Owned fresh{.lease = budget_.Take(SearchMemory::Bytes()), .memory = nullptr};
  if (fresh.lease == nullptr && !idle_.empty()) return Remove(idle_.begin());
  return fresh;
}

void SearchMemories::GiveBack(Key key, Owned owned) {
  Owned dropped;  // freed without the lock
  std::lock_guard lock(mutex_);
  idle_.push_back({key, Clock::now(), std::move(owned)});
  by_key_.emplace(key, std::prev(idle_.end()));
  if (idle_.size() * SearchMemory::Bytes() > max_idle_bytes_) dropped = Remove(idle_.begin());
}

void SearchMemories::Forget(Game game) {
  std::lock_guard lock(mutex_);
  const auto first = by_key_.lower_bound({game, 0});
  const auto last = by_key_.upper_bound({game, std::numeric_limits<int>::max()});
  std::vector<IdleList::iterator> orphans;
  for (auto each = first; each != last; ++each) orphans.push_back(each->second);
  for (const IdleList::iterator orphan : orphans) {
    const Clock::time_point since = orphan->since;
    idle_.push_front({{kNoGame, 0}, since, Remove(orphan)});
    by_key_.emplace(Key{kNoGame, 0}, idle_.begin());
  }
}

void SearchMemories::Trim(Clock::time_point now) {
  std::list<Owned> dropped;  // freed without the lock
  std::lock_guard lock(mutex_);
  for (auto idle = idle_.begin(); idle != idle_.end();) {
    const auto next = std::next(idle);
    const Clock::duration kept =
        idle->key.first == kNoGame ? Clock::duration(kKeptForAny) : Clock::duration(kKeptForGame);
    if (now - idle->since > kept) dropped.push_back(Remove(idle));
    idle = next;
  }
}

std::size_t SearchMemories::idle() const {
  std::lock_guard lock(mutex_);
  return idle_.size();
}

}  // namespace kibitz::server
