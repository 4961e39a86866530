#include "engine/board/perft.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/board/generator.h"
#include "engine/board/movegen.h"
#include "engine/board/perft_last_plies.h"
#include "engine/board/perft_table.h"
#include "engine/board/play.h"

namespace kibitz {
namespace {

// How often to come to the checkpoint: a subtree of this depth takes far less than a millisecond.
constexpr int kStopDepth = 3;

// The leaf nodes that all threads may count together.
struct Allowance {
  const std::uint64_t max;
  std::atomic<std::uint64_t> used{0};
  std::atomic<bool> exceeded{false};
};

// What one thread's recursion carries along.
struct Walk {
  PerftTable* const table;
  const std::atomic<bool>* const stop;
  const std::function<void()>& checkpoint;
  std::atomic<bool>& overflow;  // shared: one thread's sum that does not fit ends the others' work too
  Allowance& allowance;
  bool stopped = false;

  // Whether the count has failed, so that no number means anything any more.
  bool Failed() const {
    return stopped || overflow.load(std::memory_order_relaxed) || allowance.exceeded.load(std::memory_order_relaxed);
  }
  // So many leaves more were counted, or found in the table.
  void Use(std::uint64_t nodes) {
    if (allowance.used.fetch_add(nodes, std::memory_order_relaxed) + nodes > allowance.max) allowance.exceeded = true;
  }
  void Checkpoint() {
    checkpoint();
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) stopped = true;
  }
};

template <Color kUs>
std::uint64_t CountBelow(const Board& board, int depth, Walk& walk);

// Plays each move it is handed, and has `descend` look at the board after it.
template <Color kUs, typename Descend>
class DescendingSink {
 public:
  DescendingSink(const Board& board, Descend descend) : board_(board), descend_(std::move(descend)) {}

  template <PieceType kType>
  void Moves(Square from, Bitboard targets) {
    for (Square to : Squares(targets)) descend_(AfterMove<kUs>(board_, kType, from, to));
  }
  template <int kDelta>
  void PawnMoves(Bitboard targets) {
    for (Square to : Squares(targets)) {
      const Square from = Offset(to, -kDelta);
      if constexpr (kDelta == 2 * Up(kUs)) {
        descend_(AfterDoublePush<kUs>(board_, from, to));
      } else {
        descend_(AfterMove<kUs>(board_, PieceType::kPawn, from, to));
      }
    }
  }
  template <int kDelta>
  void Promotions(Bitboard targets) {
    for (Square to : Squares(targets)) {
      for (PieceType type : {PieceType::kKnight, PieceType::kBishop, PieceType::kRook, PieceType::kQueen}) {
        descend_(AfterMove<kUs>(board_, type, Offset(to, -kDelta), to));
      }
    }
  }
  void EnPassant(Square from) { descend_(AfterEnPassant<kUs>(board_, from)); }
  void Castle(Square king, Square rook) { descend_(AfterCastling<kUs>(board_, king, rook)); }

 private:
  const Board& board_;
  Descend descend_;
};

template <Color kUs, typename Descend>
void ForEachBoardAfter(const Board& board, Descend descend) {
  DescendingSink<kUs, Descend> sink(board, std::move(descend));
  Generate<kUs>(board, sink);
}

template <Color kUs>
std::uint64_t CountPlies(const Board& board, int depth, Walk& walk) {
  std::uint64_t nodes = 0;
  ForEachBoardAfter<kUs>(board, [&](const Board& next) {
    const std::uint64_t below = CountBelow<~kUs>(next, depth - 1, walk);
    if (__builtin_add_overflow(nodes, below, &nodes)) walk.overflow.store(true, std::memory_order_relaxed);
  });
  return nodes;
}

// The count below a board whose key is known, from the table or into it.
template <typename CountAnew>
std::uint64_t CountHashed(Key key, int depth, Walk& walk, CountAnew count) {
  if (const std::optional<std::uint64_t> known = walk.table->Find(key, depth)) {
    if (depth >= kStopDepth) walk.Use(*known);
    return *known;
  }
  const std::uint64_t nodes = count();
  if (!walk.Failed()) walk.table->Store(key, depth, nodes);
  return nodes;
}

// Three plies with a table: all the boards after one ply are asked for before the first of them is looked up.
template <Color kUs>
std::uint64_t CountThreePliesHashed(const Board& board, Walk& walk) {
  struct Next {
    Board board;
    Key key;
  };
  // Not initialised: that would take longer than the moves.
  alignas(Next) std::byte memory[kMaxMoves * sizeof(Next)];
  Next* const first = reinterpret_cast<Next*>(memory);
  Next* last = first;
  ForEachBoardAfter<kUs>(board, [&](const Board& next) {
    const Key key = PerftTable::KeyOf(next);
    walk.table->Prefetch(key);
    new (last++) Next{next, key};
  });
  std::uint64_t nodes = 0;
  for (const Next* next = first; next != last; ++next) {
    nodes += CountHashed(next->key, 2, walk, [&] { return CountTwoPlies<~kUs>(next->board); });
  }
  return nodes;
}

template <Color kUs>
std::uint64_t CountAnew(const Board& board, int depth, Walk& walk) {
  if (depth == 2) return CountTwoPlies<kUs>(board);
  const bool gathered = depth == 3 && walk.table != nullptr;
  const std::uint64_t nodes = gathered ? CountThreePliesHashed<kUs>(board, walk) : CountPlies<kUs>(board, depth, walk);
  // What lies deeper has been added up already; what lies less deep is added here.
  if (depth == kStopDepth) walk.Use(nodes);
  return nodes;
}

template <Color kUs>
std::uint64_t CountBelow(const Board& board, int depth, Walk& walk) {
  if (depth == 1) return CountMoves<kUs>(board);
  if (depth >= kStopDepth) {
    walk.Checkpoint();
    if (walk.Failed()) return 0;
  }
  const auto count_anew = [&] { return CountAnew<kUs>(board, depth, walk); };
  if (walk.table == nullptr) return count_anew();
  return CountHashed(PerftTable::KeyOf(board), depth, walk, count_anew);
}

std::uint64_t CountBelow(const Board& board, int depth, Walk& walk) {
  if (depth == 0) return 1;
  return board.side_to_move == Color::kWhite ? CountBelow<Color::kWhite>(board, depth, walk)
                                             : CountBelow<Color::kBlack>(board, depth, walk);
}

}  // namespace

