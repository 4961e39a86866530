// The fishnet protocol: a site's work, offered to workers with a key.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_API_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_API_H_

#include "tests/support/lichess/fishnet_queue.h"
#include "tests/support/lichess/http_server.h"

namespace kibitz::stand_in {

// Below /fishnet. Both must live for as long as the server answers.
void AddFishnetApi(HttpServer& http, FishnetQueue& queue);

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_FISHNET_API_H_
