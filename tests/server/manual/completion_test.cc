#include "server/manual/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CompletionTest : public ::testing::Test {
 protected:
  CompletionTest() {
    app_.set_help_flag();
    CLI::App* run = app_.add_subcommand("run", "Run");
    run->set_help_flag();
    run->add_option("--key-file", text_, "")->type_name("FILE");
    run->add_option("--tables", text_, "")->type_name("FOLDER[:FOLDER...]");
    run->add_option("--server", text_, "")->type_name("HOST:PORT");
    run->add_option("--who", text_, "")->type_name("me|you");
    run->add_flag("--json", json_, "");
    run->add_option("--secret", text_, "")->group("");
  }

  CLI::App app_{"", "demo"};
  std::string text_;
  bool json_ = false;
};

TEST_F(CompletionTest, SortsOptionsByTheirValues) {
  EXPECT_THAT(BashCompletion(app_),
              HasSubstr("'demo run') words='--key-file --tables --server --who --json' files='--key-file' "
                        "folders='--tables' others='--server --who' ;;"));
}

TEST_F(CompletionTest, OffersChoices) {
  EXPECT_THAT(BashCompletion(app_), HasSubstr("'demo run --who') words='me you' ;;"));
}

TEST_F(CompletionTest, OffersCommands) {
  EXPECT_THAT(BashCompletion(app_), HasSubstr("    'demo') words='run' ;;"));
  EXPECT_THAT(BashCompletion(app_), HasSubstr("complete -F _demo demo\n"));
}

TEST_F(CompletionTest, DoesNotTellWhatIsHidden) { EXPECT_THAT(BashCompletion(app_), Not(HasSubstr("--secret"))); }

}  // namespace
}  // namespace kibitz::server
