// What a worker says to a fishnet.

#ifndef KIBITZ_CLIENT_FISHNET_ANSWERS_H_
#define KIBITZ_CLIENT_FISHNET_ANSWERS_H_

#include <string>
#include <vector>

#include "client/fishnet/work.h"
#include "client/http/json.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::fishnet {

// Who answers. The protocol has a field for the flavour of its own engine only; ours stands beside it by its own name.
struct EngineName {
  std::string version{};     // "0.3.0"
  std::string evaluation{};  // "classical", or the net's id
};

// One position's part of the answer.
nlohmann::json PartOf(const v1::AnalyzeResponse::Final& final, const Work& work);
nlohmann::json SkippedPart();

// A whole answer. A part that is null is still to come: then the answer is partial, which the server knows by its first
// part, whatever that would have been.
std::string AnalysisText(const EngineName& engine, const std::vector<nlohmann::json>& parts);
// No move is null: the game is over.
std::string MoveText(const EngineName& engine, const std::string& best_move);

}  // namespace kibitz::client::fishnet

#endif  // KIBITZ_CLIENT_FISHNET_ANSWERS_H_
