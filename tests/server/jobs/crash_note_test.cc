#include "server/jobs/crash_note.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "absl/strings/str_cat.h"

namespace kibitz::server {
namespace {

class CrashNoteTest : public testing::Test {
 protected:
  ~CrashNoteTest() override { std::filesystem::remove(path_); }

  // How a process ends that notes its crashes and then does that. It tells by its code whether the one before had one.
  int StatusOf(const std::function<void()>& end) {
    const pid_t child = fork();
    if (child == 0) {
      const bool crashed = NoteCrashes(path_);
      end();
      _exit(crashed ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  bool Crashed() {
    const int status = StatusOf([] {});
    EXPECT_TRUE(WIFEXITED(status));
    return WEXITSTATUS(status) == 1;
  }

  const std::string path_ = std::filesystem::path(testing::TempDir()) / absl::StrCat("crash-", getpid());
};

TEST_F(CrashNoteTest, TellsACrashFromOtherEnds) {
  EXPECT_FALSE(Crashed());
  EXPECT_FALSE(Crashed());
  EXPECT_EQ(WTERMSIG(StatusOf([] { std::abort(); })), SIGABRT);
  EXPECT_TRUE(Crashed());
  EXPECT_FALSE(Crashed()) << "it is told once";
  EXPECT_EQ(WTERMSIG(StatusOf([] { raise(SIGSEGV); })), SIGSEGV);
  EXPECT_TRUE(Crashed());
  EXPECT_EQ(WTERMSIG(StatusOf([] { raise(SIGKILL); })), SIGKILL);
  EXPECT_FALSE(Crashed());
  EXPECT_EQ(WTERMSIG(StatusOf([] { raise(SIGTERM); })), SIGTERM);
  EXPECT_FALSE(Crashed());
}

TEST_F(CrashNoteTest, DoesWithoutAFile) { EXPECT_FALSE(NoteCrashes("/no/such/folder/note")); }

}  // namespace
}  // namespace kibitz::server
