// A UCI engine on standard input and output.

#ifndef KIBITZ_CLIENT_UCI_RUN_H_
#define KIBITZ_CLIENT_UCI_RUN_H_

#include "client/uci/options.h"

namespace kibitz::client::uci {

// Talks until "quit" or the end of the input, which means the same.
void RunUci(const Options& options);

}  // namespace kibitz::client::uci

#endif  // KIBITZ_CLIENT_UCI_RUN_H_