// Divides a count among threads: the tree is cut two plies below its root, which gives hundreds of pieces, and each
// thread takes the next piece when it is done with one.
class PerftCount::Impl {
 public:
  Impl(const Position& position, int depth, const PerftOptions& options) : options_(options) {
    if (depth == 0) {
      total_ = 1;
      return;
    }
    for (Move move : LegalMoves(position)) Split(After(position.board(), move), move, depth - 1);
    if (options.hash_mb > 0) table_ = std::make_unique<PerftTable>(std::min(options.hash_mb, UsefulMegabytes(depth)));
  }

  void Work(const std::function<void()>& checkpoint) {
    Walk walk{.table = table_.get(),
              .stop = options_.stop,
              .checkpoint = checkpoint,
              .overflow = overflow_,
              .allowance = allowance_};
    for (std::size_t i = next_piece_++; i < pieces_.size(); i = next_piece_++) {
      const std::uint64_t nodes = CountBelow(pieces_[i].board, pieces_[i].depth, walk);
      const std::lock_guard lock(mutex_);
      stopped_ |= walk.stopped;
      if (stopped_ || overflow_ || allowance_.exceeded) return;
      Finish(roots_[pieces_[i].root], nodes);
    }
  }

  absl::StatusOr<std::uint64_t> Result() const {
    const std::lock_guard lock(mutex_);
    if (overflow_) return absl::OutOfRangeError("the count does not fit 64 bits");
    if (stopped_) return absl::CancelledError("the count was stopped");
    if (allowance_.exceeded) {
      return absl::ResourceExhaustedError(absl::StrCat("there are more than ", allowance_.max, " nodes"));
    }
    return total_;
  }

 private:
  struct RootMove {
    Move move;
    std::uint64_t nodes = 0;
    int open_pieces = 0;
  };
  struct Piece {
    Board board;
    int depth;
    std::size_t root;
  };

  // The size of a table that holds about every count there is to keep: those of two plies and more. What is never
  // filled would still be touched everywhere, and the system is slow to hand memory out.
  std::size_t UsefulMegabytes(int depth) const {
    constexpr double kEntriesPerMegabyte = 1 << 16;
    const double pairs = (depth - 2) / 2.0;  // of plies, as many as the pieces are for one
    const double counts = std::pow(static_cast<double>(pieces_.size()), pairs);
    return static_cast<std::size_t>(std::clamp(counts / kEntriesPerMegabyte, 1.0, 1e9));
  }

  void Split(const Board& after, Move move, int depth) {
    const std::size_t root = roots_.size();
    const std::size_t first = pieces_.size();
    const MoveList answers = LegalMoves(after);
    if (depth < kStopDepth || answers.empty()) {
      pieces_.push_back({after, depth, root});
    } else {
      for (Move answer : answers) pieces_.push_back({After(after, answer), depth - 1, root});
    }
    roots_.push_back({move, 0, static_cast<int>(pieces_.size() - first)});
  }

  void Finish(RootMove& root, std::uint64_t nodes) {
    if (__builtin_add_overflow(total_, nodes, &total_)) overflow_ = true;
    root.nodes += nodes;
    const bool complete = --root.open_pieces == 0;
    if (complete && !overflow_ && options_.on_root_move) options_.on_root_move(root.move, root.nodes);
  }

  const PerftOptions& options_;
  std::unique_ptr<PerftTable> table_;
  std::vector<RootMove> roots_;
  std::vector<Piece> pieces_;
  std::atomic<std::size_t> next_piece_{0};
  std::atomic<bool> overflow_{false};
  Allowance allowance_{.max = options_.max_nodes};
  mutable std::mutex mutex_;  // guards what follows, and the roots once threads run
  std::uint64_t total_ = 0;
  bool stopped_ = false;
};

PerftCount::PerftCount(const Position& position, int depth, const PerftOptions& options)
    : impl_(std::make_unique<Impl>(position, depth, options)) {}
PerftCount::~PerftCount() = default;
void PerftCount::Work(const std::function<void()>& checkpoint) { impl_->Work(checkpoint); }
absl::StatusOr<std::uint64_t> PerftCount::Result() const { return impl_->Result(); }

absl::StatusOr<std::uint64_t> Perft(const Position& position, int depth, const PerftOptions& options) {
  if (depth < 0 || depth > kMaxPerftDepth) {
    return absl::OutOfRangeError(absl::StrCat("depth must be from 0 to ", kMaxPerftDepth));
  }
  PerftCount count(position, depth, options);
  std::vector<std::thread> helpers;
  for (int i = 1; i < options.threads; ++i) helpers.emplace_back([&] { count.Work(); });
  count.Work();
  for (std::thread& helper : helpers) helper.join();
  return count.Result();
}

}  // namespace kibitz
