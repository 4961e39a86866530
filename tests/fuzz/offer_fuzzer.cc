// Any bytes as work that a broker of external engines, or a fishnet, offers.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "client/fishnet/work.h"
#include "client/lichess/external_engine/offer.h"

namespace kibitz::client {
namespace {

void Expect(bool so) {
  if (!so) std::abort();
}

void TryFishnet(std::string_view text) {
  const auto offer = fishnet::ParseOffer(text);
  if (!offer.ok()) return;
  Expect(!offer->id.empty());
  if (!offer->work.ok()) return;
  const fishnet::Work& work = *offer->work;
  Expect(work.skipped.empty() || *work.skipped.rbegin() < work.positions());
  if (work.kind == fishnet::Work::Kind::kMove) {
    Expect(fishnet::MoveRequest(work).position().moves_size() == work.game.moves_size());
    return;
  }
  const auto last = fishnet::AnalysisRequest(work, work.positions() - 1, "classical");
  Expect(last.limits().nodes() > 0 || last.limits().depth() > 0);
  Expect(fishnet::AnalysisRequest(work, 0, "a net").position().moves_size() == 0);
}

void TryExternalEngine(std::string_view text) {
  constexpr lichess::OfferCaps kCaps{.max_threads = 4, .max_depth = 100};
  const auto offer = lichess::ParseOffer(text, kCaps);
  if (!offer.ok() || !offer->request.ok()) return;
  const v1::AnalyzeRequest& request = *offer->request;
  Expect(request.multi_pv() >= 1 && request.multi_pv() <= 5);
  Expect(request.threads() >= 1 && request.threads() <= kCaps.max_threads);
  Expect(request.limits().depth() <= kCaps.max_depth);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  TryFishnet(text);
  TryExternalEngine(text);
  return 0;
}

}  // namespace kibitz::client
