#include "server/errors/errors.h"

#include <gtest/gtest.h>

#include <string>

namespace kibitz::server {
namespace {

TEST(ErrorsTest, TellReasonAndWords) {
  const absl::Status status = Failure(absl::StatusCode::kUnavailable, "SHUTTING_DOWN", "it ends");
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "it ends");
  EXPECT_EQ(ReasonOf(status), "SHUTTING_DOWN");
  EXPECT_EQ(FaultOf(status).field, "");
  EXPECT_EQ(FaultOf(status).description, "it ends");
}

TEST(ErrorsTest, NameTheFieldAtFault) {
  const absl::Status status = InvalidField("position.moves[3]", "ILLEGAL_MOVE", "cannot go there");
  EXPECT_EQ(FaultOf(status).field, "position.moves[3]");
  EXPECT_EQ(FaultOf(status).description, "cannot go there");
  EXPECT_EQ(status.message(), "position.moves[3]: cannot go there");
}

TEST(ErrorsTest, TellWhenToComeBack) {
  EXPECT_EQ(RetryAfter(Exhausted("QUEUE_FULL", "full", absl::Milliseconds(2500))), absl::Milliseconds(2500));
  EXPECT_EQ(RetryAfter(Failure(absl::StatusCode::kResourceExhausted, "MESSAGE_TOO_LARGE", "large")), std::nullopt);
}

TEST(ErrorsTest, OthersHaveNoReason) { EXPECT_EQ(ReasonOf(absl::InternalError("broken")), ""); }

TEST(PrintableTest, KeepsPlainText) { EXPECT_EQ(Printable("e2e4 is \"fine\""), "e2e4 is \"fine\""); }

TEST(PrintableTest, EscapesWhatIsNotPrintable) {
  EXPECT_EQ(Printable(absl::string_view("a\0b\n\x7f\xc3\xa9", 7)), "a\\x00b\\x0a\\x7f\\xc3\\xa9");
}

TEST(PrintableTest, CutsLongText) {
  EXPECT_EQ(Printable("0123456789", 10), "0123456789");
  EXPECT_EQ(Printable("0123456789a", 10), "0123456...");
}

TEST(PrintableTest, NeverExceedsTheBoundWithEscapes) {
  for (std::size_t bound = 3; bound < 20; ++bound) EXPECT_LE(Printable(std::string(30, '\n'), bound).size(), bound);
}

}  // namespace
}  // namespace kibitz::server
