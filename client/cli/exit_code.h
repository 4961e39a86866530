// How the program ends, for scripts that look.

#ifndef KIBITZ_CLIENT_CLI_EXIT_CODE_H_
#define KIBITZ_CLIENT_CLI_EXIT_CODE_H_

namespace kibitz::client {

enum ExitCode {
  kExitOk = 0,
  kExitFailed = 1,
  kExitUsage = 2,
  kExitInterrupted = 130,
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_EXIT_CODE_H_
