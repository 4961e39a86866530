// Whose turn it is among those who share something by weight.

#ifndef KIBITZ_SERVER_SCHEDULER_FAIR_SHARES_H_
#define KIBITZ_SERVER_SCHEDULER_FAIR_SHARES_H_

#include <chrono>
#include <set>

namespace kibitz::server {

// Each share has a time of its own, which runs while it has turns, and the slower the greater its weight is. Who is
// furthest behind is next. A share that has not asked for as much as it might have is not owed it later, but for a
// little, so that it is answered at once when it comes back.
//
// Its owner's lock guards it and the shares. Memory is asked for when a share is made, and never after that.
class FairShares {
 public:
  using Duration = std::chrono::nanoseconds;

  class Share {
   private:
    struct Behind {
      bool operator()(const Share* one, const Share* other) const;
    };
    using Order = std::set<Share*, Behind>;

   public:
    explicit Share(int weight = 1);
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    // From now on. Twice the weight is twice the turns.
    void set_weight(int weight) { weight_ = weight > 1 ? weight : 1; }

   private:
    friend class FairShares;

    int weight_;
    Duration time_{0};
    Order::node_type node_;  // empty while it waits
    Order::iterator place_;  // while it does
  };

  // The most that a share is owed for a time in which it asked for less: so much of all there is to share.
  static constexpr Duration kMaxCredit = std::chrono::milliseconds(50);

  // `capacity` is how many turns are taken at the same time.
  explicit FairShares(int capacity) : capacity_(capacity) {}

  // It wants a turn, or wants none any more. Said twice it means the same.
  void Wait(Share& share);
  void Leave(Share& share);
  // The one that waits and is furthest behind; nullptr: none waits.
  Share* Next() const { return order_.empty() ? nullptr : *order_.begin(); }

  // A turn begins that will be so long. It counts from now on: others may have theirs meanwhile.
  void Begin(Share& share, Duration length);
  // It has ended with so much of it left; less than nothing: it was longer.
  void End(Share& share, Duration unused) { Add(share, -unused); }

  bool IsBehind(const Share& one, const Share& other) const { return one.time_ < other.time_; }

 private:
  using Order = Share::Order;

  static bool Waits(const Share& share) { return share.node_.empty(); }
  void Add(Share& share, Duration used);

  const int capacity_;
  Order order_;       // those that wait
  Duration time_{0};  // of the share that had the last turn, before it
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_SCHEDULER_FAIR_SHARES_H_
