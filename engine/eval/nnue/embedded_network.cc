#include "engine/eval/nnue/embedded_network.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace kibitz::nnue {
namespace {

constexpr unsigned char kFile[] = {
#include "engine/eval/nnue/kibitz_net.inc"
};

// A program with a file that is no net is of no use to anybody.
std::shared_ptr<const Network> Read() {
  absl::StatusOr<std::unique_ptr<Network>> network =
      Network::Parse({reinterpret_cast<const char*>(kFile), sizeof(kFile)});
  if (network.ok()) return *std::move(network);
  std::fprintf(stderr, "kibitz.net %s\n", std::string(network.status().message()).c_str());
  std::abort();
}

}  // namespace

std::shared_ptr<const Network> EmbeddedNetwork() {
  static const auto* const network = new std::shared_ptr<const Network>(Read());
  return *network;
}

}  // namespace kibitz::nnue
