// What the fake engines have in common, whichever protocol they speak: they play the first legal move by name, and do
// what their arguments say at certain moves.

#ifndef KIBITZ_TESTS_CLIENT_MATCH_FAKE_MIND_H_
#define KIBITZ_TESTS_CLIENT_MATCH_FAKE_MIND_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"

namespace kibitz {

class FakeMind {
 public:
  // The arguments are NAME, or NAME=NUMBER.
  explicit FakeMind(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      const std::pair<std::string, std::string> parts = absl::StrSplit(argument, absl::MaxSplits('=', 1));
      if (!absl::SimpleAtoi(parts.second, &settings_[parts.first])) settings_[parts.first] = 1;
    }
  }

  bool Has(const std::string& name) const { return settings_.contains(name); }
  int Number(const std::string& name) const { return settings_.at(name); }
  // Whether the number of an argument is that of its own move now, counted from 1 in each game.
  bool IsDue(const std::string& name) const { return Has(name) && Number(name) == moves_; }

  void NewGame() {
    position_ = Position();
    moves_ = 0;
  }
  void SetPosition(absl::string_view fen) { position_ = *ParseFen(fen); }
  // Returns whether the move is legal.
  bool Play(absl::string_view name) {
    const auto move = ParseUciMove(position_, name);
    if (move.ok()) position_.MakeMove(*move);
    return move.ok();
  }

  // Begins its next move.
  void Begin() { ++moves_; }
  std::string FirstMove() const {
    std::string first;
    for (const Move move : LegalMoves(position_)) {
      const std::string name = ToUci(move, position_.variant());
      if (first.empty() || name < first) first = name;
    }
    return first;
  }

 private:
  std::map<std::string, int> settings_;
  Position position_;
  int moves_ = 0;
};

}  // namespace kibitz

#endif  // KIBITZ_TESTS_CLIENT_MATCH_FAKE_MIND_H_
