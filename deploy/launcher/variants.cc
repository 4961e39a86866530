#include "deploy/launcher/variants.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "deploy/launcher/processor.h"

namespace kibitz::launcher {
namespace {

bool Runs(const Processor& processor, const Variant& variant) { return processor.level >= variant.level; }

bool Suits(const Processor& processor, const Variant& variant) {
  return Runs(processor, variant) && (processor.fast_pext || !variant.wants_fast_pext);
}

std::string NamesOf(const std::vector<Variant>& variants) {
  std::string names;
  for (const Variant& variant : variants) names.append(names.empty() ? "" : ", ").append(variant.name);
  return names;
}

}  // namespace

const std::vector<Variant>& AllVariants() {
  static const std::vector<Variant> variants = {
      {.name = "x86-64-v3", .level = 3, .wants_fast_pext = true},
      {.name = "x86-64-v3-magic", .level = 3},
      {.name = "x86-64-v2", .level = 2},
  };
  return variants;
}

std::vector<std::string_view> Choose(const Processor& processor, std::string_view wanted, std::string& problem) {
  std::vector<std::string_view> chosen;
  bool is_known = wanted.empty();
  for (const Variant& variant : AllVariants()) {
    is_known |= variant.name == wanted;
    const bool fits = wanted.empty() ? Suits(processor, variant) : variant.name == wanted && Runs(processor, variant);
    if (fits) chosen.push_back(variant.name);
  }
  if (!chosen.empty()) return chosen;
  if (!is_known) {
    problem = "there is no variant '" + std::string(wanted) + "': set KIBITZ_VARIANT to one of " +
              NamesOf(AllVariants()) + ", or to nothing";
  } else if (!wanted.empty()) {
    problem = "this processor cannot run the variant '" + std::string(wanted) + "': set KIBITZ_VARIANT to nothing";
  } else {
    problem = "this processor has no SSE4.2 and POPCNT (x86-64-v2, 2009 on): build Kibitz from its sources on it";
  }
  return chosen;
}

std::string ProgramOf(std::string_view launcher, std::string_view variant) {
  const std::filesystem::path path(launcher);
  return path.parent_path().parent_path() / "lib" / "kibitz" / variant / path.filename();
}

}  // namespace kibitz::launcher
