#include "server/store/sqlite_store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::system_clock;

constexpr char kPosition[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

StoredResult Result(int depth, std::int64_t nodes, int lines = 1, const std::string& analysis = "found") {
  return {.lines = lines,
          .depth = depth,
          .nodes = nodes,
          .engine = "Kibitz 1",
          .evaluation = "classical",
          .found = system_clock::time_point(seconds(1'700'000'000)),
          .analysis = analysis};
}

class SqliteStoreTest : public testing::Test {
 protected:
  SqliteStoreTest() : folder_(std::filesystem::path(testing::TempDir()) / absl::StrCat("store-", getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "results.db";
  }
  ~SqliteStoreTest() override { std::filesystem::remove_all(folder_); }

  SqliteStore::Options Options() const { return {.path = path_, .retry_time = milliseconds(20)}; }

  const std::filesystem::path folder_;
  std::string path_;
};

TEST_F(SqliteStoreTest, GivesBackWhatWasPut) {
  SqliteStore store(Options());
  EXPECT_FALSE(store.Find(kPosition, {}).has_value());
  const StoredResult result = Result(12, 100'000, 1, std::string("\0bytes\xff", 7));
  store.Put(kPosition, result);
  store.Flush();
  EXPECT_EQ(store.Find(kPosition, {}), result);
  EXPECT_FALSE(store.Find("another", {}).has_value());
  const StoreStatus status = store.status();
  EXPECT_TRUE(status.working);
  EXPECT_EQ(status.hits, 1);
  EXPECT_EQ(status.misses, 2);
  EXPECT_EQ(status.writes, 1);
}

TEST_F(SqliteStoreTest, GivesOnlyWhatWouldDo) {
  SqliteStore store(Options());
  store.Put(kPosition, Result(12, 100'000));
  store.Put(kPosition, Result(8, 50'000, 3));
  store.Flush();
  EXPECT_EQ(store.Find(kPosition, {.min_depth = 12})->depth, 12);
  EXPECT_FALSE(store.Find(kPosition, {.min_depth = 13}).has_value());
  EXPECT_FALSE(store.Find(kPosition, {.min_nodes = 100'001}).has_value());
  EXPECT_EQ(store.Find(kPosition, {.lines = 2})->depth, 8);
  EXPECT_FALSE(store.Find(kPosition, {.lines = 4}).has_value());
  EXPECT_TRUE(store.Find(kPosition, {.engine = "Kibitz 1", .evaluation = "classical"}).has_value());
  EXPECT_FALSE(store.Find(kPosition, {.engine = "Kibitz 2"}).has_value());
  EXPECT_FALSE(store.Find(kPosition, {.evaluation = "net"}).has_value());
}

TEST_F(SqliteStoreTest, DeeperResultsReplaceShallowerOnes) {
  SqliteStore store(Options());
  store.Put(kPosition, Result(10, 1000, 1, "ten"));
  store.Put(kPosition, Result(9, 9000, 1, "nine"));
  store.Flush();
  EXPECT_EQ(store.Find(kPosition, {})->analysis, "ten");
  store.Put(kPosition, Result(10, 2000, 1, "ten again"));
  store.Flush();
  EXPECT_EQ(store.Find(kPosition, {})->analysis, "ten again");
  StoredResult newer = Result(10, 500, 1, "by another");
  newer.engine = "Kibitz 2";
  store.Put(kPosition, newer);
  store.Flush();
  EXPECT_EQ(store.Find(kPosition, {})->analysis, "by another");
}

TEST_F(SqliteStoreTest, OutlivesTheProcess) {
  {
    SqliteStore(Options()).Put(kPosition, Result(12, 100'000));
  }
  SqliteStore store(Options());
  EXPECT_TRUE(store.Find(kPosition, {}).has_value());
  EXPECT_EQ(store.status().results, 1);
}

TEST_F(SqliteStoreTest, KeepsToItsBound) {
  SqliteStore::Options options = Options();
  options.max_bytes = 1 << 20;
  SqliteStore store(options);
  const std::string large(4000, 'x');
  for (int i = 0; i < 1000; ++i) {
    // What took long stays.
    store.Put(absl::StrCat("position ", i), Result(10, i % 10 == 0 ? 1'000'000'000 : 1000, 1, large));
    if (i % 100 == 99) store.Flush();
  }
  const StoreStatus status = store.status();
  EXPECT_GT(status.evictions, 500);
  EXPECT_LT(std::filesystem::file_size(path_), std::uintmax_t{3} << 19);
  EXPECT_TRUE(store.Find("position 0", {}).has_value()) << "it took long";
  EXPECT_FALSE(store.Find("position 1", {}).has_value());
}

TEST_F(SqliteStoreTest, GoesOnWithoutAFileThatIsBroken) {
  std::ofstream(path_) << std::string(5000, 'x');
  SqliteStore store(Options());
  EXPECT_FALSE(store.status().working);
  store.Put(kPosition, Result(12, 1000));
  store.Flush();
  EXPECT_FALSE(store.Find(kPosition, {}).has_value());
  EXPECT_GT(store.status().failures, 0);
  // Somebody takes it away.
  std::filesystem::remove(path_);
  for (int i = 0; i < 1000 && !store.status().working; ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_TRUE(store.status().working);
  store.Put(kPosition, Result(12, 1000));
  store.Flush();
  EXPECT_TRUE(store.Find(kPosition, {}).has_value());
}

TEST_F(SqliteStoreTest, LeavesTheFilesOfOthersAlone) {
  {
    auto other = SqliteDatabase::Open(path_, SqliteDatabase::Mode::kReadWrite);
    ASSERT_TRUE(other.ok());
    ASSERT_TRUE(other->Run("CREATE TABLE mine (x); INSERT INTO mine VALUES (1);").ok());
  }
  SqliteStore store(Options());
  EXPECT_FALSE(store.status().working);
  auto other = SqliteDatabase::Open(path_, SqliteDatabase::Mode::kReadOnly);
  EXPECT_EQ(*other->Number("SELECT count(*) FROM sqlite_master"), 1);
}

TEST_F(SqliteStoreTest, LeavesTheFilesOfItsFutureAlone) {
  {
    SqliteStore store(Options());
  }
  {
    auto file = SqliteDatabase::Open(path_, SqliteDatabase::Mode::kReadWrite);
    ASSERT_TRUE(file->Run("PRAGMA user_version = 99").ok());
  }
  EXPECT_FALSE(SqliteStore(Options()).status().working);
}

TEST_F(SqliteStoreTest, GoesOnWithoutAFolder) {
  SqliteStore::Options options = Options();
  options.path = folder_ / "no" / "results.db";
  SqliteStore store(options);
  EXPECT_FALSE(store.status().working);
  store.Put(kPosition, Result(1, 1));
  store.Flush();
  EXPECT_EQ(store.status().dropped, 1);
}

TEST_F(SqliteStoreTest, ManyThreadsAtATime) {
  SqliteStore store(Options());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&store, t] {
      for (int i = 0; i < 500; ++i) {
        const std::string position = absl::StrCat("position ", i % 50);
        store.Put(position, Result(1 + (i + t) % 20, 1000 + i));
        const auto found = store.Find(position, {});
        if (found) EXPECT_EQ(found->analysis, "found");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  store.Flush();
  EXPECT_EQ(store.Find("position 7", {})->depth, 20);
}

// A process that is killed in the middle of its writes leaves a file that opens, with nothing in it that is torn.
TEST_F(SqliteStoreTest, SurvivesBeingKilled) {
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      SqliteStore store(Options());
      for (int i = 0;; ++i) {
        const std::string position = absl::StrCat("position ", i % 200);
        store.Put(position, Result(i % 100, i, 1, position + std::string(500, 'x')));
        if (i % 64 == 63) store.Flush();
      }
    }
    std::this_thread::sleep_for(milliseconds(5 + round % 20 * 3));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    SqliteStore store(Options());
    ASSERT_TRUE(store.status().working) << round;
    for (int i = 0; i < 200; ++i) {
      const std::string position = absl::StrCat("position ", i);
      if (const auto found = store.Find(position, {})) {
        ASSERT_EQ(found->analysis, position + std::string(500, 'x'));
      }
    }
  }
  auto file = SqliteDatabase::Open(path_, SqliteDatabase::Mode::kReadOnly);
  auto check = file->Prepare("PRAGMA integrity_check");
  ASSERT_TRUE(check->Step().value());
  EXPECT_EQ(check->Text(0), "ok");
  EXPECT_TRUE(StoreFile::Open(path_)->Check().ok());
}

}  // namespace
}  // namespace kibitz::server
