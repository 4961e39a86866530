// The builds of each program that a package holds, and which of them suits a processor.

#ifndef KIBITZ_DEPLOY_LAUNCHER_VARIANTS_H_
#define KIBITZ_DEPLOY_LAUNCHER_VARIANTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "deploy/launcher/processor.h"

namespace kibitz::launcher {

// Each is a configuration of the build, in .bazelrc, by the same name.
struct Variant {
  std::string_view name;
  int level = 0;
  bool wants_fast_pext = false;
};

// All of them, the fastest first.
const std::vector<Variant>& AllVariants();

// The names of those that a processor can run, the fastest first. A name that is wanted leaves only that one, also
// where another would be faster. Empty, with the reason in `problem`, where there is none.
std::vector<std::string_view> Choose(const Processor& processor, std::string_view wanted, std::string& problem);

// Where the program of a variant is, by where its launcher is: PREFIX/bin/NAME launches PREFIX/lib/kibitz/VARIANT/NAME.
std::string ProgramOf(std::string_view launcher, std::string_view variant);

}  // namespace kibitz::launcher

#endif  // KIBITZ_DEPLOY_LAUNCHER_VARIANTS_H_
