#include "server/manual/man_page.h"

#include <map>
#include <set>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "server/manual/declarations.h"

namespace kibitz::server {
namespace {

// Text as roff prints it: every character stands for itself, a hyphen is a minus that can be copied.
std::string Escape(absl::string_view text) { return absl::StrReplaceAll(text, {{"\\", "\\e"}, {"-", "\\-"}}); }

// A line that begins with a dot or a quote would be a request.
std::string Line(absl::string_view text) {
  const bool is_request = !text.empty() && (text.front() == '.' || text.front() == '\'');
  return absl::StrCat(is_request ? "\\&" : "", Escape(text), "\n");
}

std::string Bold(absl::string_view text) { return absl::StrCat("\\fB", Escape(text), "\\fR"); }
std::string Italic(absl::string_view text) { return absl::StrCat("\\fI", Escape(text), "\\fR"); }

// What a program or command is for, without its name before and the full stop after.
std::string Purpose(const CLI::App& command) {
  const std::string description = command.get_description();
  absl::string_view purpose = description;
  absl::ConsumePrefix(&purpose, command.get_name() + ": ");
  absl::ConsumeSuffix(&purpose, ".");
  return std::string(purpose);
}

std::string Synopsis(const std::string& path, const CLI::App& command) {
  std::string line = Bold(path);
  if (!OptionsOf(command).empty()) absl::StrAppend(&line, " [", Italic("OPTIONS"), "]");
  for (const CLI::Option* argument : ArgumentsOf(command)) {
    const std::string name = Italic(argument->get_name(/*positional=*/true));
    absl::StrAppend(&line, " ", argument->get_required() ? name : absl::StrCat("[", name, "]"));
  }
  const bool has_commands = !command.get_subcommands([](const CLI::App*) { return true; }).empty();
  return absl::StrCat(line, has_commands ? " " + Italic("COMMAND") : "", "\n");
}

std::string Entry(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : NamesOf(option)) names.push_back(Bold(name));
  if (names.empty()) names.push_back(Italic(option.get_name(/*positional=*/true)));
  const std::vector<std::string> choices = ChoicesOf(option);
  const std::string value = choices.empty() ? ValueOf(option) : absl::StrJoin(choices, "|");
  std::string entry = absl::StrCat(".TP\n", absl::StrJoin(names, ", "),
                                   option.nonpositional() && !value.empty() ? " " + Italic(value) : "", "\n",
                                   Line(option.get_description()));
  if (!option.get_default_str().empty()) {
    absl::StrAppend(&entry, Line(absl::StrCat("(default: ", option.get_default_str(), ")")));
  }
  return entry;
}

std::string Entries(const CLI::App& command) {
  std::string entries;
  for (const CLI::Option* argument : ArgumentsOf(command)) entries += Entry(*argument);
  for (const CLI::Option* option : OptionsOf(command)) entries += Entry(*option);
  return entries;
}

// What the help ends with, line for line: examples above all.
std::string Ending(const CLI::App& command) {
  const std::string footer(absl::StripAsciiWhitespace(command.get_footer()));
  if (footer.empty()) return "";
  std::string lines = ".PP\n.nf\n";
  for (const absl::string_view line : absl::StrSplit(footer, '\n')) lines += Line(line);
  return lines + ".fi\n";
}

// Each variable, and the options that it stands for.
std::string Environment(const CLI::App& app) {
  std::map<std::string, std::set<std::string>> options_by_variable;
  ForEachCommand(app, [&](const std::string& /*path*/, const CLI::App& command) {
    for (const CLI::Option* option : OptionsOf(command)) {
      if (!option->get_envname().empty()) options_by_variable[option->get_envname()].insert(NamesOf(*option).back());
    }
  });
  if (options_by_variable.empty()) return "";
  std::string entries = ".SH ENVIRONMENT\n";
  for (const auto& [variable, options] : options_by_variable) {
    absl::StrAppend(&entries, ".TP\n", Bold(variable), "\n",
                    Line(absl::StrCat("Stands for ", absl::StrJoin(options, ", "), " where it is not given.")));
  }
  return entries;
}

}  // namespace

std::string ManPage(const CLI::App& app, const ManPageHeading& heading) {
  const std::string& name = app.get_name();
  std::string page = absl::StrCat(".TH ", absl::AsciiStrToUpper(name), " ", heading.section, " \"\" \"",
                                  Escape(heading.version), "\" \"Kibitz\"\n.SH NAME\n", Escape(name), " \\- ",
                                  Line(Purpose(app)), ".SH SYNOPSIS\n", Synopsis(name, app));
  absl::StrAppend(&page, ".SH OPTIONS\n", Entries(app), Ending(app));
  bool first = true;
  ForEachCommand(app, [&](const std::string& path, const CLI::App& command) {
    if (&command == &app) return;
    absl::StrAppend(&page, first ? ".SH COMMANDS\n" : "", ".SS ", Escape(path), "\n", Line(Purpose(command) + "."),
                    ".PP\n", Synopsis(path, command), Entries(command), Ending(command));
    first = false;
  });
  page += Environment(app);
  if (!heading.see_also.empty()) absl::StrAppend(&page, ".SH SEE ALSO\n", Line(heading.see_also));
  return page;
}

}  // namespace kibitz::server
