// The options that this engine has.

#ifndef KIBITZ_CLIENT_UCI_ALL_OPTIONS_H_
#define KIBITZ_CLIENT_UCI_ALL_OPTIONS_H_

#include "client/uci/game.h"
#include "client/uci/link.h"
#include "client/uci/opening_book.h"
#include "client/uci/option.h"
#include "client/uci/options.h"

namespace kibitz::client::uci {

// What an option reaches beside its own value.
struct OptionReach {
  Link& link;
  OpeningBook& book;
  Game& game;
};

// They set `values`. What they refer to has to outlive them.
OptionTable AllOptions(Options& values, OptionReach reach);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_ALL_OPTIONS_H_
