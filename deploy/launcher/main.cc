// Installed as kibitz and as kibitzd: becomes the fastest build of that program that this processor can run. So one
// package serves every machine of a farm, and the hot code holds no choice that each call would pay for.

#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "deploy/launcher/processor.h"
#include "deploy/launcher/variants.h"

namespace kibitz::launcher {
namespace {

constexpr int kExitFailed = 1;

// Where this program is. Not argv[0]: that is whatever the caller says.
std::filesystem::path OwnPath() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  // In a chroot without /proc there is still what the kernel was asked to run.
  if (error) path = std::filesystem::canonical(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), error);
  return path;
}

int Launch(char** argv) {
  const std::string self = OwnPath();
  const std::string name = std::filesystem::path(self).filename();
  const char* const wanted = std::getenv("KIBITZ_VARIANT");
  std::string problem;
  for (const std::string_view variant : Choose(ThisProcessor(), wanted == nullptr ? "" : wanted, problem)) {
    const std::string program = ProgramOf(self, variant);
    execv(program.c_str(), argv);
    const int error = errno;
    problem = program + ": " + std::strerror(error) + ": install the package again";
    // A variant may be left out where nobody needs it.
    if (error != ENOENT) break;
  }
  std::fprintf(stderr, "%s: %s\n", name.c_str(), problem.c_str());
  return kExitFailed;
}

}  // namespace
}  // namespace kibitz::launcher

int main(int /*argc*/, char** argv) { return kibitz::launcher::Launch(argv); }
