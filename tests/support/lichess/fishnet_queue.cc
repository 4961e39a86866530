#include "tests/support/lichess/fishnet_queue.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/uci_move.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;

absl::Status Wrong(std::size_t place, const std::string& what) {
  return absl::InvalidArgumentError(absl::StrCat("analysis[", place, "]: ", what));
}

json WorkOf(const FishnetJob& job) {
  json work{{"id", job.id}};
  if (job.level) {
    work["type"] = "move";
    work["level"] = *job.level;
  } else {
    work["type"] = "analysis";
    work["nodes"] = {{"sf16", job.nodes}, {"classical", 2 * job.nodes}};
    work["timeout"] = absl::ToInt64Milliseconds(job.timeout);
    if (job.depth) work["depth"] = *job.depth;
    if (job.multi_pv) work["multipv"] = *job.multi_pv;
  }
  return {{"work", std::move(work)},
          {"game_id", job.game_id},
          {"position", job.fen},
          {"variant", job.variant},
          {"moves", absl::StrJoin(job.moves, " ")},
          {"skipPositions", job.skip}};
}

absl::Status CheckScore(std::size_t place, const json& score) {
  const bool is_score = score.is_object() && score.size() == 1 && (score.contains("cp") || score.contains("mate")) &&
                        score.begin()->is_number_integer();
  return is_score ? absl::OkStatus() : Wrong(place, "no score");
}

absl::Status CheckPv(std::size_t place, Position position, const std::string& pv) {
  for (const absl::string_view word : absl::StrSplit(pv, ' ', absl::SkipEmpty())) {
    const absl::StatusOr<kibitz::Move> move = ParseUciMove(position, word);
    if (!move.ok()) return Wrong(place, std::string(move.status().message()));
    position.MakeMove(*move);
  }
  return absl::OkStatus();
}

// One line of play, or (where more were asked for) the tables of all lines by depth.
absl::Status CheckBest(std::size_t place, const FishnetJob& job, const Position& position, const json& part) {
  for (const char* name : {"depth", "nodes", "time"}) {
    if (!part.contains(name) || !part[name].is_number_integer()) return Wrong(place, absl::StrCat("no ", name));
  }
  if (!part.contains("score")) return Wrong(place, "no score");
  if (job.multi_pv) {
    const bool is_table = part["score"].is_array() && part.contains("pv") && part["pv"].is_array();
    return is_table ? absl::OkStatus() : Wrong(place, "no table of lines");
  }
  if (absl::Status status = CheckScore(place, part["score"]); !status.ok()) return status;
  const bool over = LegalMoves(position).empty();
  if (part.contains("pv") == over) return Wrong(place, over ? "moves after the end of the game" : "no pv");
  return over ? absl::OkStatus() : CheckPv(place, position, part["pv"].get<std::string>());
}

absl::Status CheckAnalysis(const FishnetJob& job, const json& body) {
  if (!body.is_object() || !body.contains("stockfish") || !body["stockfish"].contains("flavor")) {
    return absl::InvalidArgumentError("no stockfish.flavor");
  }
  const json parts = body.value("analysis", json());
  if (!parts.is_array() || parts.size() != job.moves.size() + 1) {
    return absl::InvalidArgumentError(absl::StrCat("not ", job.moves.size() + 1, " positions"));
  }
  const bool chess960 = job.variant == "chess960";
  absl::StatusOr<Position> position = ParseFen(job.fen, chess960 ? Variant::kChess960 : Variant::kStandard);
  if (!position.ok()) return position.status();
  for (std::size_t place = 0; place < parts.size(); ++place) {
    const json& part = parts[place];
    const bool skipped = std::count(job.skip.begin(), job.skip.end(), static_cast<int>(place)) > 0;
    if (!part.is_null()) {
      if (part.contains("skipped") != skipped) return Wrong(place, skipped ? "was to be skipped" : "was not to be");
      absl::Status status = skipped ? absl::OkStatus() : CheckBest(place, job, *position, part);
      if (!status.ok()) return status;
    } else if (!parts[0].is_null()) {
      return Wrong(place, "null in an answer that is not partial");
    }
    if (place < job.moves.size()) position->MakeMove(*ParseUciMove(*position, job.moves[place]));
  }
  return absl::OkStatus();
}

absl::Status CheckMove(const FishnetJob& job, const json& body) {
  if (!body.is_object() || !body.contains("move") || !body["move"].contains("bestmove")) {
    return absl::InvalidArgumentError("no move.bestmove");
  }
  const bool chess960 = job.variant == "chess960";
  absl::StatusOr<Position> position = ParseFen(job.fen, chess960 ? Variant::kChess960 : Variant::kStandard);
  for (const std::string& move : job.moves) position->MakeMove(*ParseUciMove(*position, move));
  const json& best = body["move"]["bestmove"];
  if (best.is_null()) return absl::OkStatus();
  return ParseUciMove(*position, best.get<std::string>()).status();
}

}  // namespace

void FishnetQueue::AddKey(const std::string& key, bool enabled) {
  const std::lock_guard lock(mutex_);
  keys_[key] = enabled;
}

