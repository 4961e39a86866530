// By when places come free, as far as is known.

#ifndef KIBITZ_SERVER_SCHEDULER_END_TIMES_H_
#define KIBITZ_SERVER_SCHEDULER_END_TIMES_H_

#include <chrono>
#include <optional>
#include <set>

namespace kibitz::server {

// Its owner's lock guards it and the entries. Memory is asked for when an entry is made, and never after that.
class EndTimes {
 private:
  using Order = std::multiset<std::chrono::steady_clock::time_point>;

 public:
  using Time = std::chrono::steady_clock::time_point;

  // One who has a place.
  class Entry {
   public:
    Entry();

   private:
    friend class EndTimes;
    Order::node_type node_;  // empty while it has one
    Order::iterator place_;  // while it does
  };

  // It leaves its place at that time at the latest; Time::max(): it is not known when.
  void Set(Entry& entry, Time latest);
  // Does nothing to one that has no place.
  void Remove(Entry& entry);

  // By when a place is sure to come free. Who asks after this is told of the next place, so that those who come back
  // when they were told to do not all come for the same one; after the last it begins anew. nullopt: nothing is known.
  std::optional<Time> Promise(Time now);

 private:
  Order order_;
  Time promised_ = Time::min();  // last
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_END_TIMES_H_
