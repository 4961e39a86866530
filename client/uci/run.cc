#include "client/uci/run.h"

#include <cstdio>
#include <iostream>
#include <string>
#include <thread>
#include <variant>

#include "client/uci/command.h"
#include "client/uci/dialogue.h"

namespace kibitz::client::uci {
namespace {

void WriteAtOnce(const std::string& lines) {
  std::fwrite(lines.data(), 1, lines.size(), stdout);
  std::fflush(stdout);
}

// Nothing is read after "quit", so that whoever waits for this thread does not wait for the other side.
void ReadCommands(Dialogue& dialogue) {
  std::string line;
  while (std::getline(std::cin, line)) {
    Command command = ParseCommand(line);
    const bool quit = std::holds_alternative<Quit>(command);
    dialogue.Post(std::move(command));
    if (quit) return;
  }
  dialogue.Post(Quit{});
}

}  // namespace

void RunUci(const Options& options) {
  Dialogue dialogue(options, WriteAtOnce);
  std::thread reader([&] { ReadCommands(dialogue); });
  dialogue.Run();
  reader.join();
}

}  // namespace kibitz::client::uci
