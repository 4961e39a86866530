#include "server/manual/completion.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "server/manual/declarations.h"

namespace kibitz::server {
namespace {

// What each command knows is filled in; the rest is the same for every program.
constexpr char kScript[] = R"(# Completion of NAME in bash, made from the declarations of its command line.

_NAME() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=NAME word
  local words='' files='' folders='' others='' argument=''
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$command $word" in
      PATHS) command+=" $word" ;;
    esac
  done
  case $command in
COMMANDS  esac
  case "$command $previous" in
CHOICES    *)
      if [[ " $files " == *" $previous "* ]]; then
        argument=file words=''
      elif [[ " $folders " == *" $previous "* ]]; then
        argument=directory words=''
      elif [[ " $others " == *" $previous "* ]]; then
        return
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  if [[ -n $argument && $current != -* ]]; then
    compopt -o filenames
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -A "$argument" -- "$current")
  fi
}

complete -F _NAME NAME
)";

// The names of options by what their values are. What begins with FOLDER may be several, with colons between them.
struct OptionNames {
  std::vector<std::string> all;
  std::vector<std::string> files;
  std::vector<std::string> folders;
  std::vector<std::string> others;
};

OptionNames Sort(const CLI::App& command) {
  OptionNames sorted;
  for (const CLI::Option* option : OptionsOf(command)) {
    const std::string value = ValueOf(*option);
    for (const std::string& name : NamesOf(*option)) {
      sorted.all.push_back(name);
      if (value.empty()) continue;
      (value == "FILE" ? sorted.files : value.starts_with("FOLDER") ? sorted.folders : sorted.others).push_back(name);
    }
  }
  return sorted;
}

std::string WordsOf(const CLI::App& command, const OptionNames& options) {
  std::vector<std::string> words;
  for (const CLI::App* below : command.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(below->get_name());
  }
  for (const CLI::Option* argument : ArgumentsOf(command)) {
    for (const std::string& choice : ChoicesOf(*argument)) words.push_back(choice);
  }
  words.insert(words.end(), options.all.begin(), options.all.end());
  return absl::StrJoin(words, " ");
}

bool TakesFiles(const CLI::App& command) {
  for (const CLI::Option* argument : ArgumentsOf(command)) {
    if (ValueOf(*argument) == "FILE" || argument->get_name(true) == "FILE") return true;
  }
  return false;
}

std::string Assign(absl::string_view name, const std::vector<std::string>& values) {
  return values.empty() ? "" : absl::StrCat(" ", name, "='", absl::StrJoin(values, " "), "'");
}

}  // namespace

std::string BashCompletion(const CLI::App& app) {
  std::vector<std::string> paths;
  std::string commands;
  std::string choices;
  ForEachCommand(app, [&](const std::string& path, const CLI::App& command) {
    const OptionNames options = Sort(command);
    if (&command != &app) paths.push_back(absl::StrCat("'", path, "'"));
    absl::StrAppend(&commands, "    '", path, "') words='", WordsOf(command, options), "'",
                    Assign("files", options.files), Assign("folders", options.folders),
                    Assign("others", options.others), TakesFiles(command) ? " argument=file" : "", " ;;\n");
    for (const CLI::Option* option : OptionsOf(command)) {
      const std::vector<std::string> values = ChoicesOf(*option);
      for (const std::string& name : NamesOf(*option)) {
        if (values.empty()) continue;
        absl::StrAppend(&choices, "    '", path, " ", name, "') words='", absl::StrJoin(values, " "), "' ;;\n");
      }
    }
  });
  if (paths.empty()) paths.push_back("''");
  return absl::StrReplaceAll(
      kScript,
      {{"NAME", app.get_name()}, {"PATHS", absl::StrJoin(paths, " | ")}, {"COMMANDS", commands}, {"CHOICES", choices}});
}

}  // namespace kibitz::server
