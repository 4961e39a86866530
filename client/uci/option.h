// The options of a UCI engine: each knows its name, its kind, its bounds, and what happens when it is set.

#ifndef KIBITZ_CLIENT_UCI_OPTION_H_
#define KIBITZ_CLIENT_UCI_OPTION_H_

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kibitz::client::uci {

// What follows once an option has its value. Returns what the user is to be told, or nothing.
using OptionEffect = std::function<std::string()>;

// An option sets a value that is somebody else's, and that outlives it.
class Option {
 public:
  static Option Check(std::string name, bool& value, OptionEffect effect = nullptr);
  static Option Spin(std::string name, int& value, int min, int max, OptionEffect effect = nullptr);
  static Option Text(std::string name, std::string& value, OptionEffect effect = nullptr);
  // One of some words.
  static Option Combo(std::string name, std::string& value, std::vector<std::string> words,
                      OptionEffect effect = nullptr);
  // A text that is not shown. The empty one that stands for it changes nothing.
  static Option Secret(std::string name, std::string& value, OptionEffect effect = nullptr);
  static Option Button(std::string name, OptionEffect effect);

  const std::string& name() const { return name_; }
  bool IsSecret() const {
    const auto* const text = std::get_if<TextKind>(&kind_);
    return text != nullptr && text->secret;
  }
  // The "option" line of the answer to "uci". The default is the value of now.
  std::string Declaration() const;
  // Sets the value, and returns what the user is to be told. A value that is none is told, and changes nothing.
  std::string Set(const std::string& value) const;

 private:
  struct CheckKind {
    bool& value;
  };
  struct SpinKind {
    int& value;
    int min;
    int max;
  };
  struct TextKind {
    std::string& value;
    bool secret;
  };
  struct ComboKind {
    std::string& value;
    std::vector<std::string> words;
  };
  struct ButtonKind {};
  using Kind = std::variant<CheckKind, SpinKind, TextKind, ComboKind, ButtonKind>;

  Option(std::string name, Kind kind, OptionEffect effect)
      : name_(std::move(name)), kind_(std::move(kind)), effect_(std::move(effect)) {}

  static std::string Declare(const CheckKind& check);
  static std::string Declare(const SpinKind& spin);
  static std::string Declare(const TextKind& text);
  static std::string Declare(const ComboKind& combo);
  static std::string Declare(const ButtonKind&) { return "button"; }
  // Each returns nothing, or what the value should be.
  static std::string Assign(const CheckKind& check, const std::string& value);
  static std::string Assign(const SpinKind& spin, const std::string& value);
  static std::string Assign(const TextKind& text, const std::string& value);
  static std::string Assign(const ComboKind& combo, const std::string& value);
  static std::string Assign(const ButtonKind&, const std::string&) { return ""; }

  std::string name_;
  Kind kind_;
  OptionEffect effect_;
};

class OptionTable {
 public:
  explicit OptionTable(std::vector<Option> options) : options_(std::move(options)) {}

  // The "option" lines of the answer to "uci".
  std::string Declarations() const;
  // Sets an option, named in any case, and returns what the user is to be told, or nothing.
  std::string Set(const std::string& name, const std::string& value) const;

 private:
  std::vector<Option> options_;
};

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_OPTION_H_
