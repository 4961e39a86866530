// A UCI engine for tests: it plays the first legal move by name, and misbehaves when it is told to.
//
// Arguments, in any number: crash=N, hang=N, illegal=N (what it does at its Nth move of a game, from 1), late=N
// (answers that move after a second), silent (answers nothing at all), mute (never gets ready for a game),
// score=CENTIPAWNS.

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/uci_move.h"

namespace kibitz {
namespace {

class FakeEngine {
 public:
  explicit FakeEngine(const std::vector<std::string>& arguments) {
    for (const std::string& argument : arguments) {
      const std::pair<std::string, std::string> parts = absl::StrSplit(argument, absl::MaxSplits('=', 1));
      if (!absl::SimpleAtoi(parts.second, &settings_[parts.first])) settings_[parts.first] = 1;
    }
  }

  void Run() {
    for (std::string line; std::getline(std::cin, line) && line != "quit";) {
      if (Has("silent")) continue;
      if (line == "uci")
        std::cout << "id name fake\noption name UCI_Chess960 type check default false\nuciok" << std::endl;
      if (line == "isready" && !(Has("mute") && games_ > 0)) std::cout << "readyok" << std::endl;
      if (line == "ucinewgame") {
        ++games_;
        moves_ = 0;
      }
      if (absl::StartsWith(line, "position fen ")) SetPosition(line.substr(13));
      if (absl::StartsWith(line, "go")) Go();
    }
  }

 private:
  bool Has(const std::string& name) const { return settings_.contains(name); }
  bool IsDue(const std::string& name) const { return Has(name) && settings_.at(name) == moves_; }

  void SetPosition(const std::string& text) {
    const std::vector<std::string> parts = absl::StrSplit(text, " moves ");
    position_ = *ParseFen(parts[0]);
    if (parts.size() < 2) return;
    for (absl::string_view move : absl::StrSplit(parts[1], ' ')) position_.MakeMove(*ParseUciMove(position_, move));
  }

  void Go() {
    ++moves_;
    if (IsDue("crash")) _exit(3);
    if (IsDue("hang")) return;
    if (IsDue("late")) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (Has("score")) std::cout << "info depth 7 score cp " << settings_.at("score") << " nodes 99 pv e2e4\n";
    std::cout << "bestmove " << (IsDue("illegal") ? "e1e8" : FirstMove()) << std::endl;
  }

  std::string FirstMove() const {
    std::string first;
    for (const Move move : LegalMoves(position_)) {
      const std::string name = ToUci(move, position_.variant());
      if (first.empty() || name < first) first = name;
    }
    return first;
  }

  std::map<std::string, int> settings_;
  Position position_;
  int games_ = 0;
  int moves_ = 0;
};

}  // namespace
}  // namespace kibitz

int main(int argc, char** argv) { kibitz::FakeEngine({argv + 1, argv + argc}).Run(); }
