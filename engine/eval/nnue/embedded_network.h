// The net that Kibitz carries: kibitz.net, whose making kibitz.net.json tells.

#ifndef KIBITZ_ENGINE_EVAL_NNUE_EMBEDDED_NETWORK_H_
#define KIBITZ_ENGINE_EVAL_NNUE_EMBEDDED_NETWORK_H_

#include <memory>

#include "engine/eval/nnue/network.h"

namespace kibitz::nnue {

// Always the same one. All who evaluate with it share it.
std::shared_ptr<const Network> EmbeddedNetwork();

}  // namespace kibitz::nnue

#endif  // KIBITZ_ENGINE_EVAL_NNUE_EMBEDDED_NETWORK_H_
