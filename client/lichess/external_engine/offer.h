// What the broker offers: one position that a user's analysis board wants to know about.

#ifndef KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_OFFER_H_
#define KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_OFFER_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "kibitz/v1/analysis.pb.h"

namespace kibitz::client::lichess {

// What is asked of the pool at the most.
struct OfferCaps {
  int max_threads = 1;
  int max_depth = 1;
};

struct Offer {
  // By which the broker knows it.
  std::string id{};
  // What to ask the server; or what is wrong with the offer, by the member's name.
  absl::StatusOr<v1::AnalyzeRequest> request;
};

// Reads the broker's words. An error: there is not even an id to answer to.
absl::StatusOr<Offer> ParseOffer(std::string_view text, const OfferCaps& caps);

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_EXTERNAL_ENGINE_OFFER_H_
