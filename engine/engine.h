// The door to the search: a request in, an analysis out through one callback. No wire types, and no threads of its own:
// whoever opens the door brings them.

#ifndef KIBITZ_ENGINE_ENGINE_H_
#define KIBITZ_ENGINE_ENGINE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/board/move.h"
#include "engine/board/position.h"
#include "engine/search/limits.h"
#include "engine/search/score.h"
#include "engine/search/search_host.h"
#include "engine/search/stop_reason.h"

namespace kibitz {

struct EvaluatorKind;
class Tablebases;
class TranspositionTable;
struct WorkerMemory;

// The name and version of the engine, and how it was built: compiler and slider method.
absl::string_view EngineVersion();
std::string EngineBuild();
// What searches evaluate positions with, unless they are given a memory of another kind.
const EvaluatorKind& DefaultEvaluator();
absl::string_view EvaluationName();
// Chooses it, for all engines of the process, while none searches and nobody has a SearchMemory: the classical
// evaluation, or the net of a file, or without a file the net that Kibitz carries. An error says what is wrong with the
// words or the file, and changes nothing.
inline constexpr char kNetEvaluation[] = "net";
inline constexpr char kClassicalEvaluation[] = "classical";
inline constexpr char kDefaultEvaluation[] = "net";
absl::Status SetEvaluation(absl::string_view kind, const std::string& net_file);

// The ratings that play can be limited to, from a beginner's to nearly full strength.
inline constexpr int kMinElo = 1000;
inline constexpr int kMaxElo = 3000;

struct AnalysisRequest {
  Position position;
  Limits limits;
  int multi_pv = 1;
  // Root moves to consider; empty means all. They must be legal.
  std::vector<Move> search_moves;
  // A private table, no tablebases and nothing remembered from before: the same request gives the same answer
  // everywhere. With one worker, and limits of depth and nodes only.
  bool reproducible = false;
  // Plays at about this rating, by one worker that looks at little and misjudges: the same position gives the same
  // move. It neither takes from the shared table nor gives to it. 0: full strength.
  int strength_elo = 0;
};

// The size of the table that a search has for itself. 0: it shares the engine's.
std::size_t PrivateTableMb(const AnalysisRequest& request);

// One line of play. The moves are legal, one after the other.
struct AnalysisLine {
  Score score;
  Wdl wdl;
  std::vector<Move> pv;
};

// How far a search has come.
struct Analysis {
  int depth = 0;
  int seldepth = 0;
  std::int64_t nodes = 0;
  std::chrono::nanoseconds elapsed{0};
  int hashfull = 0;  // per mille
  std::int64_t tb_hits = 0;
  std::vector<AnalysisLine> lines;  // best first
  // The root move being searched, and its place among them; not before a second has passed, and not at the end.
  Move current_move;
  int current_move_number = 0;
};

struct AnalysisResult {
  Analysis analysis;
  StopReason stop_reason = StopReason::kDepth;
};

// What one worker remembers between searches of the same game: about 1.5 MB, made once and used for many.
class SearchMemory {
 public:
  explicit SearchMemory(const EvaluatorKind& evaluator = DefaultEvaluator());
  ~SearchMemory();
  // For another game.
  void Clear();

  // What one takes.
  static std::size_t Bytes(const EvaluatorKind& evaluator = DefaultEvaluator());

 private:
  friend class Search;
  std::unique_ptr<WorkerMemory> memory_;
};

// What endgame tables know, with the fifty-move rule as it stands.
enum class TableOutcome : std::uint8_t { kLoss, kDraw, kWin };

// What they know of a move: the best that its side could have had, and what the move has kept of it.
struct TableVerdict {
  TableOutcome best = TableOutcome::kDraw;
  TableOutcome played = TableOutcome::kDraw;
};

// What all searches of a process share: one transposition table, and endgame tablebases.
class Engine {
 public:
  explicit Engine(std::size_t hash_mb);
  ~Engine();

  // Not while a search runs.
  void ResizeHash(std::size_t hash_mb);
  // With several threads.
  void ClearHash(int threads = 1);
  // Has the system hand out the memory of a new table, rather than bit by bit as searches come to it. They may run
  // meanwhile. Ends early when a stop is requested.
  void TouchHash(const std::stop_token& stop) const;

  // Not while a search runs. Folders of Syzygy tables, separated by colons; empty: none, as at first. An error names
  // the folder, and leaves none. All engines of a process that have tables at a time must have the same.
  absl::Status SetSyzygyPath(const std::string& path);

  // Puts a line that a search once found, with its score and depth, where searches look for what is known. From any
  // thread. It has moves, and they must be legal.
  void Remember(const Position& position, const AnalysisLine& line, int depth);

  std::size_t hash_mb() const;
  int hashfull() const;  // per mille
  // The largest number of pieces, kings included, that the tablebases cover; 0 without any.
  int tablebase_max_pieces() const;
  // Nothing where the tables do not cover the position.
  std::optional<TableVerdict> JudgeByTables(const Position& position, Move move) const;

 private:
  friend class Search;
  std::unique_ptr<TranspositionTable> table_;
  std::unique_ptr<Tablebases> tablebases_;
};

// One search, from request to result. `Run` is called once; `Help` by any number of other threads, before, during or
// after. The others may be called from anywhere at any time.
class Search {
 public:
  using Clock = std::chrono::steady_clock;

  // Time counts from now on.
  Search(Engine& engine, AnalysisRequest request);
  ~Search();

  // Searches on this thread until a limit is reached or Stop is called. Calls `on_update` after each iteration, in
  // long searches with each move of the root, and, if it is to find one line only, when that line changes.
  AnalysisResult Run(SearchMemory& memory, SearchHost& host, const std::function<void(const Analysis&)>& on_update);
  // Searches along, sharing the table, until Run ends. `helper` counts from 1.
  void Help(int helper, SearchMemory& memory, SearchHost& host);

  void Stop();
  void PonderHit();
  // When its time is up at the latest; time_point::max() while no clock runs.
  Clock::time_point TimeUp() const;

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

// The whole of it, with `threads` threads that end with it. For those without a pool of workers.
AnalysisResult Analyze(
    Engine& engine, AnalysisRequest request, int threads = 1,
    const std::function<void(const Analysis&)>& on_update = [](const Analysis&) {});

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_ENGINE_H_
