#include "client/doctor/machine.h"

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace kibitz::client {
namespace {

using Verdict = Finding::Verdict;

constexpr std::int64_t kMebibyte = 1 << 20;
// What a server with its defaults fills when it is busy: its table, and the budget of its requests.
constexpr std::int64_t kServerMemory = (64 + 3072) * kMebibyte;
// What it cannot do without: its table and a few searches.
constexpr std::int64_t kLeastMemory = 256 * kMebibyte;
// A server's connections, by default, and what else it opens.
constexpr std::int64_t kServerFiles = 10'000 + 100;
constexpr std::int64_t kLeastFiles = 256;
// AMD's processors before this family (Zen 3) take a hundred times as long for PEXT.
constexpr int kFastPextFamily = 25;

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The value of a line "name : value".
std::string ValueOf(absl::string_view text, absl::string_view name) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(':', 1));
    if (absl::StripAsciiWhitespace(parts.first) == name) return std::string(absl::StripAsciiWhitespace(parts.second));
  }
  return "";
}

std::string Gibibytes(std::int64_t bytes) {
  return absl::StrFormat("%.1f GiB", static_cast<double>(bytes) / (1024.0 * kMebibyte));
}

Finding CheckProcessor(const MachineOptions& options) {
  const std::string text = ReadText(options.processor_file);
  const std::string name = ValueOf(text, "model name");
  const std::set<std::string> flags = absl::StrSplit(ValueOf(text, "flags"), ' ');
  if (flags.size() <= 1) return {"processor", Verdict::kNote, "its features cannot be told", "nothing: it may do"};
  int family = 0;
  const bool is_amd = ValueOf(text, "vendor_id") == "AuthenticAMD";
  const bool slow_pext = is_amd && absl::SimpleAtoi(ValueOf(text, "cpu family"), &family) && family < kFastPextFamily;
  std::vector<std::string> features;
  for (const char* feature : {"popcnt", "bmi2", "avx2", "avx512f"}) {
    if (flags.contains(feature)) features.emplace_back(feature);
  }
  const std::string words = absl::StrCat(name, ": ", absl::StrJoin(features, ", "), slow_pext ? ", slow pext" : "");
  if (!flags.contains("popcnt") || !flags.contains("sse4_2")) {
    return {"processor", Verdict::kBad, words, "use a processor of 2009 or later: Kibitz needs POPCNT and SSE4.2"};
  }
  if (!flags.contains("bmi2") || slow_pext) {
    return {"processor", Verdict::kNote, words,
            "install the package, which takes a build whose slider attacks need no PEXT"};
  }
  return {"processor", Verdict::kGood, words};
}

Finding CheckHugePages(const MachineOptions& options) {
  const std::string text = ReadText(options.huge_pages_file);
  const std::size_t open = text.find('[');
  const std::string mode = open == std::string::npos ? "" : text.substr(open + 1, text.find(']', open) - open - 1);
  if (mode == "always" || mode == "madvise") return {"huge pages", Verdict::kGood, mode};
  return {"huge pages", Verdict::kNote, mode.empty() ? "not known to this kernel" : mode,
          absl::StrCat("large tables are faster with them, as root: echo madvise > ", options.huge_pages_file)};
}

// A number that a cgroup's file begins with. Nothing where it sets no bound.
std::optional<std::int64_t> CgroupNumber(const MachineOptions& options, const std::string& name) {
  std::int64_t number = 0;
  const std::string text = ReadText(options.cgroup_folder + "/" + name);
  const std::vector<std::string> words = absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  if (words.empty() || !absl::SimpleAtoi(words.front(), &number)) return std::nullopt;
  return number;
}

Finding CheckMemory(const MachineOptions& options) {
  std::int64_t kibibytes = 0;
  const std::string available = ValueOf(ReadText(options.memory_file), "MemAvailable");
  if (!absl::SimpleAtoi(absl::StripSuffix(available, " kB"), &kibibytes)) {
    return {"memory", Verdict::kNote, "how much is free cannot be told", "nothing: it may do"};
  }
  std::int64_t bytes = kibibytes << 10;
  std::string words = absl::StrCat(Gibibytes(bytes), " free");
  if (const auto limit = CgroupNumber(options, "memory.max"); limit && *limit < bytes) {
    bytes = *limit;
    absl::StrAppend(&words, ", of which its group may use ", Gibibytes(bytes));
  }
  if (bytes < kLeastMemory) return {"memory", Verdict::kBad, words, "free some, or raise the group's limit"};
  if (bytes < kServerMemory) {
    return {"memory", Verdict::kNote, words,
            "enough for the commands; a server here needs a smaller --memory-mb or --hash-mb than by default"};
  }
  return {"memory", Verdict::kGood, words};
}

