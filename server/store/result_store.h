// Results of searches, kept for whoever asks next.

#ifndef KIBITZ_SERVER_STORE_RESULT_STORE_H_
#define KIBITZ_SERVER_STORE_RESULT_STORE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace kibitz::server {

// What a search has found, and how much went into it.
struct StoredResult {
  int lines = 1;  // that were asked for
  int depth = 0;
  std::int64_t nodes = 0;
  std::string engine;      // and its version
  std::string evaluation;  // the net's id, or "classical"
  std::chrono::system_clock::time_point found;
  std::string analysis;  // a kibitz.v1.AnalysisUpdate, in protobuf's bytes

  friend bool operator==(const StoredResult&, const StoredResult&) = default;
};

// What would do.
struct WantedResult {
  int lines = 1;  // at least
  int min_depth = 0;
  std::int64_t min_nodes = 0;
  // Of this engine and evaluation only; empty: any.
  std::string engine{};
  std::string evaluation{};
};

inline bool WouldDo(const StoredResult& result, const WantedResult& wanted) {
  return result.lines >= wanted.lines && result.depth >= wanted.min_depth && result.nodes >= wanted.min_nodes &&
         (wanted.engine.empty() || result.engine == wanted.engine) &&
         (wanted.evaluation.empty() || result.evaluation == wanted.evaluation);
}

inline bool IsDeeper(const StoredResult& a, const StoredResult& b) {
  return std::tie(a.depth, a.nodes) > std::tie(b.depth, b.nodes);
}

// Whether a result takes the place of one with as many lines: of the same depth what is new, unless it had fewer nodes.
inline bool Replaces(const StoredResult& result, const StoredResult& old) {
  if (result.depth != old.depth) return result.depth > old.depth;
  return result.nodes >= old.nodes || result.engine != old.engine || result.evaluation != old.evaluation;
}

// How a store does. Counts are since it was opened.
struct StoreStatus {
  bool working = false;
  std::int64_t results = 0;
  std::int64_t bytes = 0;
  std::int64_t max_bytes = 0;
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t writes = 0;
  std::int64_t evictions = 0;
  std::int64_t dropped = 0;  // results that could not be kept up with
  std::int64_t failures = 0;
};

// A position is known by its text, not by a hash of it: its FEN without the clocks, and the variant (see PositionName).
// All methods may be called from any thread, and none fails: what goes wrong is counted and logged, and the searches go
// on without.
class ResultStore {
 public:
  virtual ~ResultStore() = default;

  // The deepest result for the position that would do.
  virtual std::optional<StoredResult> Find(const std::string& position, const WantedResult& wanted) = 0;
  // Keeps a result, sooner or later, unless a deeper one with as many lines is there.
  virtual void Put(const std::string& position, const StoredResult& result) = 0;
  // Waits until what was put is kept.
  virtual void Flush() = 0;

  virtual StoreStatus status() const = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_STORE_RESULT_STORE_H_
