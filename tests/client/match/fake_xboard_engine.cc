// An engine of the xboard protocol for tests: it plays the first legal move by name, and misbehaves when it is told to.
//
// Arguments, in any number. What it does at its Nth move of a game, from 1: crash=N, hang=N, illegal=N, resign=N,
// loses=N (says that the other has won), claims=N (says that the game is drawn), quits=N (the same, and makes no move),
// o-o=N, o-o-o=N (says that it castles), resigns-later=N (after the move). At all moves: score=NUMBER, numbers (as
// "1. ... e7e5"). Features: plain (tells none), slow (tells that it is not done), usermove, setboard, once (plays one
// game only), no-sd (knows no depth). log writes what it reads into the file "transcript" of its folder.

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tests/client/match/fake_mind.h"

namespace kibitz {
namespace {

class FakeXboardEngine {
 public:
  explicit FakeXboardEngine(const std::vector<std::string>& arguments) : mind_(arguments) {
    if (mind_.Has("log")) transcript_.open("transcript");
  }

  void Run() {
    for (std::string line; std::getline(std::cin, line) && line != "quit";) {
      if (mind_.Has("log")) transcript_ << line << std::endl;
      Obey(line);
    }
  }

 private:
  void Obey(absl::string_view line) {
    if (line == "protover 2") TellFeatures();
    if (line == "new") StartGame();
    if (line == "force") playing_ = false;
    if (absl::ConsumePrefix(&line, "ping ")) Say(absl::StrCat("pong ", std::string(line)));
    if (absl::StartsWith(line, "sd ") && mind_.Has("no-sd")) Say(absl::StrCat("Error (unknown command): ", line));
    if (absl::ConsumePrefix(&line, "setboard ")) mind_.SetPosition(line);
    if (absl::ConsumePrefix(&line, "usermove ") == mind_.Has("usermove") && IsMove(line)) TakeMove(line);
    if (line == "go") {
      playing_ = true;
      Go();
    }
  }

  void TellFeatures() {
    if (mind_.Has("plain")) return;
    if (mind_.Has("slow")) return Say("feature ping=1 done=0");
    Say(absl::StrCat("feature myname=\"fake = 1\" ping=1 san=1 memory=1 setboard=", mind_.Has("setboard") ? 1 : 0,
                     " usermove=", mind_.Has("usermove") ? 1 : 0, " reuse=", mind_.Has("once") ? 0 : 1));
    Say("feature option=\"Resign Threshold -spin 800 200 1200\" option=\"Style -string a b\" done=1");
  }

  void StartGame() {
    if (++games_ > 1 && mind_.Has("once")) _exit(3);
    mind_.NewGame();
  }

  static bool IsMove(absl::string_view word) {
    return word.size() >= 4 && word.size() <= 5 && word[1] >= '1' && word[1] <= '8';
  }

  void TakeMove(absl::string_view move) {
    if (!mind_.Play(move)) return Say(absl::StrCat("Illegal move: ", move));
    if (playing_) Go();
  }

  void Go() {
    mind_.Begin();
    if (mind_.IsDue("crash")) _exit(3);
    if (mind_.IsDue("hang")) return;
    if (mind_.IsDue("resign")) return Say("resign");
    if (mind_.IsDue("loses")) return Say("1-0 {I am lost}");
    if (mind_.IsDue("claims") || mind_.IsDue("quits")) Say("1/2-1/2 {Draw by my count}");
    if (mind_.IsDue("claims")) playing_ = false;
    if (mind_.IsDue("quits")) return;
    if (mind_.Has("score")) Say(absl::StrCat("7. ", mind_.Number("score"), " 12 99 e2e4 e7e5"));
    const std::string move = mind_.IsDue("illegal") ? "e1e8" : mind_.FirstMove();
    mind_.Play(move);
    Say(absl::StrCat(mind_.Has("numbers") ? "1. ... " : "move ", mind_.IsDue("o-o")     ? "O-O"
                                                                 : mind_.IsDue("o-o-o") ? "o-o-o"
                                                                                        : move));
    if (mind_.IsDue("resigns-later")) Say("resign");
  }

  static void Say(absl::string_view line) { std::cout << line << std::endl; }

  FakeMind mind_;
  std::ofstream transcript_;
  bool playing_ = false;
  int games_ = 0;
};

}  // namespace
}  // namespace kibitz

int main(int argc, char** argv) { kibitz::FakeXboardEngine({argv + 1, argv + argc}).Run(); }
