#include "client/match/xboard_features.h"

#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace kibitz::client {
namespace {

using Feature = std::pair<absl::string_view, absl::string_view>;

// Takes the next NAME=VALUE off a line; nothing at its end. Values with spaces stand in quotation marks.
std::optional<Feature> NextFeature(absl::string_view& line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  const std::size_t sign = line.find('=');
  if (sign == absl::string_view::npos) return std::nullopt;
  const absl::string_view name = line.substr(0, sign);
  line.remove_prefix(sign + 1);
  const bool quoted = absl::ConsumePrefix(&line, "\"");
  const absl::string_view value = line.substr(0, line.find(quoted ? '"' : ' '));
  line.remove_prefix(value.size());
  if (quoted) absl::ConsumePrefix(&line, "\"");
  return Feature(name, value);
}

// "Resign Threshold -spin 800 200 1200" without what kind of option it is.
std::string OptionName(absl::string_view description) {
  return std::string(description.substr(0, description.find(" -")));
}

}  // namespace

std::string XboardFeatures::Read(absl::string_view line) {
  const std::map<absl::string_view, bool*> switches = {
      {"ping", &ping},     {"setboard", &setboard}, {"usermove", &usermove}, {"time", &time},
      {"memory", &memory}, {"smp", &smp},           {"reuse", &reuse}};
  absl::ConsumePrefix(&line, "feature");
  std::string answers;
  while (const std::optional<Feature> feature = NextFeature(line)) {
    const auto& [name, value] = *feature;
    const bool on = value != "0";
    if (const auto place = switches.find(name); place != switches.end()) *place->second = on;
    if (name == "option") options.push_back(OptionName(value));
    if (name == "done") done = on;
    const bool refused = on && (name == "san" || name == "ics" || name == "playother");
    absl::StrAppend(&answers, refused ? "rejected " : "accepted ", name, "\n");
  }
  return answers;
}

}  // namespace kibitz::client
