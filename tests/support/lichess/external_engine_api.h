// The API of external engines: registering them, and the broker's. Both on one server here.

#ifndef KIBITZ_TESTS_SUPPORT_LICHESS_EXTERNAL_ENGINE_API_H_
#define KIBITZ_TESTS_SUPPORT_LICHESS_EXTERNAL_ENGINE_API_H_

#include "tests/support/lichess/engine_broker.h"
#include "tests/support/lichess/http_server.h"
#include "tests/support/lichess/world.h"

namespace kibitz::stand_in {

// All must live for as long as the server answers. The accounts are the world's.
void AddExternalEngineApi(HttpServer& http, World& world, EngineBroker& broker);

}  // namespace kibitz::stand_in

#endif  // KIBITZ_TESTS_SUPPORT_LICHESS_EXTERNAL_ENGINE_API_H_
