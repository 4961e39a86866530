#include "tests/support/lichess/stand_in.h"

#include "tests/support/lichess/bot_api.h"

namespace kibitz::stand_in {

absl::Status StandIn::Start() {
  AddBotApi(http_, world_);
  return http_.Start();
}

}  // namespace kibitz::stand_in
