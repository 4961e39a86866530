#include "engine/tuning/record_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kibitz::tuning {
namespace {

// As long as a record, so that these lie even.
constexpr absl::string_view kHeader = "kibitz positions, 32 bytes each\n";
static_assert(kHeader.size() == sizeof(Record));

absl::Status Failure(absl::string_view what, const std::string& path) {
  return absl::UnavailableError(absl::StrCat("cannot ", what, " ", path, ": ", std::strerror(errno)));
}

}  // namespace

absl::StatusOr<RecordReader> RecordReader::Open(const std::string& path) {
  File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return Failure("read", path);
  std::string header(kHeader.size(), '\0');
  if (std::fread(header.data(), 1, header.size(), file.get()) != header.size() || header != kHeader) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is not a file of positions; make one with `kibitz selfplay`"));
  }
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) return Failure("read", path);
  return RecordReader(std::move(file), (bytes - kHeader.size()) / sizeof(Record));
}

void RecordReader::Next(std::size_t max, std::vector<Record>& records) {
  records.resize(max);
  records.resize(std::fread(records.data(), sizeof(Record), max, file_.get()));
}

absl::StatusOr<RecordWriter> RecordWriter::Open(const std::string& path, std::size_t keep) {
  if (keep > 0) {
    const absl::StatusOr<RecordReader> there = RecordReader::Open(path);
    if (!there.ok()) return there.status();
    if (there->size() < keep) return absl::InvalidArgumentError(absl::StrCat(path, " has lost positions"));
  }
  File file(std::fopen(path.c_str(), keep > 0 ? "r+b" : "wb"), std::fclose);
  if (file == nullptr) return Failure("write", path);
  const auto size = static_cast<off_t>(kHeader.size() + keep * sizeof(Record));
  const bool ready = keep > 0 ? ftruncate(fileno(file.get()), size) == 0 && std::fseek(file.get(), 0, SEEK_END) == 0
                              : std::fwrite(kHeader.data(), 1, kHeader.size(), file.get()) == kHeader.size();
  if (!ready) return Failure("write", path);
  return RecordWriter(std::move(file));
}

absl::Status RecordWriter::Add(const std::vector<Record>& records) {
  if (std::fwrite(records.data(), sizeof(Record), records.size(), file_.get()) == records.size()) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(absl::StrCat("cannot write positions: ", std::strerror(errno)));
}

absl::Status RecordWriter::Sync() {
  if (std::fflush(file_.get()) == 0 && fsync(fileno(file_.get())) == 0) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("cannot write positions: ", std::strerror(errno)));
}

}  // namespace kibitz::tuning
