#include "tests/support/lichess/engine_broker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/fen.h"
#include "engine/board/uci_move.h"
#include "tests/support/lichess/emission.h"

namespace kibitz::stand_in {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxMoves = 600;
constexpr std::size_t kMaxWaiting = 1024;
constexpr std::size_t kMaxLineBytes = 16 << 10;

// A whole number of a range, or an error that names it.
absl::Status CheckNumber(const json& object, const char* name, std::int64_t min, std::int64_t max) {
  const auto member = object.find(name);
  const bool fits = member != object.end() && member->is_number_integer() && *member >= min && *member <= max;
  return fits ? absl::OkStatus() : absl::InvalidArgumentError(absl::StrCat(name, " is not ", min, " to ", max));
}

absl::Status CheckText(const json& object, const char* name, std::size_t min, std::size_t max) {
  const auto member = object.find(name);
  const std::size_t size = member != object.end() && member->is_string() ? member->get<std::string>().size() : 0;
  return size >= min && size <= max ? absl::OkStatus()
                                    : absl::InvalidArgumentError(absl::StrCat(name, " is not a text of that size"));
}

absl::Status CheckRegistration(const json& wanted) {
  if (!wanted.is_object()) return absl::InvalidArgumentError("no object");
  for (const absl::Status& status :
       {CheckText(wanted, "name", 3, 200), CheckNumber(wanted, "maxThreads", 1, 65536),
        CheckNumber(wanted, "maxHash", 1, 1048576), CheckNumber(wanted, "defaultDepth", 0, 246),
        CheckText(wanted, "providerSecret", 16, 1024)}) {
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Plays the moves, and writes each as the broker tells it to providers.
absl::StatusOr<Position> PlayMoves(const json& work, json& moves) {
  absl::StatusOr<Position> position = ParseFen(work.at("initialFen").get<std::string>(), Variant::kChess960);
  if (!position.ok()) return position.status();
  for (const json& word : work.at("moves")) {
    const absl::StatusOr<Move> move = ParseUciMove(*position, word.get<std::string>());
    if (!move.ok()) return move.status();
    moves.push_back(ToUci(*move, Variant::kChess960));
    position->MakeMove(*move);
  }
  return position;
}

}  // namespace

EngineBroker::EngineBroker(const BrokerOptions& options) : options_(options) {
  watch_ = std::thread([this] { WatchBoards(); });
}

EngineBroker::~EngineBroker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  watch_.join();
}

std::string EngineBroker::NewId(const char* prefix) { return absl::StrCat(prefix, absl::Hex(++ids_, absl::kZeroPad8)); }

absl::StatusOr<json> EngineBroker::Create(const std::string& user, const json& registration) {
  if (absl::Status status = CheckRegistration(registration); !status.ok()) return status;
  std::string id;
  {
    const std::lock_guard lock(mutex_);
    id = NewId("eei_");
    engines_[id] = {.user = user, .provider_secret = "", .shown = {{"clientSecret", NewId("ees_")}}};
  }
  return Update(user, id, registration);
}

absl::StatusOr<json> EngineBroker::Update(const std::string& user, const std::string& id, const json& wanted) {
  if (absl::Status status = CheckRegistration(wanted); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  const auto engine = engines_.find(id);
  if (engine == engines_.end() || engine->second.user != user) return absl::NotFoundError("No such engine");
  engine->second.provider_secret = wanted.at("providerSecret").get<std::string>();
  json shown{{"id", id}, {"userId", user}, {"clientSecret", engine->second.shown.at("clientSecret")}};
  for (const char* name : {"name", "maxThreads", "maxHash", "defaultDepth"}) shown[name] = wanted.at(name);
  shown["variants"] = wanted.value("variants", json{"chess"});
  shown["providerData"] = wanted.value("providerData", json());
  return engine->second.shown = std::move(shown);
}

absl::StatusOr<json> EngineBroker::Get(const std::string& user, const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto engine = engines_.find(id);
  if (engine == engines_.end() || engine->second.user != user) return absl::NotFoundError("No such engine");
  return engine->second.shown;
}

absl::Status EngineBroker::Delete(const std::string& user, const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto engine = engines_.find(id);
  if (engine == engines_.end() || engine->second.user != user) return absl::NotFoundError("No such engine");
  engines_.erase(engine);
  return absl::OkStatus();
}

json EngineBroker::List(const std::string& user) const {
  const std::lock_guard lock(mutex_);
  json list = json::array();
  for (const auto& [id, engine] : engines_) {
    if (engine.user == user) list.push_back(engine.shown);
  }
  return list;
}

absl::StatusOr<std::shared_ptr<LineStream>> EngineBroker::Analyse(const std::string& id,
                                                                  const std::string& client_secret, const json& work) {
  for (const absl::Status& status : {CheckText(work, "sessionId", 1, 200), CheckNumber(work, "threads", 1, 65536),
                                     CheckNumber(work, "hash", 1, 1048576), CheckNumber(work, "multiPv", 1, 5),
                                     CheckText(work, "variant", 1, 40), CheckText(work, "initialFen", 1, 200)}) {
    if (!status.ok()) return status;
  }
  if (!work.contains("moves") || !work["moves"].is_array() || work["moves"].size() > kMaxMoves) {
    return absl::InvalidArgumentError("too many moves");
  }
  json moves = json::array();
  absl::StatusOr<Position> position = PlayMoves(work, moves);
  if (!position.ok()) return position.status();
  const std::lock_guard lock(mutex_);
  const auto found = engines_.find(id);
  if (found == engines_.end() || found->second.shown.at("clientSecret") != client_secret) {
    return absl::NotFoundError("No such engine");
  }
  const json& engine = found->second.shown;
  const json& variants = engine.at("variants");
  if (std::count(variants.begin(), variants.end(), work["variant"]) == 0) {
    return absl::InvalidArgumentError("unsupported variant");
  }
  auto job = std::make_shared<Job>(Job{.id = NewId("job"),
                                       .provider_secret = found->second.provider_secret,
                                       .offer = {},
                                       .position = *std::move(position),
                                       .board = std::make_shared<LineStream>()});
  json offered = work;
  offered["threads"] = std::min(work["threads"], engine["maxThreads"]);
  offered["hash"] = std::min(work["hash"], engine["maxHash"]);
  offered["moves"] = std::move(moves);
  job->offer = {{"id", job->id}, {"work", std::move(offered)}, {"engine", engine}};
  if (waiting_.size() < kMaxWaiting) waiting_.push_back(job);
  changed_.notify_all();
  return job->board;
}

std::optional<json> EngineBroker::Acquire(const std::string& provider_secret) {
  const auto is_ours = [&](const auto& job) {
    return job->provider_secret == provider_secret && !job->board->closed();
  };
  std::unique_lock lock(mutex_);
  ++polls_;
  changed_.notify_all();
  auto job = waiting_.end();
  changed_.wait_for(lock, absl::ToChronoMilliseconds(options_.poll), [&] {
    job = std::find_if(waiting_.begin(), waiting_.end(), is_ours);
    return job != waiting_.end() || stopping_;
  });
  if (job == waiting_.end()) return std::nullopt;
  const std::shared_ptr<Job> taken = *job;
  waiting_.erase(job);
  acquired_[taken->id] = taken;
  ++acquired_count_;
  return taken->offer;
}

absl::Status EngineBroker::Submit(const std::string& id, Upload& upload) {
  std::unique_lock lock(mutex_);
  const auto found = acquired_.find(id);
  if (found == acquired_.end()) return absl::NotFoundError("No such work");
  const std::shared_ptr<Job> job = found->second;
  acquired_.erase(found);
  job->upload = &upload;
  submitting_[id] = job;
  lock.unlock();
  const absl::Status status = Relay(*job, upload);
  lock.lock();
  submitting_.erase(id);
  job->upload = nullptr;
  job->board->End();
  ++finished_;
  if (!status.ok()) complaints_.push_back(absl::StrCat(id, ": ", status.message()));
  changed_.notify_all();
  return status;
}

absl::Status EngineBroker::Relay(Job& job, Upload& upload) {
  Emission emission(job.position);
  absl::Status status;
  std::string rest;
  upload.Read([&](std::string_view piece) {
    rest.append(piece);
    std::size_t end = 0;
    while (status.ok() && !emission.finished() && (end = rest.find('\n')) != std::string::npos) {
      const auto shown = emission.Take(absl::string_view(rest).substr(0, end));
      rest.erase(0, end + 1);
      if (!shown.ok()) status = shown.status();
      if (shown.ok() && *shown) job.board->Push((*shown)->dump());
    }
    if (rest.size() > kMaxLineBytes) status = absl::InvalidArgumentError("a line is too long");
    return status.ok() && !emission.finished() && !job.board->closed();
  });
  if (status.ok() && !emission.finished() && !job.board->closed()) {
    status = absl::InvalidArgumentError("expected bestmove before end of stream");
  }
  const std::lock_guard lock(mutex_);
  bounded_ += emission.bounded();
  cut_ += emission.cut();
  return status;
}

// A board that is gone ends its analysis at once, whether or not the provider has something to say.
void EngineBroker::WatchBoards() {
  constexpr std::chrono::milliseconds kStep{5};
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait_for(lock, kStep, [&] { return stopping_; });
    for (const auto& [id, job] : submitting_) {
      if (job->board->closed() && job->upload != nullptr) std::exchange(job->upload, nullptr)->BreakOff();
    }
    std::erase_if(waiting_, [](const auto& job) { return job->board->closed(); });
    std::erase_if(acquired_, [](const auto& each) { return each.second->board->closed(); });
  }
}

int EngineBroker::acquired() const {
  const std::lock_guard lock(mutex_);
  return acquired_count_;
}

int EngineBroker::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

int EngineBroker::submitting() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(submitting_.size());
}

std::vector<std::string> EngineBroker::complaints() const {
  const std::lock_guard lock(mutex_);
  return complaints_;
}

int EngineBroker::bounded() const {
  const std::lock_guard lock(mutex_);
  return bounded_;
}

int EngineBroker::cut() const {
  const std::lock_guard lock(mutex_);
  return cut_;
}

bool EngineBroker::AwaitPolls(int count, absl::Duration patience) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, absl::ToChronoMilliseconds(patience), [&] { return polls_ >= count; });
}

}  // namespace kibitz::stand_in
