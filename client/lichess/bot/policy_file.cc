#include "client/lichess/bot/policy_file.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "server/files/files.h"

// toml++ 3.3 takes for granted what its assertions say: here they are always on, and throw. See server/keys.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : throw std::logic_error("it is not TOML"))
#include "toml++/toml.h"

namespace kibitz::client::lichess {
namespace {

constexpr std::size_t kMaxBytes = 256 << 10;

using Faults = std::vector<std::string>;

void Complain(Faults& faults, const toml::source_region& where, absl::string_view what) {
  faults.push_back(absl::StrCat("line ", where.begin.line, ": ", what));
}

// "3+2": minutes and seconds, as players write it.
bool ParseClock(const std::string& text, ClockControl& clock) {
  const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('+', 1));
  double minutes = 0;
  double seconds = 0;
  if (!absl::SimpleAtod(parts.first, &minutes) || !absl::SimpleAtod(parts.second, &seconds)) return false;
  if (!(minutes >= 0 && minutes <= 180 && seconds >= 0 && seconds <= 180)) return false;
  clock = {absl::Minutes(minutes), absl::Seconds(seconds)};
  return true;
}

// One table of the file. Each reader takes a field, if it is there, and complains of what it is not.
class Table {
 public:
  Table(const toml::table& root, const char* name, Faults& faults) : name_(name), faults_(faults) {
    const toml::node* const node = root.get(name);
    if (node == nullptr) return;
    table_ = node->as_table();
    if (table_ == nullptr)
      Complain(faults_, node->source(), absl::StrCat(name, ": is not a table: write [", name, "]"));
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;
  // All fields are asked for by then: others are unknown.
  ~Table() {
    if (table_ == nullptr) return;
    for (const auto& [name, node] : *table_) {
      const std::string field(name.str());
      if (known_.contains(field)) continue;
      Complain(faults_, name.source(),
               absl::StrCat(name_, ".", field, ": is not known: there are ", absl::StrJoin(known_, ", ")));
    }
  }

  void Flag(const char* field, bool& value) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    if (!node->is_boolean()) return Wrong(field, *node, "is neither true nor false");
    value = *node->value<bool>();
  }
  template <typename Number>
  void Whole(const char* field, Number& value, std::int64_t least, std::int64_t most) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    const auto number = node->is_integer() ? node->value<std::int64_t>() : std::nullopt;
    if (!number || *number < least || *number > most) {
      return Wrong(field, *node, absl::StrCat("is not a whole number from ", least, " to ", most));
    }
    value = static_cast<Number>(*number);
  }
  void Seconds(const char* field, absl::Duration& value, double least, double most) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    const auto number = node->is_number() ? node->value<double>() : std::nullopt;
    if (!number || !(*number >= least && *number <= most)) {
      return Wrong(field, *node, absl::StrCat("is not a number of seconds from ", least, " to ", most));
    }
    value = absl::Seconds(*number);
  }
  void Text(const char* field, std::string& value, std::size_t most) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    if (!node->is_string()) return Wrong(field, *node, "is not a text between quotes");
    std::string text = *node->value<std::string>();
    if (text.size() > most) return Wrong(field, *node, absl::StrCat("is longer than ", most, " bytes"));
    value = std::move(text);
  }
  template <typename Choice>
  void OneOf(const char* field, Choice& value, std::initializer_list<std::pair<const char*, Choice>> choices) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    const std::string text = node->value<std::string>().value_or("");
    std::vector<std::string> names;
    for (const auto& [name, choice] : choices) {
      if (node->is_string() && text == name) {
        value = choice;
        return;
      }
      names.push_back(absl::StrCat("\"", name, "\""));
    }
    Wrong(field, *node, absl::StrCat("is none of ", absl::StrJoin(names, ", ")));
  }
  // A list of texts, each of which `take` accepts, or says what it is not.
  template <typename Take>
  void List(const char* field, Take take) {
    const toml::node* const node = Find(field);
    if (node == nullptr) return;
    const toml::array* const list = node->as_array();
    if (list == nullptr) return Wrong(field, *node, "is not a list: write [\"...\", \"...\"]");
    for (const toml::node& item : *list) {
      const std::string fault = item.is_string() ? take(*item.value<std::string>()) : "is not a text between quotes";
      if (!fault.empty()) Wrong(field, item, fault);
    }
  }

 private:
  const toml::node* Find(const char* field) {
    known_.insert(field);
    return table_ == nullptr ? nullptr : table_->get(field);
  }
  void Wrong(const char* field, const toml::node& node, absl::string_view what) {
    Complain(faults_, node.source(), absl::StrCat(name_, ".", field, ": ", what));
  }

  const std::string name_;
  Faults& faults_;
  const toml::table* table_ = nullptr;
  std::set<std::string> known_;
};

