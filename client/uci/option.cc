#include "client/uci/option.h"

#include <fmt/format.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace kibitz::client::uci {
namespace {

// How UCI writes a text with nothing in it.
constexpr char kEmpty[] = "<empty>";

}  // namespace

Option Option::Check(std::string name, bool& value, OptionEffect effect) {
  return {std::move(name), CheckKind{value}, std::move(effect)};
}

Option Option::Spin(std::string name, int& value, int min, int max, OptionEffect effect) {
  return {std::move(name), SpinKind{value, min, max}, std::move(effect)};
}

Option Option::Text(std::string name, std::string& value, OptionEffect effect) {
  return {std::move(name), TextKind{value, /*secret=*/false}, std::move(effect)};
}

Option Option::Combo(std::string name, std::string& value, std::vector<std::string> words, OptionEffect effect) {
  return {std::move(name), ComboKind{value, std::move(words)}, std::move(effect)};
}

Option Option::Secret(std::string name, std::string& value, OptionEffect effect) {
  return {std::move(name), TextKind{value, /*secret=*/true}, std::move(effect)};
}

Option Option::Button(std::string name, OptionEffect effect) {
  return {std::move(name), ButtonKind{}, std::move(effect)};
}

std::string Option::Declaration() const {
  const std::string kind = std::visit([](const auto& each) { return Declare(each); }, kind_);
  return fmt::format("option name {} type {}\n", name_, kind);
}

std::string Option::Set(const std::string& value) const {
  const std::string wanted = std::visit([&](const auto& each) { return Assign(each, value); }, kind_);
  if (!wanted.empty()) return fmt::format("option {} wants {}, not '{}'", name_, wanted, value);
  return effect_ ? effect_() : "";
}

std::string Option::Declare(const CheckKind& check) { return fmt::format("check default {}", check.value); }

std::string Option::Declare(const SpinKind& spin) {
  return fmt::format("spin default {} min {} max {}", spin.value, spin.min, spin.max);
}

std::string Option::Declare(const TextKind& text) {
  return fmt::format("string default {}", text.secret || text.value.empty() ? kEmpty : text.value);
}

std::string Option::Declare(const ComboKind& combo) {
  return fmt::format("combo default {} var {}", combo.value, fmt::join(combo.words, " var "));
}

std::string Option::Assign(const CheckKind& check, const std::string& value) {
  const bool on = absl::EqualsIgnoreCase(value, "true");
  if (!on && !absl::EqualsIgnoreCase(value, "false")) return "true or false";
  check.value = on;
  return "";
}

std::string Option::Assign(const SpinKind& spin, const std::string& value) {
  int number = 0;
  if (!absl::SimpleAtoi(value, &number) || number < spin.min || number > spin.max) {
    return fmt::format("a number from {} to {}", spin.min, spin.max);
  }
  spin.value = number;
  return "";
}

std::string Option::Assign(const TextKind& text, const std::string& value) {
  // A secret is declared as empty whatever it is, and some GUIs send back what was declared.
  if (text.secret && value == kEmpty) return "";
  text.value = value == kEmpty ? "" : value;
  return "";
}

std::string Option::Assign(const ComboKind& combo, const std::string& value) {
  const auto word = std::find_if(combo.words.begin(), combo.words.end(),
                                 [&](const std::string& each) { return absl::EqualsIgnoreCase(each, value); });
  if (word == combo.words.end()) return fmt::format("{}", fmt::join(combo.words, " or "));
  combo.value = *word;
  return "";
}

std::string OptionTable::Declarations() const {
  std::string lines;
  for (const Option& option : options_) lines += option.Declaration();
  return lines;
}

std::string OptionTable::Set(const std::string& name, const std::string& value) const {
  const auto option = std::find_if(options_.begin(), options_.end(),
                                   [&](const Option& each) { return absl::EqualsIgnoreCase(each.name(), name); });
  if (option != options_.end()) return option->Set(value);
  // Without the word "value" a secret is taken for a part of the name.
  const auto secret = std::find_if(options_.begin(), options_.end(), [&](const Option& each) {
    return each.IsSecret() && absl::StartsWithIgnoreCase(name, each.name() + " ");
  });
  if (secret != options_.end()) return fmt::format("option {} wants the word 'value' before its value", secret->name());
  return fmt::format("no such option: {}", name);
}

}  // namespace kibitz::client::uci
