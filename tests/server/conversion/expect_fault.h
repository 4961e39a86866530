// What a refused request must say.

#ifndef KIBITZ_TESTS_SERVER_CONVERSION_EXPECT_FAULT_H_
#define KIBITZ_TESTS_SERVER_CONVERSION_EXPECT_FAULT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/status/statusor.h"
#include "server/errors/errors.h"

namespace kibitz::server {

inline void ExpectFault(const absl::Status& status, const std::string& field, const std::string& reason,
                        const std::string& words) {
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status.message();
  EXPECT_EQ(FaultOf(status).field, field);
  EXPECT_EQ(ReasonOf(status), reason);
  EXPECT_THAT(FaultOf(status).description, ::testing::HasSubstr(words));
}

}  // namespace kibitz::server

#endif  // KIBITZ_TESTS_SERVER_CONVERSION_EXPECT_FAULT_H_
