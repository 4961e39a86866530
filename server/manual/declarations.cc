#include "server/manual/declarations.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {
namespace {

void ForEachBelow(const std::string& path, const CLI::App& command,
                  const std::function<void(const std::string&, const CLI::App&)>& tell) {
  tell(path, command);
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    ForEachBelow(absl::StrCat(path, " ", below->get_name()), *below, tell);
  }
}

bool IsShown(const CLI::Option& option) { return !option.get_group().empty(); }

}  // namespace

std::vector<const CLI::Option*> OptionsOf(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return IsShown(*option) && option->nonpositional(); });
}

std::vector<const CLI::Option*> ArgumentsOf(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return IsShown(*option) && option->get_positional(); });
}

std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 gives the type, and what its checks have to say after a colon.
std::string ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string type = option.get_type_name();
  const absl::string_view brace = absl::string_view(type).substr(0, type.find(":{"));
  if (brace.size() < type.size()) return std::string(brace);
  // A colon within a word, as in HOST:PORT, is part of it.
  const std::vector<absl::string_view> words = absl::StrSplit(type, ' ');
  const std::size_t colon = words.size() > 1 ? words.front().find(':') : absl::string_view::npos;
  return std::string(words.front().substr(0, colon));
}

std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open != std::string::npos && close != std::string::npos) {
    return absl::StrSplit(type.substr(open + 1, close - open - 1), ',');
  }
  if (type.find('|') != std::string::npos) return absl::StrSplit(type, '|');
  return {};
}

void ForEachCommand(const CLI::App& app,
                    const std::function<void(const std::string& path, const CLI::App& command)>& tell) {
  ForEachBelow(app.get_name(), app, tell);
}

}  // namespace kibitz::server
