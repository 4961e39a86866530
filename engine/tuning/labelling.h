// The two files of `kibitz relabel`: positions, and what another engine made of them.

#ifndef KIBITZ_ENGINE_TUNING_LABELLING_H_
#define KIBITZ_ENGINE_TUNING_LABELLING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/tuning/record.h"
#include "engine/tuning/record_file.h"
#include "engine/tuning/seen_positions.h"
#include "engine/tuning/statistics.h"
#include "engine/tuning/teacher.h"

namespace kibitz::tuning {

// Hands out the positions block by block, to any number of threads, and writes what comes back in the order in which
// they were handed out: the output does not hang on who was faster. Beside it, in FILE.json, stands how far it is, from
// which an interrupted run goes on; a later one takes what has come to the positions since.
class Labelling {
 public:
  struct Options {
    std::string data = "positions.bin";
    std::string output = "labelled.bin";
    std::string teacher{};  // its name
    std::string limit{};
    int lines = 0;  // see Ask
    std::uint64_t seed = 1;
  };
  struct Block {
    std::uint64_t number = 0;
    std::uint64_t seed = 0;  // another for each block, the same each time
    std::vector<Record> records;
  };

  // Fails where the files are not what they should be, or the output was made in another way.
  static absl::StatusOr<std::unique_ptr<Labelling>> Open(const Options& options);

  // The next block, empty at the end.
  Block Take();
  // What has become of it: `ends` of lines, or the records themselves with their new values.
  absl::Status Put(const Block& block, std::vector<Record> labelled);
  // Until all is on the disk, with how far it is.
  absl::Status Save();

  std::size_t size() const { return reader_.size(); }
  LabelStatistics statistics() const;

 private:
  struct Done {
    std::size_t taken = 0;
    std::vector<Record> labelled;
  };

  Labelling(const Options& options, LabelStatistics statistics, RecordReader reader, RecordWriter writer);
  absl::Status SkipWhatIsDone();
  absl::Status Write(const Done& done);

  const Options options_;
  mutable std::mutex mutex_;  // guards what follows
  LabelStatistics statistics_;
  RecordReader reader_;
  RecordWriter writer_;
  SeenPositions seen_;
  std::uint64_t taken_ = 0;
  std::uint64_t next_number_ = 0;
  std::uint64_t next_written_ = 0;
  std::map<std::uint64_t, Done> waiting_;  // for blocks before them
};

// Questions about random moves of positions, or, as often, of those a random move further on: a search looks at little
// else. As many as `lines` of each position.
absl::StatusOr<std::vector<Question>> Ask(const Labelling::Block& block, int lines);

}  // namespace kibitz::tuning

#endif  // KIBITZ_ENGINE_TUNING_LABELLING_H_
