#include "client/cli/connection_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace kibitz::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ConnectionFlagsTest : public ::testing::Test {
 protected:
  ConnectionFlagsTest() {
    for (const char* name : {"KIBITZ_SERVER", "KIBITZ_KEY", "KIBITZ_KEY_FILE", "KIBITZ_TLS", "KIBITZ_TLS_CA"})
      unsetenv(name);
    std::ofstream(file_) << "from_the_file\n";
  }

  absl::StatusOr<ConnectionOptions> Parse(const std::string& line) {
    CLI::App app;
    ConnectionFlags flags;
    AddConnectionFlags(app, flags);
    app.parse(line);
    return ConnectionOf(flags);
  }

  const std::string file_ = ::testing::TempDir() + "/key";
};

TEST_F(ConnectionFlagsTest, AskNobodyByDefault) {
  const auto options = Parse("");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(*options, ConnectionOptions());
}

TEST_F(ConnectionFlagsTest, NameTheServerAndTheKey) {
  const auto options = Parse("--server host:1 --key-file " + file_);
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->server, "host:1");
  EXPECT_EQ(options->key, "from_the_file");
}

TEST_F(ConnectionFlagsTest, MayComeFromTheEnvironment) {
  setenv("KIBITZ_SERVER", "host:2", 1);
  setenv("KIBITZ_KEY", "from_the_environment", 1);
  EXPECT_EQ(Parse("")->server, "host:2");
  EXPECT_EQ(Parse("")->key, "from_the_environment");
  EXPECT_EQ(Parse("--key-file " + file_)->key, "from_the_file");
  setenv("KIBITZ_KEY_FILE", file_.c_str(), 1);
  EXPECT_EQ(Parse("")->key, "from_the_file");
}

TEST_F(ConnectionFlagsTest, NameTheVariableThatHoldsNoKey) {
  setenv("KIBITZ_KEY", "secret word", 1);
  const std::string message = Parse("").status().ToString();
  EXPECT_THAT(message, HasSubstr("KIBITZ_KEY is more than a word"));
  EXPECT_THAT(message, Not(HasSubstr("secret")));
}

TEST_F(ConnectionFlagsTest, FailWithoutTheFile) {
  EXPECT_THAT(Parse("--key-file /no/such").status().ToString(), HasSubstr("the key file /no/such cannot be read"));
}

TEST_F(ConnectionFlagsTest, SayHowToSpeakTls) {
  EXPECT_FALSE(Parse("")->tls.IsOn());
  EXPECT_TRUE(Parse("--tls")->tls.IsOn());
  setenv("KIBITZ_TLS_CA", "/the/ca", 1);
  EXPECT_EQ(Parse("")->tls, (TlsOptions{.ca_file = "/the/ca"}));
  EXPECT_EQ(Parse("--tls-ca /another --tls-client-cert /c --tls-client-key /k --tls-server-name n")->tls,
            (TlsOptions{.ca_file = "/another", .client_cert_file = "/c", .client_key_file = "/k", .server_name = "n"}));
  EXPECT_TRUE(Parse("--insecure")->insecure);
}

TEST_F(ConnectionFlagsTest, CanBeHandedOn) {
  EXPECT_THAT(FlagWords({}), IsEmpty());
  EXPECT_THAT(
      FlagWords({.server = "host:1",
                 .key_file = "/the/key",
                 .tls = {.on = true, .ca_file = "/the/ca", .server_name = "name"},
                 .insecure = true}),
      ElementsAre("--key-file", "/the/key", "--tls", "--tls-ca", "/the/ca", "--tls-server-name", "name", "--insecure"));
  EXPECT_THAT(FlagWords({.key_file = "key"}), ElementsAre("--key-file", std::filesystem::absolute("key").string()));
}

}  // namespace
}  // namespace kibitz::client
