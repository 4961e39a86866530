// The contract's enumerations in plain words.

#ifndef KIBITZ_CLIENT_CLI_WORDS_H_
#define KIBITZ_CLIENT_CLI_WORDS_H_

#include <string_view>

#include "kibitz/v1/analysis.pb.h"
#include "kibitz/v1/position.pb.h"

namespace kibitz::client {

std::string_view ToWords(v1::Color color);
// Empty for no piece.
std::string_view ToWords(v1::PieceType piece);
std::string_view ToWords(v1::GameStatus status);
std::string_view ToWords(v1::StopReason reason);
std::string_view ToWords(v1::Judgement judgement);
std::string_view ToWords(v1::Phase phase);
std::string_view ToWords(v1::MoveFact::Kind fact);
std::string_view ToWords(v1::EvaluateResponse::TermKind term);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_WORDS_H_