void ReadNames(Table& table, const char* field, std::vector<std::string>& names) {
  table.List(field, [&](const std::string& name) -> std::string {
    if (name.empty() || name.size() > 64) return "is not the name of a player";
    names.push_back(name);
    return "";
  });
}

void ReadChallenges(const toml::table& root, Faults& faults, ChallengePolicy& policy) {
  Table table(root, "challenges", faults);
  table.Flag("accept", policy.accept);
  std::vector<std::string> variants;
  table.List("variants", [&](const std::string& name) -> std::string {
    if (name != "standard" && name != "chess960" && name != "fromPosition") {
      return "is none of \"standard\", \"chess960\", \"fromPosition\"";
    }
    variants.push_back(name);
    return "";
  });
  if (!variants.empty()) policy.variants = variants;
  table.Flag("rated", policy.rated);
  table.Flag("casual", policy.casual);
  table.Flag("bots", policy.bots);
  table.Flag("people", policy.people);
  table.Seconds("min_initial", policy.min_initial, 0, 10'800);
  table.Seconds("max_initial", policy.max_initial, 0, 10'800);
  table.Seconds("min_increment", policy.min_increment, 0, 180);
  table.Seconds("max_increment", policy.max_increment, 0, 180);
  table.Whole("min_rating", policy.min_rating, 0, 5000);
  table.Whole("max_rating", policy.max_rating, 0, 5000);
  ReadNames(table, "block", policy.block);
  ReadNames(table, "only", policy.only);
  table.Whole("max_games", policy.max_games, 1, 100);
  table.Whole("max_games_per_opponent", policy.max_games_per_opponent, 1, 100);
  table.Whole("games_per_opponent_a_day", policy.games_per_opponent_a_day, 1, 10'000);
  table.Whole("bot_games_a_day", policy.bot_games_a_day, 0, 100);
}

void ReadPlay(const toml::table& root, Faults& faults, PlayPolicy& policy) {
  Table table(root, "play", faults);
  table.Flag("ponder", policy.ponder);
  table.Text("book", policy.book, 4096);
  table.Whole("book_moves", policy.book_moves, 0, 100);
  table.Whole("strength_elo", policy.strength_elo, 0, 3000);
  table.Flag("human_times", policy.human_times);
  table.Seconds("move_overhead", policy.move_overhead, 0, 5);
  table.Whole("max_nodes", policy.max_nodes, 0, 1'000'000'000'000);
  table.Seconds("max_move_time", policy.max_move_time, 0.01, 3600);
  table.Seconds("correspondence_time", policy.correspondence_time, 0.01, 3600);
  table.Whole("threads", policy.threads, 1, 256);
  table.OneOf<TakebackPolicy>(
      "takebacks", policy.takebacks,
      {{"never", TakebackPolicy::kNever}, {"casual", TakebackPolicy::kCasual}, {"always", TakebackPolicy::kAlways}});
  table.Whole("takebacks_per_game", policy.takebacks_per_game, 0, 100);
  table.Flag("claim_victory", policy.claim_victory);
  table.Seconds("abort_after", policy.abort_after, 5, 600);
}

void ReadEnds(const toml::table& root, Faults& faults, BotPolicy& policy) {
  Table draw(root, "draw", faults);
  draw.Flag("offer", policy.draw.offer);
  draw.Flag("accept", policy.draw.accept);
  draw.Whole("centipawns", policy.draw.centipawns, 0, 1000);
  draw.Whole("moves", policy.draw.moves, 1, 200);
  draw.Whole("from_move", policy.draw.from_move, 1, 500);
  Table resign(root, "resign", faults);
  resign.Whole("moves", policy.resign.moves, 0, 200);
  resign.Whole("centipawns", policy.resign.centipawns, 100, 100'000);
  Table stop(root, "stop", faults);
  stop.OneOf<StopPolicy>(
      "games", policy.on_stop,
      {{"finish", StopPolicy::kFinish}, {"resign", StopPolicy::kResign}, {"leave", StopPolicy::kLeave}});
  stop.Seconds("grace", policy.grace, 0, 86'400);
}

void ReadTalk(const toml::table& root, Faults& faults, BotPolicy& policy) {
  Table chat(root, "chat", faults);
  chat.Flag("commands", policy.chat.commands);
  chat.Text("greeting", policy.chat.greeting, 140);
  chat.Text("goodbye", policy.chat.goodbye, 140);
  Table matchmaking(root, "matchmaking", faults);
  matchmaking.Flag("on", policy.matchmaking.on);
  matchmaking.Seconds("idle", policy.matchmaking.idle, 1, 86'400);
  std::vector<ClockControl> clocks;
  matchmaking.List("clocks", [&](const std::string& text) -> std::string {
    return ParseClock(text, clocks.emplace_back()) ? "" : "is not a clock such as \"3+2\": minutes and seconds";
  });
  if (!clocks.empty()) policy.matchmaking.clocks = clocks;
  matchmaking.Flag("rated", policy.matchmaking.rated);
  matchmaking.Whole("rating_distance", policy.matchmaking.rating_distance, 0, 5000);
  matchmaking.Seconds("pause_per_opponent", policy.matchmaking.pause_per_opponent, 0, 604'800);
}

void ReadAll(const toml::table& root, Faults& faults, BotPolicy& policy) {
  ReadChallenges(root, faults, policy.challenges);
  ReadPlay(root, faults, policy.play);
  ReadEnds(root, faults, policy);
  ReadTalk(root, faults, policy);
  static constexpr std::array kTables = {"challenges", "play", "draw", "resign", "stop", "chat", "matchmaking"};
  for (const auto& [name, node] : root) {
    if (std::find(kTables.begin(), kTables.end(), name.str()) != kTables.end()) continue;
    Complain(faults, name.source(),
             absl::StrCat(std::string(name.str()), ": is not known: there are [", absl::StrJoin(kTables, "], ["), "]"));
  }
}

// What each field for itself cannot know.
void CheckWhole(const BotPolicy& policy, Faults& faults) {
  const ChallengePolicy& challenges = policy.challenges;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) faults.emplace_back(what);
  };
  require(challenges.min_initial <= challenges.max_initial, "challenges.min_initial: is more than max_initial");
  require(challenges.min_increment <= challenges.max_increment, "challenges.min_increment: is more than max_increment");
  require(challenges.min_rating <= challenges.max_rating, "challenges.min_rating: is more than max_rating");
  require(challenges.rated || challenges.casual, "challenges: neither rated nor casual games leaves none");
  require(challenges.bots || challenges.people, "challenges: neither bots nor people leaves nobody");
  const int elo = policy.play.strength_elo;
  require(elo == 0 || elo >= 1000, "play.strength_elo: is not 0 (full strength) or from 1000 to 3000");
}

}  // namespace

absl::StatusOr<BotPolicy> ParsePolicy(std::string_view toml) {
  BotPolicy policy;
  Faults faults;
  try {
    ReadAll(toml::parse(toml), faults, policy);
    CheckWhole(policy, faults);
  } catch (const toml::parse_error& error) {
    Complain(faults, error.source(), std::string(error.description()));
  } catch (const std::logic_error& error) {
    faults.emplace_back(error.what());
  }
  if (faults.empty()) return policy;
  return absl::InvalidArgumentError(absl::StrJoin(faults, "\n"));
}

absl::StatusOr<BotPolicy> ReadPolicyFile(const std::string& path) {
  const absl::StatusOr<std::string> text = server::ReadFile(path, kMaxBytes);
  if (!text.ok()) return text.status();
  absl::StatusOr<BotPolicy> policy = ParsePolicy(*text);
  if (policy.ok()) return policy;
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": ", absl::StrReplaceAll(policy.status().message(), {{"\n", absl::StrCat("\n", path, ": ")}})));
}

}  // namespace kibitz::client::lichess
