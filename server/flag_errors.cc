#include "server/flag_errors.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

constexpr char kConfig[] = "--config";

// What is asked of the program by these is not to be done now.
constexpr const char* kQuestions[] = {"--help", "--version", "--man", "--completion"};

// A flag that was given, and where.
struct Given {
  std::string where;  // what an error begins with: "--workers", "KIBITZ_WORKERS", "kibitzd.toml:3: workers"
  std::string flag;   // "--workers"
  std::optional<std::string> value;
};

class Search {
 public:
  explicit Search(const DeclareFlags& declare) : declare_(declare) { declare_(app_); }

  std::vector<std::string> Find(const std::vector<std::string>& command_line) {
    ReadCommandLine(command_line);
    ReadEnvironment();
    if (!config_.empty()) ReadFile(config_);
    // The command line last, as it wins.
    std::vector<std::string> faults;
    for (auto given = given_.rbegin(); given != given_.rend(); ++given) Check(*given, faults);
    errors_.insert(errors_.end(), faults.rbegin(), faults.rend());
    return std::move(errors_);
  }

 private:
  void ReadCommandLine(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      const std::size_t equals = word.find('=');
      const std::string name = word.substr(0, equals);
      const CLI::Option* const option = absl::StartsWith(word, "-") ? app_.get_option_no_throw(name) : nullptr;
      if (option == nullptr) {
        errors_.push_back(absl::StrCat(Printable(name), ": there is no such flag; --help lists them"));
        continue;
      }
      Given given{.where = name, .flag = option->get_name(), .value = std::nullopt};
      if (equals != std::string::npos) {
        given.value = word.substr(equals + 1);
      } else if (option->get_items_expected_max() > 0 && i + 1 < words.size()) {
        given.value = words[++i];
      }
      Add(std::move(given));
    }
  }

  void ReadEnvironment() {
    for (const CLI::Option* option : app_.get_options()) {
      const std::string name = option->get_envname();
      const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
      // The command line wins.
      if (value == nullptr || (option->get_name() == kConfig && !config_.empty())) continue;
      Add({.where = name, .flag = option->get_name(), .value = value});
    }
  }

  void ReadFile(const std::string& path) {
    std::vector<CLI::ConfigItem> items;
    try {
      items = CLI::ConfigTOML().from_file(path);
    } catch (const CLI::Error& error) {
      errors_.push_back(absl::StrCat(path, ": cannot be read: ", error.what()));
      return;
    }
    for (const CLI::ConfigItem& item : items) {
      const std::string name = item.fullname();
      // How CLI11 tells of sections.
      if (item.name == "++" || item.name == "--") continue;
      const std::string where = absl::StrCat(path, LineOf(path, item.name), ": ", Printable(name));
      if (app_.get_option_no_throw("--" + name) == nullptr) {
        errors_.push_back(
            absl::StrCat(where, ": there is no such setting; --help lists them, here without the dashes"));
        continue;
      }
      Add({.where = where, .flag = "--" + name, .value = absl::StrJoin(item.inputs, " ")});
    }
  }

  // ":3", or nothing where it is not to be found.
  static std::string LineOf(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
      ++number;
      absl::string_view rest = absl::StripLeadingAsciiWhitespace(line);
      if (absl::ConsumePrefix(&rest, name) && absl::StartsWith(absl::StripLeadingAsciiWhitespace(rest), "=")) {
        return absl::StrCat(":", number);
      }
    }
    return "";
  }

  // As CLI11 wants them: the last first.
  static std::vector<std::string> WordsOf(const Given& given) {
    if (!given.value.has_value()) return {given.flag};
    // Nothing after the sign would be no value at all.
    if (given.value->empty()) return {"", given.flag};
    return {absl::StrCat(given.flag, "=", *given.value)};
  }

  void Add(Given given) {
    if (given.flag == kConfig) config_ = given.value.value_or("");
    given_.push_back(std::move(given));
  }

  void Check(const Given& given, std::vector<std::string>& faults) {
    // The file is looked at apart.
    if (given.flag == kConfig) return;
    for (const char* question : kQuestions) {
      if (given.flag == question) return;
    }
    CLI::App alone;
    declare_(alone);
    for (CLI::Option* each : alone.get_options()) each->envname("");
    alone.set_config();
    try {
      alone.parse(WordsOf(given));
    } catch (const CLI::ParseError& error) {
      const absl::string_view what = error.what();
      faults.push_back(absl::StrCat(given.where, ": ", absl::StripPrefix(what, given.flag + ": ")));
    }
  }

  const DeclareFlags& declare_;
  CLI::App app_;
  std::string config_;
  std::vector<Given> given_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> FindFlagErrors(const DeclareFlags& declare, const std::vector<std::string>& command_line) {
  return Search(declare).Find(command_line);
}

}  // namespace kibitz::server
