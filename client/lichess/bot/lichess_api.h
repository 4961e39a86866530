// Lichess's API for bots, as far as it is used here.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_LICHESS_API_H_
#define KIBITZ_CLIENT_LICHESS_BOT_LICHESS_API_H_

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/http/http_client.h"
#include "client/lichess/bot/events.h"

namespace kibitz::client::lichess {

struct ApiTimes {
  // How long an answer may take.
  absl::Duration answer = absl::Seconds(6);
  // Lichess sends a blank line every 7 seconds.
  absl::Duration silence = absl::Seconds(16);
  // Between attempts at a stream, or at a move that was not sent.
  http::BackoffOptions backoff = {.first = absl::Milliseconds(200), .longest = absl::Seconds(15)};
};

// An error of a method is that of its one attempt, unless it says otherwise. Safe to use from several threads at once.
class LichessApi {
 public:
  // The client must live as long.
  explicit LichessApi(http::HttpClient& http, const ApiTimes& times = {}) : http_(http), times_(times) {}

  const ApiTimes& times() const { return times_; }
  const std::string& host() const { return http_.host(); }

  // Whose token it is. Fails, with what to do, for a token that is unknown or does not allow to play as a bot. Tries
  // for a while.
  absl::StatusOr<Account> CheckAccount(const std::stop_token& stop);
  // For good: an account that is a bot stays one.
  absl::Status UpgradeToBot(const std::stop_token& stop);

  absl::StatusOr<std::vector<std::string>> Playing(const std::stop_token& stop);
  absl::StatusOr<std::vector<OnlineBot>> OnlineBots(int most, const std::stop_token& stop);
  absl::StatusOr<std::unique_ptr<http::LineStream>> OpenEvents(const std::stop_token& stop);
  absl::StatusOr<std::unique_ptr<http::LineStream>> OpenGame(const std::string& game, const std::stop_token& stop);

  struct Offer {
    bool rated = false;
    ClockControl clock{};
    std::string variant = "standard";
  };
  // Returns the challenge's identity. RESOURCE_EXHAUSTED with words: no more of these today.
  absl::StatusOr<std::string> MakeChallenge(const std::string& user, const Offer& offer, const std::stop_token& stop);
  absl::Status Accept(const std::string& challenge, const std::stop_token& stop);
  absl::Status Decline(const std::string& challenge, const std::string& reason, const std::stop_token& stop);
  absl::Status Cancel(const std::string& challenge, const std::stop_token& stop);

  // `patience` bounds the wait for the answer further.
  absl::Status Move(const std::string& game, const std::string& uci, bool offering_draw, absl::Duration patience,
                    const std::stop_token& stop);
  // "abort", "resign", "draw/yes", "takeback/no", "claim-victory", "claim-draw".
  absl::Status Act(const std::string& game, const std::string& action, const std::stop_token& stop);
  absl::Status Chat(const std::string& game, const std::string& room, const std::string& text,
                    const std::stop_token& stop);

 private:
  absl::Status Do(http::Request request, const std::stop_token& stop);

  http::HttpClient& http_;
  const ApiTimes times_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_LICHESS_API_H_