FishnetQueue::KeyState FishnetQueue::Check(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  if (keys_.empty()) return KeyState::kValid;
  const auto found = keys_.find(key);
  if (found == keys_.end()) return KeyState::kUnknown;
  return found->second ? KeyState::kValid : KeyState::kDisabled;
}

std::string FishnetQueue::Add(FishnetJob job) {
  const std::lock_guard lock(mutex_);
  job.id = absl::StrCat("work", ++ids_);
  waiting_.push_back({.job = job, .since = absl::Now()});
  return job.id;
}

void FishnetQueue::ReclaimOverdue() {
  const absl::Time now = absl::Now();
  for (auto taken = taken_.begin(); taken != taken_.end();) {
    if (taken->second.due > now) {
      ++taken;
      continue;
    }
    waiting_.push_front({.job = taken->second.job, .since = now});
    taken = taken_.erase(taken);
  }
}

std::optional<json> FishnetQueue::Acquire(const std::string& key, bool slow) {
  const std::lock_guard lock(mutex_);
  ReclaimOverdue();
  auto next = std::find_if(waiting_.begin(), waiting_.end(), [](const Waiting& each) { return each.job.by_user; });
  if (slow || next == waiting_.end()) {
    next = std::find_if(waiting_.begin(), waiting_.end(), [](const Waiting& each) { return !each.job.by_user; });
  }
  if (next == waiting_.end()) return std::nullopt;
  const FishnetJob job = next->job;
  waiting_.erase(next);
  const auto positions = static_cast<double>(job.moves.size() + 1);
  taken_[job.id] = {.job = job, .key = key, .due = absl::Now() + job.timeout * positions + absl::Seconds(10)};
  return WorkOf(job);
}

const FishnetQueue::Taken* FishnetQueue::TakenBy(const std::string& key, const std::string& id) const {
  const auto found = taken_.find(id);
  return found == taken_.end() || found->second.key != key ? nullptr : &found->second;
}

absl::Status FishnetQueue::Take(const std::string& key, const std::string& id, const absl::Status& check,
                                const json& body) {
  if (!check.ok()) {
    complaints_.push_back(absl::StrCat(id, ": ", check.message()));
    return check;
  }
  answers_.push_back({.job = TakenBy(key, id)->job, .body = body});
  taken_.erase(id);
  changed_.notify_all();
  return absl::OkStatus();
}

absl::Status FishnetQueue::Analysis(const std::string& key, const std::string& id, const json& body) {
  const std::lock_guard lock(mutex_);
  const Taken* const taken = TakenBy(key, id);
  if (taken == nullptr) return absl::NotFoundError("No such work");
  const absl::Status check = CheckAnalysis(taken->job, body);
  if (!check.ok() || !body["analysis"][0].is_null()) return Take(key, id, check, body);
  ++partial_;
  changed_.notify_all();
  return absl::OkStatus();
}

absl::Status FishnetQueue::Move(const std::string& key, const std::string& id, const json& body) {
  const std::lock_guard lock(mutex_);
  const Taken* const taken = TakenBy(key, id);
  if (taken == nullptr) return absl::NotFoundError("No such work");
  return Take(key, id, CheckMove(taken->job, body), body);
}

absl::Status FishnetQueue::Abort(const std::string& key, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const Taken* const taken = TakenBy(key, id);
  if (taken == nullptr) return absl::NotFoundError("No such work");
  waiting_.push_front({.job = taken->job, .since = absl::Now()});
  taken_.erase(id);
  ++aborted_;
  changed_.notify_all();
  return absl::OkStatus();
}

json FishnetQueue::Status() const {
  const std::lock_guard lock(mutex_);
  json status;
  for (const bool by_user : {true, false}) {
    int queued = 0;
    int acquired = 0;
    absl::Duration oldest;
    for (const Waiting& each : waiting_) {
      if (each.job.by_user != by_user) continue;
      ++queued;
      oldest = std::max(oldest, absl::Now() - each.since);
    }
    for (const auto& [id, taken] : taken_) acquired += taken.job.by_user == by_user ? 1 : 0;
    status["analysis"][by_user ? "user" : "system"] = {
        {"acquired", acquired}, {"queued", queued}, {"oldest", absl::ToInt64Seconds(oldest)}};
  }
  return status;
}

std::vector<FishnetAnswer> FishnetQueue::answers() const {
  const std::lock_guard lock(mutex_);
  return answers_;
}

bool FishnetQueue::AwaitAnswers(std::size_t count, absl::Duration patience) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoMilliseconds(patience), [&] { return answers_.size() >= count; });
}

bool FishnetQueue::AwaitPartial(int count, absl::Duration patience) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoMilliseconds(patience), [&] { return partial_ >= count; });
}

std::size_t FishnetQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

std::size_t FishnetQueue::acquired() const {
  const std::lock_guard lock(mutex_);
  return taken_.size();
}

int FishnetQueue::partial() const {
  const std::lock_guard lock(mutex_);
  return partial_;
}

int FishnetQueue::aborted() const {
  const std::lock_guard lock(mutex_);
  return aborted_;
}

std::vector<std::string> FishnetQueue::complaints() const {
  const std::lock_guard lock(mutex_);
  return complaints_;
}

}  // namespace kibitz::stand_in
