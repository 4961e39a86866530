#include "server/rpc/call_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "spdlog/sinks/ostream_sink.h"
#include "spdlog/spdlog.h"
#include "tests/server/rpc/fake_call.h"

namespace kibitz::server {
namespace {

using std::chrono::milliseconds;

// What goes to the log.
class CallLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = spdlog::default_logger();
    auto logger = std::make_shared<spdlog::logger>("", std::make_shared<spdlog::sinks::ostream_sink_st>(lines_));
    logger->set_pattern("%l %v");
    spdlog::set_default_logger(std::move(logger));
    call_.set_request_id("an-id");
  }
  void TearDown() override { spdlog::set_default_logger(before_); }

  std::string Logged() {
    std::string lines = lines_.str();
    lines_.str("");
    return lines;
  }

  const CallOutcome well_{.code = absl::StatusCode::kOk, .reason = "", .duration = milliseconds(2)};
  FakeCall call_;
  std::ostringstream lines_;
  std::shared_ptr<spdlog::logger> before_;
};

TEST_F(CallLogTest, ALineSaysWhoAskedWhatAndWhatCameOfIt) {
  call_.Identify(std::make_shared<const Tenant>(Tenant{.name = "club"}), Role::kAnalyse);
  call_.work().CountTask();
  call_.work().SetPosition(0x1234);
  call_.work().SetFirstUpdate(milliseconds(1));
  call_.work().CountEnd(5000, "DEPTH");
  CallLog(100).Record(call_, well_);
  EXPECT_EQ(Logged(),
            "info call request_id=an-id method=/kibitz.v1.AnalysisService/LegalMoves peer=ipv4:127.0.0.1:1 tenant=club "
            "position=0000000000001234 nodes=5000 stop_reason=DEPTH code=OK duration_ms=2.0 first_update_ms=1.0\n");
}

TEST_F(CallLogTest, AFailureSaysWhy) {
  CallLog(100).Record(
      call_, {.code = absl::StatusCode::kInvalidArgument, .reason = "INVALID_FEN", .duration = milliseconds(1)});
  EXPECT_EQ(Logged(),
            "info call request_id=an-id method=/kibitz.v1.AnalysisService/LegalMoves peer=ipv4:127.0.0.1:1 "
            "code=INVALID_ARGUMENT reason=INVALID_FEN duration_ms=1.0\n");
}

TEST_F(CallLogTest, OfCheapCallsOneInSoManyIsLoggedAndSaysSo) {
  CallLog log(10);
  for (int i = 0; i < 25; ++i) log.Record(call_, well_);
  const std::string lines = Logged();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3) << lines;
  EXPECT_NE(lines.find(" one_in=10\n"), std::string::npos) << lines;
  // Those with something to search are logged all.
  call_.work().CountTask();
  for (int i = 0; i < 5; ++i) log.Record(call_, well_);
  const std::string searches = Logged();
  EXPECT_EQ(std::count(searches.begin(), searches.end(), '\n'), 5) << searches;
  EXPECT_EQ(searches.find("one_in"), std::string::npos) << searches;
}

TEST_F(CallLogTest, AFloodIsCounted) {
  CallLog log(1);
  for (int i = 0; i < 1000; ++i) log.Record(call_, well_);
  const std::string lines = Logged();
  // It may be two seconds that we look at.
  EXPECT_LE(std::count(lines.begin(), lines.end(), '\n'), 102) << lines;
}

TEST_F(CallLogTest, NothingThatACallerSendsBreaksALine) {
  call_.name = "/a\nb \x1b[31m";
  call_.from = "peer code=OK";
  CallLog(1).Record(call_, well_);
  EXPECT_EQ(Logged(),
            "info call request_id=an-id method=\"/a\\x0ab \\x1b[31m\" peer=\"peer code=OK\" code=OK "
            "duration_ms=2.0\n");
}

}  // namespace
}  // namespace kibitz::server
