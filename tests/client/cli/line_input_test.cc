#include "client/cli/line_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace kibitz::client {
namespace {

class LineInputTest : public testing::Test {
 protected:
  LineInputTest() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~LineInputTest() override {
    close(ends_[0]);
    EndWriting();
  }

  void Write(const std::string& text) {
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void EndWriting() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  int reading_end() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{};
};

TEST_F(LineInputTest, GivesLinesUpToTheEnd) {
  LineInput input(reading_end());
  Write("one\n\ntwo\nlast");
  EndWriting();
  std::string line;
  for (const char* expected : {"one", "", "two", "last"}) {
    ASSERT_TRUE(input.Next(line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_FALSE(input.Next(line));
  EXPECT_FALSE(input.Next(line));
}

TEST_F(LineInputTest, IsReadyForWhatIsThere) {
  LineInput input(reading_end());
  std::string line;
  EXPECT_FALSE(input.IsReady());
  Write("one\nhalf a");
  EXPECT_TRUE(input.IsReady());
  ASSERT_TRUE(input.Next(line));
  EXPECT_FALSE(input.IsReady());  // half a line is none
  Write(" line\nmore");
  EXPECT_TRUE(input.IsReady());
  ASSERT_TRUE(input.Next(line));
  EXPECT_EQ(line, "half a line");
  EXPECT_FALSE(input.IsReady());
  EndWriting();
  EXPECT_TRUE(input.IsReady());
  ASSERT_TRUE(input.Next(line));
  EXPECT_EQ(line, "more");
  EXPECT_TRUE(input.IsReady());
  EXPECT_FALSE(input.Next(line));
}

TEST_F(LineInputTest, TakesLinesLongerThanWhatItReads) {
  LineInput input(reading_end());
  const std::string part(40'000, 'x');
  std::string line;
  Write(part);
  EXPECT_FALSE(input.IsReady());
  Write(part + "\n");
  ASSERT_TRUE(input.Next(line));
  EXPECT_EQ(line, part + part);
}

}  // namespace
}  // namespace kibitz::client
