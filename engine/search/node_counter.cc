#include "engine/search/node_counter.h"

#include <algorithm>

namespace kibitz {

NodeCounter::NodeCounter(Stopper& stopper, SearchHost& host, bool is_main)
    : stopper_(stopper), host_(host), is_main_(is_main) {
  SetNextCheckpoint(0);
}

// A node limit is met exactly by a worker that is alone.
void NodeCounter::SetNextCheckpoint(std::int64_t nodes) {
  next_checkpoint_ = nodes + kCheckpointNodes;
  if (is_main_ && stopper_.limits().nodes) next_checkpoint_ = std::min(next_checkpoint_, *stopper_.limits().nodes);
}

void NodeCounter::Checkpoint(std::int64_t nodes) {
  SetNextCheckpoint(nodes);
  if (is_main_) {
    stopper_.CheckLimits(nodes);
  } else {
    stopper_.AddHelperWork(kCheckpointNodes, tb_hits() - reported_tb_hits_);
    reported_tb_hits_ = tb_hits();
  }
  if (!stopped()) host_.Checkpoint();
}

}  // namespace kibitz
