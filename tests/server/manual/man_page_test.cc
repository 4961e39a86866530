#include "server/manual/man_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <string>

namespace kibitz::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ManPageTest : public ::testing::Test {
 protected:
  ManPageTest() {
    app_.add_option("--listen", listen_, "HOST:PORT to listen on")->envname("DEMO_LISTEN")->capture_default_str();
    app_.footer("Examples:\n  demo --listen 'a\\b'\n.hidden");
    CLI::App* keys = app_.add_subcommand("keys", "Look after keys");
    CLI::App* add = keys->add_subcommand("add", "Make a key");
    add->add_option("NAME", name_, "Whose it is")->required();
    add->add_option("--level", level_, "How much")->check(CLI::IsMember({"low", "high"}));
  }

  std::string Page() const { return ManPage(app_, {.section = 8, .version = "Demo 1.2", .see_also = "other(1)"}); }

  CLI::App app_{"demo: a program of no use.", "demo"};
  std::string listen_ = "127.0.0.1:1";
  std::string name_;
  std::string level_;
};

TEST_F(ManPageTest, BeginsAsManWantsIt) {
  EXPECT_TRUE(Page().starts_with(".TH DEMO 8 \"\" \"Demo 1.2\" \"Kibitz\"\n.SH NAME\ndemo \\- a program of no use\n"))
      << Page();
}

TEST_F(ManPageTest, TellsOfOptionsTheirDefaultsAndTheirVariables) {
  EXPECT_THAT(Page(), HasSubstr("\\fB\\-\\-listen\\fR \\fITEXT\\fR\nHOST:PORT to listen on\n(default: 127.0.0.1:1)\n"));
  EXPECT_THAT(Page(), HasSubstr(".SH ENVIRONMENT\n.TP\n\\fBDEMO_LISTEN\\fR\nStands for \\-\\-listen"));
}

TEST_F(ManPageTest, TellsOfCommandsWithinCommands) {
  EXPECT_THAT(Page(),
              HasSubstr(".SS demo keys add\nMake a key.\n.PP\n\\fBdemo keys add\\fR [\\fIOPTIONS\\fR] \\fINAME"));
  EXPECT_THAT(Page(), HasSubstr("\\fB\\-\\-level\\fR \\fIlow|high\\fR\n"));
}

TEST_F(ManPageTest, LetsNoTextBeARequest) {
  EXPECT_THAT(Page(), HasSubstr("\n\\&.hidden\n"));
  EXPECT_THAT(Page(), HasSubstr("'a\\eb'"));
  EXPECT_THAT(Page(), Not(HasSubstr("\n'")));
}

TEST_F(ManPageTest, NamesOtherPages) { EXPECT_TRUE(Page().ends_with(".SH SEE ALSO\nother(1)\n")); }

}  // namespace
}  // namespace kibitz::server
