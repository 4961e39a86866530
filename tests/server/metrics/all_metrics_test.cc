#include "server/metrics/all_metrics.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "prometheus/text_serializer.h"

namespace kibitz::server {
namespace {

std::string Text(const ServerStatus& status) { return prometheus::TextSerializer().Serialize(AllMetrics(status)); }

TEST(AllMetricsTest, NamesAreThoseThatPrometheusWantsAndDifferent) {
  ServerStatus status;
  status.certificate_expiry = std::chrono::system_clock::time_point();
  std::set<std::string> names;
  for (const auto& family : AllMetrics(status)) {
    EXPECT_TRUE(std::regex_match(family.name, std::regex("(kibitz|process)_[a-z_]+"))) << family.name;
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_FALSE(family.help.empty()) << family.name;
    const bool counter = family.type == prometheus::MetricType::Counter;
    EXPECT_EQ(counter, std::regex_search(family.name, std::regex("_total$"))) << family.name;
  }
}

TEST(AllMetricsTest, BucketsAreCumulative) {
  ServerStatus status;
  Durations durations;
  for (const int ms : {1, 1, 40, 4'000'000}) durations.Add(std::chrono::milliseconds(ms));
  status.first_updates = durations.counts();
  const std::string text = Text(status);
  for (const char* line :
       {"kibitz_first_update_seconds_bucket{le=\"0.001\"} 2\n", "kibitz_first_update_seconds_bucket{le=\"0.05\"} 3\n",
        "kibitz_first_update_seconds_bucket{le=\"3600\"} 3\n", "kibitz_first_update_seconds_bucket{le=\"+Inf\"} 4\n",
        "kibitz_first_update_seconds_count 4\n", "kibitz_first_update_seconds_sum 4000.042\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(AllMetricsTest, TenantsHaveALineWhetherTheyAreBusyOrNot) {
  ServerStatus status;
  status.ledger["club"] = {.search_nodes = 7, .refusals = {{"QUEUE_FULL", 3}}};
  status.ledger[""] = {};
  status.survey.tenants[""] = {.live = 2, .queued = 1};
  const std::string text = Text(status);
  for (const char* line :
       {"kibitz_live_tasks{tenant=\"(anonymous)\"} 2\n", "kibitz_live_tasks{tenant=\"club\"} 0\n",
        "kibitz_queued_tasks{tenant=\"(anonymous)\"} 1\n", "kibitz_search_nodes_total{tenant=\"club\"} 7\n",
        "kibitz_refusals_total{reason=\"QUEUE_FULL\",tenant=\"club\"} 3\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(AllMetricsTest, LabelsAreEscaped) {
  ServerStatus status;
  status.build = "a \"b\"\n\\c";
  EXPECT_NE(Text(status).find("build=\"a \\\"b\\\"\\n\\\\c\""), std::string::npos) << Text(status);
}

TEST(AllMetricsTest, WithoutTlsThereIsNoExpiry) {
  ServerStatus status;
  EXPECT_EQ(Text(status).find("certificate"), std::string::npos);
  status.certificate_expiry = std::chrono::system_clock::from_time_t(1'800'000'000);
  EXPECT_NE(Text(status).find("kibitz_certificate_expiry_timestamp_seconds 1800000000\n"), std::string::npos);
}

}  // namespace
}  // namespace kibitz::server