int ProcessorsOf(const MachineOptions& options) {
  if (options.processors > 0) return options.processors;
  cpu_set_t set;
  return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

Finding CheckCores(const MachineOptions& options) {
  const int processors = ProcessorsOf(options);
  std::string words = absl::StrCat(processors, processors == 1 ? " processor" : " processors");
  // Microseconds of work, and the period that they are for.
  const auto quota = CgroupNumber(options, "cpu.max");
  std::int64_t period = 0;
  const std::vector<std::string> parts =
      absl::StrSplit(ReadText(options.cgroup_folder + "/cpu.max"), absl::ByAnyChar(" \n"), absl::SkipEmpty());
  if (!quota || parts.size() < 2 || !absl::SimpleAtoi(parts[1], &period) || *quota >= processors * period) {
    return {"cores", Verdict::kGood, words};
  }
  const double allowed = static_cast<double>(*quota) / static_cast<double>(std::max<std::int64_t>(1, period));
  absl::StrAppendFormat(&words, ", of which its group may use %.1f", allowed);
  return {"cores", Verdict::kNote, words,
          absl::StrFormat("start a server here with --workers %d, or searches are held up in turns",
                          std::max(1, static_cast<int>(allowed)))};
}

Finding CheckFiles(const MachineOptions& options) {
  std::int64_t files = options.max_files;
  rlimit limit{};
  if (files == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    files = static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_max, 1 << 30));
  }
  const std::string words = absl::StrCat("at most ", files, " open");
  if (files < kLeastFiles) return {"files", Verdict::kBad, words, "raise the hard limit: ulimit -Hn, or LimitNOFILE="};
  if (files < kServerFiles) {
    return {"files", Verdict::kNote, words, "a server here takes fewer connections: ulimit -Hn, or LimitNOFILE="};
  }
  return {"files", Verdict::kGood, words};
}

// The tables themselves are judged by the server that opens them: here it is seen that there are some.
Finding CheckTables(const MachineOptions& options) {
  int tables = 0;
  for (const absl::string_view folder : absl::StrSplit(options.syzygy_path, ':', absl::SkipEmpty())) {
    std::error_code error;
    const std::filesystem::directory_iterator files(std::string(folder), error);
    if (error) {
      return {"endgame tables", Verdict::kBad, absl::StrCat(folder, ": ", error.message()),
              "name folders that are there, with colons between them"};
    }
    tables += static_cast<int>(
        std::count_if(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".rtbw"; }));
  }
  if (tables > 0) return {"endgame tables", Verdict::kGood, absl::StrCat(tables, " in ", options.syzygy_path)};
  return {"endgame tables", Verdict::kBad, absl::StrCat("none in ", options.syzygy_path),
          "name a folder with Syzygy tables (.rtbw)"};
}

Finding CheckPackages(const MachineOptions& options) {
  std::set<std::string> missing(options.packages.begin(), options.packages.end());
  for (const absl::string_view entry : absl::StrSplit(ReadText(options.package_database), "\n\n")) {
    if (ValueOf(entry, "Status") == "install ok installed") missing.erase(ValueOf(entry, "Package"));
  }
  if (missing.empty()) return {"packages", Verdict::kGood, absl::StrCat("all ", options.packages.size(), " installed")};
  const std::string names = absl::StrJoin(missing, " ");
  return {"packages", Verdict::kNote, absl::StrCat("missing: ", names),
          absl::StrCat("as root: apt-get install --no-install-recommends ", names)};
}

}  // namespace

Findings CheckMachine(const MachineOptions& options) {
  Findings findings = {CheckProcessor(options), CheckCores(options), CheckMemory(options), CheckHugePages(options),
                       CheckFiles(options)};
  if (!options.syzygy_path.empty()) findings.push_back(CheckTables(options));
  if (!options.packages.empty()) findings.push_back(CheckPackages(options));
  return findings;
}

}  // namespace kibitz::client
