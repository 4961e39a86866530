#include "client/cli/top_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace kibitz::client {
namespace {

v1::ServerStatus BusyServer() {
  v1::ServerStatus status;
  status.set_version("Kibitz 9");
  status.mutable_uptime()->set_seconds(3 * 3600 + 12 * 60);
  status.set_workers(2);
  status.set_running_workers(2);
  status.set_live(40);
  status.set_max_live(1000);
  status.mutable_oldest_live()->set_seconds(12);
  status.set_queued(3);
  status.set_max_queued(2000);
  status.set_search_nodes_per_second(2'410'000);
  status.set_hash_mb(64);
  status.set_hashfull(612);
  for (const char* name : {"club", "", "school"}) {
    v1::TenantStatus& tenant = *status.add_tenants();
    tenant.set_name(name);
  }
  status.mutable_tenants(0)->set_live(10);
  status.mutable_tenants(1)->set_live(25);
  status.mutable_tenants(2)->set_live(5);
  status.mutable_tenants(2)->set_search_nodes_per_second(2'000'000);
  v1::Refusals& refusals = *status.mutable_tenants(0)->add_refusals();
  refusals.set_reason("QUEUE_FULL");
  refusals.set_count(12);
  v1::MethodStatus& method = *status.add_methods();
  method.set_method("/kibitz.v1.AnalysisService/Analyze");
  method.set_open(43);
  return status;
}

ServerView ViewOf(const std::string& address, const v1::ServerStatus& status) {
  ServerView view{.address = address};
  view.Update(status);
  return view;
}

std::string Text(const std::vector<ServerView>& servers, TopOrder order = TopOrder::kRate) {
  std::string text;
  for (const TopLine& line : TopLines(servers, order, /*blocks=*/false)) text += line.text + "\n";
  return text;
}

void ExpectInOrder(const std::string& text, const std::vector<std::string>& words) {
  std::size_t at = 0;
  for (const std::string& word : words) {
    at = text.find(word, at);
    ASSERT_NE(at, std::string::npos) << word << " in\n" << text;
  }
}

TEST(TopTextTest, OneServerIsShownInFull) {
  ExpectInOrder(Text({ViewOf("127.0.0.1:50051", BusyServer())}),
                {"127.0.0.1:50051  Kibitz 9, up for 3 h 12 min\n", "workers    2 of 2 run\n",
                 "live       40 of 1,000 (oldest 12.0 s)\n", "queued     3 of 2,000\n", "nodes/s    2.41 M",
                 "table      [############--------] 61.2 % of 64 MiB\n", "refused    QUEUE_FULL 12\n", "TENANT",
                 "AnalysisService/Analyze"});
}

TEST(TopTextTest, AStoreAndJobsAreShownWhereThereAreSome) {
  EXPECT_EQ(Text({ViewOf("a:1", BusyServer())}).find("store"), std::string::npos);
  v1::ServerStatus status = BusyServer();
  v1::StoreStatus& store = *status.mutable_store();
  store.set_working(true);
  store.set_results(1234);
  store.set_bytes(5 << 20);
  store.set_max_bytes(1 << 30);
  store.set_hits(3);
  store.set_misses(1);
  v1::JobsStatus& jobs = *status.mutable_jobs();
  jobs.set_running(2);
  jobs.set_waiting_parts(40);
  jobs.mutable_oldest_part()->set_seconds(7);
  const ServerView view = ViewOf("a:1", status);
  ExpectInOrder(
      Text({view}),
      {"store      1,234 results in 5 MiB of 1,024 MiB, 3 of 4 answered\n",
       "jobs       2 running, 0 queued; parts: 0 run, 40 wait (oldest 7.00 s), 0 done, 0 set aside; they cannot"});
  const std::vector<TopLine> lines = TopLines({view}, TopOrder::kRate, /*blocks=*/false);
  const auto alert = std::find_if(lines.begin(), lines.end(),
                                  [](const TopLine& line) { return line.style == TopLine::Style::kAlert; });
  ASSERT_NE(alert, lines.end());
  EXPECT_EQ(alert->text.find("jobs"), 0u);
}

TEST(TopTextTest, TenantsAreSorted) {
  const std::vector<ServerView> servers{ViewOf("a:1", BusyServer())};
  ExpectInOrder(Text(servers, TopOrder::kRate), {"\nschool", "\n(anonymous)", "\nclub"});
  ExpectInOrder(Text(servers, TopOrder::kLive), {"\n(anonymous)", "\nclub", "\nschool"});
  ExpectInOrder(Text(servers, TopOrder::kRefused), {"\nclub", "\n(anonymous)", "\nschool"});
  ExpectInOrder(Text(servers, TopOrder::kName), {"\n(anonymous)", "\nclub", "\nschool"});
}

TEST(TopTextTest, OrdersGoRound) {
  TopOrder order = TopOrder::kRate;
  std::vector<std::string> names;
  do {
    names.push_back(NameOf(order));
    order = NextOrder(order);
  } while (order != TopOrder::kRate && names.size() < 10);
  EXPECT_EQ(names, (std::vector<std::string>{"nodes/s", "live", "queued", "refused", "name"}));
}

TEST(TopTextTest, SeveralServersAreALineEachAndTheirTenantsAdded) {
  const std::string text = Text({ViewOf("a:1", BusyServer()), ViewOf("b:2", BusyServer())});
  ExpectInOrder(text, {"SERVER", "a:1", "2.41 M", "b:2", "refused    QUEUE_FULL 24\n", "school", "4.00 M", "club"});
  EXPECT_EQ(text.find("METHOD"), std::string::npos) << text;
}

TEST(TopTextTest, AServerThatDoesNotAnswerIsSaidAndItsLastWordStays) {
  ServerView view = ViewOf("a:1", BusyServer());
  view.Fail("no server at a:1");
  const std::vector<TopLine> lines = TopLines({view}, TopOrder::kRate, /*blocks=*/false);
  EXPECT_EQ(lines[1].text, "no server at a:1");
  EXPECT_EQ(lines[1].style, TopLine::Style::kAlert);
  EXPECT_GT(lines.size(), 5u);
  view.Update(BusyServer());
  EXPECT_EQ(Text({view}).find("no server"), std::string::npos);
  ServerView silent{.address = "b:2"};
  silent.Fail("no server at b:2");
  EXPECT_EQ(Text({silent}), "b:2\nno server at b:2\n");
}

TEST(TopTextTest, ASparklineRisesAndFalls) {
  EXPECT_EQ(Sparkline({}, false), "");
  EXPECT_EQ(Sparkline({0, 0}, false), "  ");
  EXPECT_EQ(Sparkline({0, 1, 50, 100, 0}, false), " .=# ");
  EXPECT_EQ(Sparkline({100, 1}, true), "█▁");
}

TEST(TopTextTest, KeepsTheRatesOfAMinute) {
  ServerView view{.address = "a:1"};
  for (int i = 0; i < 100; ++i) view.Update(BusyServer());
  EXPECT_EQ(view.rates.size(), 60u);
}

}  // namespace
}  // namespace kibitz::client
