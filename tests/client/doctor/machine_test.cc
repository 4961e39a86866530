#include "client/doctor/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace kibitz::client {
namespace {

using ::testing::HasSubstr;
using Verdict = Finding::Verdict;

// A machine made of files, in good health.
class MachineTest : public ::testing::Test {
 protected:
  MachineTest() {
    std::filesystem::create_directories(folder_);
    options_.processor_file = Write("cpuinfo", Processor("GenuineIntel", 6, "sse4_2 popcnt bmi2 avx2 avx512f"));
    options_.memory_file = Write("meminfo", "MemTotal: 25165824 kB\nMemAvailable:   16777216 kB\n");
    options_.huge_pages_file = Write("enabled", "always [madvise] never\n");
    options_.cgroup_folder = folder_;
    options_.package_database = Write(
        "status", "Package: here\nStatus: install ok installed\n\nPackage: gone\nStatus: deinstall ok config-files\n");
    options_.processors = 4;
    options_.max_files = 65536;
  }
  ~MachineTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  static std::string Processor(const std::string& vendor, int family, const std::string& flags) {
    return "vendor_id\t: " + vendor + "\ncpu family\t: " + std::to_string(family) +
           "\nmodel name\t: A Processor\nflags\t\t: fpu " + flags + "\n";
  }
  Finding About(const std::string& subject) const {
    for (const Finding& finding : CheckMachine(options_)) {
      if (finding.subject == subject) return finding;
    }
    return {subject, Verdict::kBad, "not looked at"};
  }

  const std::string folder_ = ::testing::TempDir() + "/machine";
  MachineOptions options_;
};

TEST_F(MachineTest, IsFoundInGoodHealth) {
  for (const Finding& finding : CheckMachine(options_)) {
    EXPECT_EQ(finding.verdict, Verdict::kGood) << finding.subject << ": " << finding.words;
    EXPECT_EQ(finding.next_step, "");
  }
}

TEST_F(MachineTest, TheRealOneHasNoFaultThatStopsThisTest) {
  for (const Finding& finding : CheckMachine({})) {
    EXPECT_NE(finding.verdict, Verdict::kBad) << finding.subject << ": " << finding.words;
    EXPECT_EQ(finding.next_step.empty(), finding.verdict == Verdict::kGood) << finding.subject;
  }
}

TEST_F(MachineTest, KnowsWhatProcessorsLack) {
  EXPECT_THAT(About("processor").words, HasSubstr("A Processor: popcnt, bmi2, avx2, avx512f"));
  Write("cpuinfo", Processor("AuthenticAMD", 23, "sse4_2 popcnt bmi2 avx2"));
  EXPECT_EQ(About("processor").verdict, Verdict::kNote);
  EXPECT_THAT(About("processor").words, HasSubstr("slow pext"));
  Write("cpuinfo", Processor("AuthenticAMD", 25, "sse4_2 popcnt bmi2 avx2"));
  EXPECT_EQ(About("processor").verdict, Verdict::kGood);
  Write("cpuinfo", Processor("GenuineIntel", 6, "sse2"));
  EXPECT_EQ(About("processor").verdict, Verdict::kBad);
  Write("cpuinfo", "");
  EXPECT_EQ(About("processor").verdict, Verdict::kNote);
}

TEST_F(MachineTest, KnowsHugePages) {
  Write("enabled", "always madvise [never]\n");
  EXPECT_EQ(About("huge pages").verdict, Verdict::kNote);
  EXPECT_THAT(About("huge pages").next_step, HasSubstr("echo madvise > " + options_.huge_pages_file));
  Write("enabled", "");
  EXPECT_EQ(About("huge pages").verdict, Verdict::kNote);
}

TEST_F(MachineTest, KnowsTheMemoryOfItsGroup) {
  Write("memory.max", "max\n");
  EXPECT_EQ(About("memory").verdict, Verdict::kGood);
  Write("memory.max", "1073741824\n");
  EXPECT_EQ(About("memory").verdict, Verdict::kNote);
  EXPECT_THAT(About("memory").words, HasSubstr("its group may use 1.0 GiB"));
  Write("memory.max", "1048576\n");
  EXPECT_EQ(About("memory").verdict, Verdict::kBad);
}

TEST_F(MachineTest, KnowsTheCoresOfItsGroup) {
  Write("cpu.max", "max 100000\n");
  EXPECT_EQ(About("cores").verdict, Verdict::kGood);
  Write("cpu.max", "150000 100000\n");
  EXPECT_EQ(About("cores").verdict, Verdict::kNote);
  EXPECT_THAT(About("cores").words, HasSubstr("4 processors, of which its group may use 1.5"));
  EXPECT_THAT(About("cores").next_step, HasSubstr("--workers 1"));
}

TEST_F(MachineTest, KnowsHowManyFilesMayBeOpen) {
  options_.max_files = 1024;
  EXPECT_EQ(About("files").verdict, Verdict::kNote);
  options_.max_files = 64;
  EXPECT_EQ(About("files").verdict, Verdict::kBad);
}

TEST_F(MachineTest, LooksForTablesWhereTheyAreWanted) {
  EXPECT_EQ(About("endgame tables").words, "not looked at");
  options_.syzygy_path = "/no/such";
  EXPECT_EQ(About("endgame tables").verdict, Verdict::kBad);
  options_.syzygy_path = folder_;
  EXPECT_THAT(About("endgame tables").words, HasSubstr("none in"));
  Write("KQvK.rtbw", "");
  EXPECT_EQ(About("endgame tables").verdict, Verdict::kGood);
}

TEST_F(MachineTest, LooksForPackages) {
  options_.packages = {"here"};
  EXPECT_EQ(About("packages").verdict, Verdict::kGood);
  options_.packages = {"here", "gone", "unknown"};
  EXPECT_EQ(About("packages").words, "missing: gone unknown");
  EXPECT_THAT(About("packages").next_step, HasSubstr("apt-get install --no-install-recommends gone unknown"));
}

}  // namespace
}  // namespace kibitz::client
