#include "engine/tuning/labelling.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/movegen.h"

namespace kibitz::tuning {
namespace {

// Positions that one engine is asked for at once.
constexpr std::size_t kBlock = 128;

std::uint64_t Below(std::mt19937_64& random, int bound) { return random() % static_cast<std::uint64_t>(bound); }

std::string StatisticsPath(const std::string& path) { return path + ".json"; }

// What is known of the output, or a beginning of it.
absl::StatusOr<LabelStatistics> Begin(const Labelling::Options& options) {
  LabelStatistics fresh;
  fresh.teacher = options.teacher;
  fresh.limit = options.limit;
  fresh.lines = options.lines;
  fresh.seed = options.seed;
  if (absl::StatusOr<Statistics> source = Statistics::Read(StatisticsPath(options.data)); source.ok()) {
    fresh.source = *std::move(source);
  }
  if (!std::filesystem::exists(options.output)) return fresh;
  absl::StatusOr<LabelStatistics> before = LabelStatistics::Read(StatisticsPath(options.output));
  if (!before.ok()) return before;
  const auto way = [](const LabelStatistics& s) { return std::tie(s.teacher, s.limit, s.lines, s.seed); };
  if (way(*before) != way(fresh)) {
    return absl::InvalidArgumentError(absl::StrCat(options.output, " was made in another way (see ",
                                                   StatisticsPath(options.output), "); name another file"));
  }
  before->source = fresh.source;
  return before;
}

}  // namespace

Labelling::Labelling(const Options& options, LabelStatistics statistics, RecordReader reader, RecordWriter writer)
    : options_(options),
      statistics_(std::move(statistics)),
      reader_(std::move(reader)),
      writer_(std::move(writer)),
      taken_(statistics_.taken) {}

absl::StatusOr<std::unique_ptr<Labelling>> Labelling::Open(const Options& options) {
  absl::StatusOr<RecordReader> reader = RecordReader::Open(options.data);
  if (!reader.ok()) return reader.status();
  absl::StatusOr<LabelStatistics> statistics = Begin(options);
  if (!statistics.ok()) return statistics.status();
  if (statistics->taken > reader->size()) {
    return absl::InvalidArgumentError(absl::StrCat(options.output, " was made of more than ", options.data, " holds"));
  }
  absl::StatusOr<RecordWriter> writer = RecordWriter::Open(options.output, statistics->contents.positions);
  if (!writer.ok()) return writer.status();
  std::unique_ptr<Labelling> labelling(
      new Labelling(options, *std::move(statistics), *std::move(reader), *std::move(writer)));
  if (absl::Status skipped = labelling->SkipWhatIsDone(); !skipped.ok()) return skipped;
  if (absl::Status saved = labelling->Save(); !saved.ok()) return saved;
  return labelling;
}

absl::Status Labelling::SkipWhatIsDone() {
  std::vector<Record> records;
  for (std::uint64_t left = taken_; left > 0; left -= records.size()) {
    reader_.Next(std::min<std::uint64_t>(left, 1 << 16), records);
    if (records.empty()) return absl::UnavailableError(absl::StrCat("cannot read ", options_.data));
  }
  if (statistics_.contents.positions == 0) return absl::OkStatus();
  absl::StatusOr<RecordReader> written = RecordReader::Open(options_.output);
  if (!written.ok()) return written.status();
  do {
    written->Next(1 << 16, records);
    for (const Record& record : records) seen_.Add(record);
  } while (!records.empty());
  return absl::OkStatus();
}

Labelling::Block Labelling::Take() {
  const std::scoped_lock lock(mutex_);
  Block block{.number = next_number_++, .seed = options_.seed * 1'000'000'007 + taken_, .records = {}};
  reader_.Next(kBlock, block.records);
  taken_ += block.records.size();
  return block;
}

absl::Status Labelling::Put(const Block& block, std::vector<Record> labelled) {
  const std::scoped_lock lock(mutex_);
  waiting_.emplace(block.number, Done{block.records.size(), std::move(labelled)});
  for (auto first = waiting_.find(next_written_); first != waiting_.end(); first = waiting_.find(next_written_)) {
    if (absl::Status written = Write(first->second); !written.ok()) return written;
    waiting_.erase(first);
    ++next_written_;
  }
  return absl::OkStatus();
}

absl::Status Labelling::Write(const Done& done) {
  std::vector<Record> fresh;
  for (const Record& record : done.labelled) {
    if (!seen_.Add(record)) {
      ++statistics_.duplicates;
      continue;
    }
    statistics_.contents.Count(record);
    if (!record.IsQuiet()) ++statistics_.loud;
    fresh.push_back(record);
  }
  statistics_.taken += done.taken;
  return writer_.Add(fresh);
}

absl::Status Labelling::Save() {
  const std::scoped_lock lock(mutex_);
  if (absl::Status synced = writer_.Sync(); !synced.ok()) return synced;
  return statistics_.Write(StatisticsPath(options_.output));
}

LabelStatistics Labelling::statistics() const {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

absl::StatusOr<std::vector<Question>> Ask(const Labelling::Block& block, int lines) {
  std::mt19937_64 random(block.seed);
  std::vector<Question> questions;
  for (const Record& record : block.records) {
    absl::StatusOr<Position> position = Unpack(record);
    if (!position.ok()) return position.status();
    if (Below(random, 2) == 0) {
      const MoveList moves = LegalMoves(*position);
      if (moves.empty()) continue;
      position->MakeMove(moves[static_cast<int>(Below(random, moves.size()))]);
    }
    if (position->Status() != GameStatus::kOngoing) continue;
    const MoveList legal = LegalMoves(*position);
    Question question{*std::move(position), {legal.begin(), legal.end()}};
    std::shuffle(question.moves.begin(), question.moves.end(), random);
    question.moves.resize(std::min(question.moves.size(), static_cast<std::size_t>(lines)), Move());
    questions.push_back(std::move(question));
  }
  return questions;
}

}  // namespace kibitz::tuning
