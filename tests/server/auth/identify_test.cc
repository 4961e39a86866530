#include "server/auth/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "server/auth/access.h"
#include "server/errors/errors.h"
#include "server/keys/key.h"
#include "server/keys/key_file.h"
#include "tests/server/rpc/fake_call.h"

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(AccessTest, ProbesNeedNoKeyAndAdminsTheirOwn) {
  EXPECT_EQ(AccessOf("/grpc.health.v1.Health/Check"), Access::kOpen);
  EXPECT_EQ(AccessOf("/grpc.health.v1.Health/Watch"), Access::kOpen);
  EXPECT_EQ(AccessOf("/kibitz.v1.AdminService/GetStatus"), Access::kAdminKey);
  EXPECT_EQ(AccessOf("/kibitz.v1.AnalysisService/Analyze"), Access::kAnyKey);
  EXPECT_EQ(AccessOf("/kibitz.v1.AnalysisService/GetServerInfo"), Access::kAnyKey);
  EXPECT_EQ(AccessOf("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"), Access::kAnyKey);
  EXPECT_EQ(AccessOf("/nobody.knows/This"), Access::kAnyKey);
  EXPECT_EQ(AccessOf(""), Access::kAnyKey);
}

class IdentifyTest : public ::testing::Test {
 protected:
  IdentifyTest() : path_(::testing::TempDir() + "/identify_XXXXXX") {
    close(mkstemp(path_.data()));
    std::string text = WithKey("", Entry(user_, Role::kAnalyse), Quota{.max_depth = 10});
    text = WithKey(text, Entry(admin_, Role::kAdmin), std::nullopt);
    KeyEntry expired = Entry(expired_, Role::kAdmin);
    expired.expires = absl::Now() - absl::Seconds(1);
    EXPECT_TRUE(ReplaceFile(path_, WithKey(text, expired, std::nullopt)).ok());
    store_ = *KeyStore::Open(path_);
    step_ = std::make_unique<Identify>(*store_, GuessLimit::Bounds{.guesses = 5});
  }
  ~IdentifyTest() override { unlink(path_.c_str()); }

  static KeyEntry Entry(const Key& key, Role role) {
    return {.id = key.id, .tenant = "site", .role = role, .digest = DigestOf(key.text), .created = absl::Now()};
  }

  absl::Status Enter(FakeCall& call, const std::string& shown) {
    if (!shown.empty()) call.sent["authorization"] = shown;
    return step_->Enter(call);
  }
  // What somebody hears who shows this.
  absl::Status Enter(const std::string& shown) {
    FakeCall call;
    return Enter(call, shown);
  }

  const Key user_ = *MakeKey(), admin_ = *MakeKey(), expired_ = *MakeKey();
  std::string path_;
  std::unique_ptr<KeyStore> store_;
  std::unique_ptr<Identify> step_;
};

TEST_F(IdentifyTest, AKeyTellsWhoCalls) {
  FakeCall call;
  ASSERT_TRUE(Enter(call, "Bearer " + user_.text).ok());
  EXPECT_EQ(call.tenant()->name, "site");
  EXPECT_EQ(call.tenant()->quota.max_depth, 10);
  EXPECT_EQ(call.role(), Role::kAnalyse);
}

TEST_F(IdentifyTest, TheSchemeMayBeSpelledAsOneLikes) {
  EXPECT_TRUE(Enter("bearer " + user_.text).ok());
  EXPECT_TRUE(Enter("BEARER  " + user_.text + " ").ok());
}

TEST_F(IdentifyTest, WithoutAKeyNobodyGetsIn) {
  for (const char* shown : {"", "Bearer", "Bearer ", "Basic abc", "kbz_"}) {
    const absl::Status status = Enter(shown);
    EXPECT_EQ(status.code(), absl::StatusCode::kUnauthenticated) << shown;
    EXPECT_EQ(ReasonOf(status), "MISSING_KEY") << shown;
  }
}

TEST_F(IdentifyTest, AllGuessesHearTheSame) {
  std::string wrong_secret = user_.text;
  wrong_secret.back() = wrong_secret.back() == 'a' ? 'b' : 'a';
  const absl::Status expected = Enter("Bearer x");
  EXPECT_EQ(expected.code(), absl::StatusCode::kUnauthenticated);
  EXPECT_EQ(ReasonOf(expected), "UNKNOWN_KEY");
  for (const std::string& guess : {wrong_secret, MakeKey()->text, user_.id}) {
    const absl::Status status = Enter("Bearer " + guess);
    EXPECT_EQ(status, expected);
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr(guess)));
  }
}

TEST_F(IdentifyTest, AnExpiredKeyIsToldAsThat) { EXPECT_EQ(ReasonOf(Enter("Bearer " + expired_.text)), "EXPIRED_KEY"); }

TEST_F(IdentifyTest, AdminsAlone) {
  FakeCall call;
  call.name = "/kibitz.v1.AdminService/GetStatus";
  const absl::Status status = Enter(call, "Bearer " + user_.text);
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(ReasonOf(status), "ADMIN_ONLY");
  EXPECT_TRUE(Enter(call, "Bearer " + admin_.text).ok());
  EXPECT_EQ(call.role(), Role::kAdmin);
}

TEST_F(IdentifyTest, ProbesAreNotAsked) {
  FakeCall call;
  call.name = "/grpc.health.v1.Health/Check";
  EXPECT_TRUE(Enter(call, "").ok());
  EXPECT_TRUE(Enter(call, "Bearer nonsense").ok());
}

TEST_F(IdentifyTest, WhoGuessesIsToldToWaitAndNobodyElse) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(ReasonOf(Enter("Bearer " + MakeKey()->text)), "UNKNOWN_KEY");
  std::string wrong_secret = user_.text;
  wrong_secret.back() = wrong_secret.back() == 'a' ? 'b' : 'a';
  for (const std::string& guess : {MakeKey()->text, wrong_secret, std::string("x")}) {
    const absl::Status status = Enter("Bearer " + guess);
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_EQ(ReasonOf(status), "TOO_MANY_WRONG_KEYS");
  }
  // Its neighbours at the same address get in, and elsewhere a wrong key is told as that.
  EXPECT_TRUE(Enter("Bearer " + user_.text).ok());
  FakeCall elsewhere;
  elsewhere.from = "ipv4:127.0.0.2:1";
  EXPECT_EQ(ReasonOf(Enter(elsewhere, "Bearer x")), "UNKNOWN_KEY");
}

}  // namespace
}  // namespace kibitz::server
