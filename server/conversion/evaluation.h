// Between the wire and the engine's plain structs: the static evaluation, explained.

#ifndef KIBITZ_SERVER_CONVERSION_EVALUATION_H_
#define KIBITZ_SERVER_CONVERSION_EVALUATION_H_

#include "engine/board/position.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::server {

void WriteEvaluation(const Position& position, v1::EvaluateResponse& response);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_CONVERSION_EVALUATION_H_
