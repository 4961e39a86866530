#include "client/lichess/external_engine/offer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kibitz::client::lichess {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr OfferCaps kCaps{.max_threads = 4, .max_depth = 100};
constexpr char kStart[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

// An offer whose work has these members besides those that are always there.
std::string OfferWith(const std::string& members, const std::string& variant = "\"chess\"") {
  return std::string(R"({"id":"abc","engine":{},"work":{"sessionId":"s","hash":64,"variant":)") + variant +
         R"(,"initialFen":")" + kStart + R"(")" + members + "}}";
}

v1::AnalyzeRequest RequestOf(const std::string& text) {
  const auto offer = ParseOffer(text, kCaps);
  EXPECT_TRUE(offer.ok()) << offer.status();
  if (!offer.ok()) return {};
  EXPECT_TRUE(offer->request.ok()) << offer->request.status();
  return offer->request.value_or(v1::AnalyzeRequest());
}

std::string FaultOf(const std::string& text) {
  const auto offer = ParseOffer(text, kCaps);
  if (!offer.ok()) return "no offer: " + std::string(offer.status().message());
  EXPECT_EQ(offer->id, "abc");
  return std::string(offer->request.status().message());
}

TEST(OfferTest, BecomesARequest) {
  const auto request = RequestOf(OfferWith(R"(,"moves":["e2e4","e7e5"],"threads":2,"multiPv":3,"depth":20)"));
  EXPECT_EQ(request.position().fen(), kStart);
  EXPECT_EQ(request.position().variant(), v1::VARIANT_CHESS960);
  EXPECT_THAT(request.position().moves(), ElementsAre("e2e4", "e7e5"));
  EXPECT_EQ(request.threads(), 2);
  EXPECT_EQ(request.multi_pv(), 3);
  EXPECT_EQ(request.limits().depth(), 20);
  EXPECT_FALSE(request.limits().infinite());
}

TEST(OfferTest, EndsByEachLimitOrByNone) {
  EXPECT_EQ(RequestOf(OfferWith(R"(,"moves":[],"nodes":5000)")).limits().nodes(), 5000);
  const auto timed = RequestOf(OfferWith(R"(,"moves":[],"movetime":2500,"depth":null)"));
  EXPECT_EQ(timed.limits().movetime().seconds(), 2);
  EXPECT_EQ(timed.limits().movetime().nanos(), 500'000'000);
  EXPECT_FALSE(timed.limits().infinite());
  EXPECT_TRUE(RequestOf(OfferWith(R"(,"moves":[],"infinite":true)")).limits().infinite());
}

TEST(OfferTest, StaysWithinTheCaps) {
  const auto request = RequestOf(OfferWith(R"(,"moves":[],"threads":64,"multiPv":50,"depth":9000000000)"));
  EXPECT_EQ(request.threads(), 4);
  EXPECT_EQ(request.multi_pv(), 5);
  EXPECT_EQ(request.limits().depth(), 100);
}

TEST(OfferTest, NamesWhatIsWrong) {
  EXPECT_THAT(FaultOf("{"), HasSubstr("no JSON"));
  EXPECT_THAT(FaultOf("[]"), HasSubstr("id"));
  EXPECT_THAT(FaultOf(R"({"id":7,"work":{}})"), HasSubstr("id"));
  EXPECT_THAT(FaultOf(R"({"id":"abc","work":[]})"), HasSubstr("work is no object"));
  EXPECT_THAT(FaultOf(OfferWith(R"(,"moves":[])", "\"atomic\"")), HasSubstr("work.variant is 'atomic'"));
  EXPECT_THAT(FaultOf(OfferWith("")), HasSubstr("work.moves is no array"));
  EXPECT_THAT(FaultOf(OfferWith(R"(,"moves":["e2e4",5])")), HasSubstr("work.moves[1] is no text"));
  EXPECT_THAT(FaultOf(OfferWith(R"(,"moves":[],"depth":0)")), HasSubstr("work.depth"));
  EXPECT_THAT(FaultOf(OfferWith(R"(,"moves":[],"threads":"many")")), HasSubstr("work.threads"));
  EXPECT_THAT(FaultOf(OfferWith(R"(,"moves":[],"hash":-1)")), HasSubstr("work.hash"));
  EXPECT_THAT(FaultOf(R"({"id":"abc","work":{"variant":"chess","moves":[]}})"), HasSubstr("work.initialFen"));
  EXPECT_THAT(FaultOf(std::string(1000, '[')), HasSubstr("levels deep"));
}

}  // namespace
}  // namespace kibitz::client::lichess
