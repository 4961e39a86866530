#include "client/match/player_spec.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/match/uci_player.h"
#include "client/match/xboard_player.h"

namespace kibitz::client {
namespace {

using Setting = std::pair<std::string, std::string>;

template <typename Number, typename Parse>
absl::Status Read(const Setting& setting, Parse parse, Number& number) {
  if (parse(setting.second, &number)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(setting.first, "=", setting.second, ": that is no number"));
}

absl::Status ReadTime(const Setting& setting, absl::Duration unit, absl::Duration& time) {
  double number = 0;
  if (absl::Status status = ReadNumber(setting, number); !status.ok()) return status;
  if (number < 0) return absl::InvalidArgumentError(absl::StrCat(setting.first, " is negative"));
  time = unit * number;
  return absl::OkStatus();
}

// A program whose path has spaces is taken for what it is.
std::vector<std::string> CommandWords(const std::string& command) {
  if (FindProgram(command)) return {command};
  return absl::StrSplit(command, ' ', absl::SkipEmpty());
}

// Forgets the limits that came before: a player's own take the place of those for all.
void ForgetLimits(TimeControl& control) {
  const absl::Duration margin = control.margin;
  control = TimeControl();
  control.margin = margin;
}

absl::Status ReadProtocol(const std::string& name, EngineProtocol& protocol) {
  if (name != "uci" && name != "xboard") {
    return absl::InvalidArgumentError(absl::StrCat("protocol=", name, " is unknown; there are uci and xboard"));
  }
  protocol = name == "uci" ? EngineProtocol::kUci : EngineProtocol::kXboard;
  return absl::OkStatus();
}

absl::Status ApplyOne(const Setting& setting, PlayerSpec& spec) {
  const auto& [key, value] = setting;
  absl::string_view option = key;
  if (absl::ConsumePrefix(&option, "option.")) {
    spec.engine.options.emplace_back(option, value);
    return absl::OkStatus();
  }
  if (key == "cmd") {
    spec.engine.command.words = CommandWords(value);
  } else if (key == "arg") {
    spec.engine.command.words.push_back(value);
  } else if (key == "server") {
    spec.engine.command = OwnEngine(value, spec.server_flags);
    spec.protocol = EngineProtocol::kUci;
    if (spec.name.empty()) spec.name = value;
  } else if (key == "dir") {
    spec.engine.command.folder = value;
  } else if (key == "protocol") {
    return ReadProtocol(value, spec.protocol);
  } else if (key == "name") {
    spec.name = value;
  } else if (key == "tc") {
    return ParseClock(value, spec.control);
  } else if (key == "st") {
    return ReadTime(setting, absl::Seconds(1), spec.control.move_time);
  } else if (key == "margin") {
    return ReadTime(setting, absl::Milliseconds(1), spec.control.margin);
  } else if (key == "nodes") {
    return Read(setting, absl::SimpleAtoi<std::int64_t>, spec.control.nodes);
  } else if (key == "depth") {
    return ReadNumber(setting, spec.control.depth);
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", key, "' is unknown; there are cmd arg server dir protocol name option.NAME tc st nodes depth margin"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words) {
  Settings settings;
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos || sign == 0) {
      return absl::InvalidArgumentError(absl::StrCat("'", word, "' is not KEY=VALUE"));
    }
    settings.emplace_back(word.substr(0, sign), word.substr(sign + 1));
  }
  return settings;
}

absl::Status ReadNumber(const Setting& setting, double& number) {
  return Read(setting, [](const std::string& text, double* out) { return absl::SimpleAtod(text, out); }, number);
}

absl::Status ReadNumber(const Setting& setting, int& number) {
  return Read(setting, [](const std::string& text, int* out) { return absl::SimpleAtoi(text, out); }, number);
}

absl::Status Apply(const Settings& settings, PlayerSpec& spec) {
  const auto is_limit = [](const Setting& setting) {
    return setting.first == "tc" || setting.first == "st" || setting.first == "nodes" || setting.first == "depth";
  };
  if (std::any_of(settings.begin(), settings.end(), is_limit)) ForgetLimits(spec.control);
  for (const Setting& setting : settings) {
    if (absl::Status status = ApplyOne(setting, spec); !status.ok()) return status;
  }
  return absl::OkStatus();
}

EngineProcess::Command OwnEngine(const std::string& server, const std::vector<std::string>& flags) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  // Said even if there is none: the environment may name one.
  EngineProcess::Command command{.words = {program.string(), "uci", "--server", server}};
  command.words.insert(command.words.end(), flags.begin(), flags.end());
  return command;
}

absl::Status CheckPlayer(const PlayerSpec& spec) {
  if (spec.engine.command.words.empty()) {
    return absl::InvalidArgumentError("an --engine needs cmd=PROGRAM or server=HOST:PORT");
  }
  if (!spec.control.IsLimited()) {
    return absl::InvalidArgumentError("say how long the players may think: --tc, --st, --nodes or --depth");
  }
  return spec.protocol == EngineProtocol::kXboard ? CheckXboardLimits(spec.control) : absl::OkStatus();
}

void NamePlayers(std::vector<PlayerSpec>& specs) {
  std::set<std::string> taken;
  for (PlayerSpec& spec : specs) {
    if (spec.name.empty() && !spec.engine.command.words.empty()) {
      const std::string& program = spec.engine.command.words.front();
      spec.name = program.substr(program.rfind('/') + 1);
    }
    const std::string name = spec.name;
    for (int number = 2; !taken.insert(spec.name).second; ++number) spec.name = absl::StrCat(name, " ", number);
  }
}

Contestant MakeContestant(const PlayerSpec& spec) {
  return {
      .name = spec.name,
      .control = spec.control,
      .make_player = [options = spec.engine, protocol = spec.protocol]() -> absl::StatusOr<std::unique_ptr<Player>> {
        if (protocol == EngineProtocol::kXboard) return XboardPlayer::Start(options);
        return UciPlayer::Start(options);
      }};
}

}  // namespace kibitz::client
