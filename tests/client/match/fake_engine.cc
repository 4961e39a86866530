// A UCI engine for tests: it plays the first legal move by name, and misbehaves when it is told to.
//
// Arguments, in any number: crash=N, hang=N, illegal=N (what it does at its Nth move of a game, from 1), late=N
// (answers that move after a second), silent (answers nothing at all), mute (never gets ready for a game),
// score=CENTIPAWNS.

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "tests/client/match/fake_mind.h"

namespace kibitz {
namespace {

class FakeEngine {
 public:
  explicit FakeEngine(const std::vector<std::string>& arguments) : mind_(arguments) {}

  void Run() {
    for (std::string line; std::getline(std::cin, line) && line != "quit";) {
      if (mind_.Has("silent")) continue;
      if (line == "uci")
        std::cout << "id name fake\noption name UCI_Chess960 type check default false\nuciok" << std::endl;
      if (line == "isready" && !(mind_.Has("mute") && games_ > 0)) std::cout << "readyok" << std::endl;
      if (line == "ucinewgame") {
        ++games_;
        mind_.NewGame();
      }
      if (absl::StartsWith(line, "position fen ")) SetPosition(line.substr(13));
      if (absl::StartsWith(line, "go")) Go();
    }
  }

 private:
  void SetPosition(const std::string& text) {
    const std::vector<std::string> parts = absl::StrSplit(text, " moves ");
    mind_.SetPosition(parts[0]);
    if (parts.size() < 2) return;
    for (absl::string_view move : absl::StrSplit(parts[1], ' ')) mind_.Play(move);
  }

  void Go() {
    mind_.Begin();
    if (mind_.IsDue("crash")) _exit(3);
    if (mind_.IsDue("hang")) return;
    if (mind_.IsDue("late")) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (mind_.Has("score")) std::cout << "info depth 7 score cp " << mind_.Number("score") << " nodes 99 pv e2e4\n";
    std::cout << "bestmove " << (mind_.IsDue("illegal") ? "e1e8" : mind_.FirstMove()) << std::endl;
  }

  FakeMind mind_;
  int games_ = 0;
};

}  // namespace
}  // namespace kibitz

int main(int argc, char** argv) { kibitz::FakeEngine({argv + 1, argv + argc}).Run(); }
