#include "server/store/nats/nats_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "tests/support/nats_server.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr seconds kPatience{30};
constexpr char kPosition[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

bool Await(const std::function<bool()>& condition) {
  const auto end = steady_clock::now() + kPatience;
  while (!condition()) {
    if (steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return true;
}

StoredResult Result(int depth, std::int64_t nodes, int lines = 1, const std::string& analysis = "found") {
  return {.lines = lines,
          .depth = depth,
          .nodes = nodes,
          .engine = "Kibitz 1",
          .evaluation = "net 1",
          .found = system_clock::time_point(seconds(1'700'000'000)),
          .analysis = analysis};
}

std::string NewFolder() {
  static int folders = 0;
  const auto folder = std::filesystem::path(testing::TempDir()) / absl::StrCat("results-", getpid(), "-", ++folders);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// One server of NATS for all tests, each of which has names of its own.
class NatsStoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { nats = new NatsServers(NewFolder(), 1); }
  static void TearDownTestSuite() { delete nats; }

  NatsStoreTest() : prefix_(testing::UnitTest::GetInstance()->current_test_info()->name()) {}

  NatsStore::Options Options() const {
    NatsStore::Options options{.nats = {.url = nats->url()}, .max_bytes = 16 << 20};
    options.nats.prefix = prefix_;
    // A busy machine is no reason to do without.
    options.patience = seconds(10);
    options.pause = milliseconds(20);
    return options;
  }

  static std::unique_ptr<NatsStore> Open(const NatsStore::Options& options) {
    auto store = NatsStore::Open(options);
    EXPECT_TRUE(store.ok()) << store.status();
    EXPECT_TRUE(Await([&] { return (*store)->status().working; }));
    return *std::move(store);
  }
  std::unique_ptr<NatsStore> Open() const { return Open(Options()); }

  static inline NatsServers* nats = nullptr;
  const std::string prefix_;
};

TEST_F(NatsStoreTest, GivesBackWhatAnotherNodeHasPut) {
  const auto one = Open();
  const auto other = Open();
  EXPECT_FALSE(other->Find(kPosition, {}).has_value());
  const StoredResult result = Result(12, 100'000, 1, std::string("\0bytes\xff", 7));
  one->Put(kPosition, result);
  one->Flush();
  EXPECT_EQ(other->Find(kPosition, {}), result);
  EXPECT_FALSE(other->Find("another", {}).has_value());
  EXPECT_EQ(one->status().writes, 1);
  EXPECT_EQ(other->status().hits, 1);
  EXPECT_EQ(other->status().misses, 2);
}

TEST_F(NatsStoreTest, GivesOnlyWhatWouldDo) {
  const auto store = Open();
  store->Put(kPosition, Result(12, 100'000));
  store->Put(kPosition, Result(8, 50'000, 3));
  store->Flush();
  EXPECT_EQ(store->Find(kPosition, {.min_depth = 12})->depth, 12);
  EXPECT_FALSE(store->Find(kPosition, {.min_depth = 13}).has_value());
  EXPECT_FALSE(store->Find(kPosition, {.min_nodes = 100'001}).has_value());
  EXPECT_EQ(store->Find(kPosition, {.lines = 2})->depth, 8);
  EXPECT_FALSE(store->Find(kPosition, {.lines = 4}).has_value());
  EXPECT_TRUE(store->Find(kPosition, {.engine = "Kibitz 1", .evaluation = "net 1"}).has_value());
  EXPECT_FALSE(store->Find(kPosition, {.engine = "Kibitz 2"}).has_value());
  EXPECT_FALSE(store->Find(kPosition, {.evaluation = "classical"}).has_value());
}

TEST_F(NatsStoreTest, DeeperResultsReplaceShallowerOnes) {
  const auto store = Open();
  const auto put = [&](const StoredResult& result) {
    store->Put(kPosition, result);
    store->Flush();
    return store->Find(kPosition, {})->analysis;
  };
  EXPECT_EQ(put(Result(10, 1000, 1, "ten")), "ten");
  EXPECT_EQ(put(Result(9, 9000, 1, "nine")), "ten");
  EXPECT_EQ(put(Result(10, 2000, 1, "ten again")), "ten again");
  StoredResult newer = Result(10, 500, 1, "by another");
  newer.engine = "Kibitz 2";
  EXPECT_EQ(put(newer), "by another");
}

TEST_F(NatsStoreTest, LosesNothingThatTwoNodesPutAtOnce) {
  const auto one = Open();
  const auto other = Open();
  // Of each number of lines there is one result, and the deepest stays.
  for (int depth = 1; depth <= 20; ++depth) {
    one->Put(kPosition, Result(depth, 1000 * depth, 1));
    other->Put(kPosition, Result(depth, 1000 * depth, 2));
  }
  one->Flush();
  other->Flush();
  EXPECT_EQ(one->Find(kPosition, {.lines = 2})->depth, 20);
  // All that were asked for less are answered by the deepest of all.
  EXPECT_EQ(other->Find(kPosition, {})->depth, 20);
}

TEST_F(NatsStoreTest, KeepsToItsBound) {
  NatsStore::Options options = Options();
  options.max_bytes = 256 << 10;
  const auto store = Open(options);
  const std::string large(10'000, 'x');
  for (int i = 0; i < 100; ++i) store->Put(absl::StrCat("position ", i), Result(10, 1000, 1, large));
  store->Flush();
  EXPECT_FALSE(store->Find("position 0", {}).has_value());
  EXPECT_TRUE(store->Find("position 99", {}).has_value());
}

TEST_F(NatsStoreTest, SearchesGoOnWithoutNatsAndWithItAgain) {
  NatsServers servers(NewFolder(), 1);
  NatsStore::Options options = Options();
  options.nats.url = servers.url();
  const auto store = Open(options);
  store->Put(kPosition, Result(12, 100'000));
  store->Flush();
  servers.Kill(0);
  // A search that asks is not held up for long, and the next one not at all.
  EXPECT_FALSE(store->Find(kPosition, {}).has_value());
  store->Put("lost", Result(1, 1));
  EXPECT_TRUE(Await([&] { return !store->status().working; }));
  const auto start = steady_clock::now();
  EXPECT_FALSE(store->Find(kPosition, {}).has_value());
  EXPECT_LT(steady_clock::now() - start, seconds(5));
  EXPECT_GT(store->status().failures, 0);
  servers.Restart(0);
  EXPECT_TRUE(Await([&] { return store->Find(kPosition, {}).has_value(); }));
}

TEST_F(NatsStoreTest, StartsBeforeNatsDoes) {
  NatsServers servers(NewFolder(), 1);
  servers.Kill(0);
  NatsStore::Options options = Options();
  options.nats.url = servers.url();
  auto store = NatsStore::Open(options);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_FALSE((*store)->Find(kPosition, {}).has_value());
  servers.Restart(0);
  EXPECT_TRUE(Await([&] {
    (*store)->Put(kPosition, Result(3, 30));
    (*store)->Flush();
    return (*store)->Find(kPosition, {}).has_value();
  }));
}

TEST(NatsStoreOptionsTest, SaysWhatCanNeverDo) {
  NatsStore::Options options{.nats = {.url = "nats://127.0.0.1:1"}};
  options.nats.tls_ca = "/nowhere/ca.pem";
  EXPECT_EQ(NatsStore::Open(options).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace kibitz::server
