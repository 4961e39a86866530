#include "client/cli/words.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace kibitz::client {
namespace {

// Every value of an enumeration of the contract except the unspecified one has words, and no two have the same.
template <typename Enum>
void ExpectWordsForAll(const google::protobuf::EnumDescriptor& enumeration) {
  std::set<std::string_view> seen;
  for (int i = 0; i < enumeration.value_count(); ++i) {
    const int number = enumeration.value(i)->number();
    if (number == 0) continue;
    const std::string_view words = ToWords(static_cast<Enum>(number));
    EXPECT_NE(words, "unknown") << enumeration.value(i)->name();
    EXPECT_TRUE(seen.insert(words).second) << words;
  }
}

TEST(WordsTest, CoverTheWholeContract) {
  ExpectWordsForAll<v1::Color>(*v1::Color_descriptor());
  ExpectWordsForAll<v1::PieceType>(*v1::PieceType_descriptor());
  ExpectWordsForAll<v1::GameStatus>(*v1::GameStatus_descriptor());
  ExpectWordsForAll<v1::StopReason>(*v1::StopReason_descriptor());
}

TEST(WordsTest, AdmitNotToKnowValuesOfANewerServer) {
  EXPECT_EQ(ToWords(static_cast<v1::GameStatus>(999)), "unknown");
  EXPECT_EQ(ToWords(static_cast<v1::StopReason>(999)), "unknown");
}

}  // namespace
}  // namespace kibitz::client
