// Plays one game on Lichess, from its start or from wherever it stands, to its end.

#ifndef KIBITZ_CLIENT_LICHESS_BOT_GAME_PLAYER_H_
#define KIBITZ_CLIENT_LICHESS_BOT_GAME_PLAYER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "client/lichess/bot/bot_report.h"
#include "client/lichess/bot/followed_game.h"
#include "client/lichess/bot/game_archive.h"
#include "client/lichess/bot/kept_stream.h"
#include "client/lichess/bot/lichess_api.h"
#include "client/lichess/bot/line_budget.h"
#include "client/lichess/bot/policy.h"
#include "client/lichess/bot/round_trip.h"
#include "client/lichess/bot/score_watch.h"
#include "client/lichess/bot/thinker.h"
#include "client/mailbox.h"
#include "engine/book/polyglot_book.h"

namespace kibitz::client::lichess {

// What the games of a bot share. All of it must outlive them.
struct PlayContext {
  LichessApi& api;
  const Connection& connection;
  const BotPolicy& policy;
  const std::optional<PolyglotBook>& book;
  BotReport& report;
  RoundTrip& round_trip;
  GameArchive& archive;
  std::string us;      // our account's identity
  std::string engine;  // who we are, for those who ask
};

class GamePlayer {
 public:
  // `on_done` is called once, on another thread, when there is nothing more to do: the game is over or cannot be
  // played.
  GamePlayer(const PlayContext& context, std::string game, std::function<void()> on_done);
  // Leaves a game that is not over as it is.
  ~GamePlayer();
  GamePlayer(const GamePlayer&) = delete;
  GamePlayer& operator=(const GamePlayer&) = delete;

  // From any thread.
  void Resign();
  // The account's events have said so. Usually the game's own have done before.
  void HearThatItIsOver();

 private:
  // A position of the game, and when it stood: the same may come again.
  struct Moment {
    Key key = 0;
    std::size_t ply = 0;
    friend bool operator==(const Moment&, const Moment&) = default;
  };
  struct Search {
    std::int64_t question = 0;
    Moment moment{};  // that it is about
    bool pondering = false;
    SteadyTime began{};
    std::optional<SteadyTime> patience_ends{};
    Answer latest{};
    std::optional<Answer> early{};  // the answer of one that ended while it pondered
  };
  // A move that is decided on, until the game shows that it was made.
  struct Outgoing {
    Moment moment{};  // in which it is played
    std::string uci{};
    bool offers_draw = false;
    enum class State : std::uint8_t { kToSend, kSent, kUnsure } state = State::kToSend;
    SteadyTime next{};  // when to send it, or to look whether it has arrived
    int refusals = 0;
  };

  void Run();
  Moment Now() const { return {game_->position().key(), game_->moves().size()}; }
  std::optional<SteadyTime> NextDeadline() const;
  void OnTime(SteadyTime now);

  // `opening` counts the streams of the game: which of them has said it.
  void OnLine(const std::string& line, SteadyTime received, int opening);
  void OnEvent(GameFull full, SteadyTime received);
  void OnEvent(GameState state, SteadyTime received);
  void OnEvent(const ChatLine& chat, SteadyTime received);
  void OnEvent(const OpponentGone& gone, SteadyTime received);
  void OnEvent(const UnknownEvent& event, SteadyTime received);
  void Begin(GameFull full, SteadyTime received);
  // The game cannot be followed: tries once more from its beginning, then gives it up.
  void OnTrouble(const absl::Status& status);
  void OnNewState();
  void AnswerTakeback();
  void AnswerDrawOffer();
  void Archive();
  void Finish(const std::string& why);

  void ThinkOrWait();
  void StartThinking();
  void StartPondering();
  absl::Duration Patience(SteadyTime now) const;
  bool PlayFromBook();
  Question AskAbout(const std::vector<std::string>& moves) const;
  void OnProgress(std::int64_t question, Answer answer);
  void OnAnswer(std::int64_t question, const Answer& answer);
  void OnSearchLost(const absl::Status& status);
  // Plays the best that is known, or anything legal.
  void PlayWhatIsKnown();
  void Decide(Answer answer);
  bool ClaimsDraw();

  void Play(Move move, bool offers_draw);
  void SendMove();
  // Nobody knows whether the move was made: a stream that is opened from now on does. To send it again without looking
  // might be another move, if the opponent has answered it.
  void LookWhetherItWasMade();
  void OnRefused(const absl::Status& status);
  absl::Duration HumanDelay();
  // Whether it was done.
  bool Act(const std::string& action);
  void ClaimVictory();
  void Say(const std::string& room, const std::string& text);
  void Report();
  void NoteClocks();

  const PlayContext context_;
  const std::string id_;
  const std::function<void()> on_done_;
  std::stop_source stop_;
  Mailbox mailbox_;
  std::atomic<int> openings_ = 0;
  LineBudget lines_;

  // What follows belongs to the thread.
  bool done_ = false;
  std::optional<FollowedGame> game_;
  std::optional<Search> search_;
  std::optional<Outgoing> outgoing_;
  std::optional<SteadyTime> claim_at_;
  std::optional<SteadyTime> abort_at_;
  std::optional<SteadyTime> over_by_;
  ScoreWatch watch_;
  http::Backoff backoff_;
  PlyNotes notes_;
  Answer latest_;
  std::string expected_;  // the answer to our last move, UCI
  std::optional<Moment> takeback_answered_;
  std::optional<Moment> draw_answered_;
  int takebacks_ = 0;
  int replies_ = 0;
  int troubles_ = 0;
  int wanted_opening_ = 0;
  int claims_ = 0;
  int moves_sent_again_ = 0;
  int streams_lost_ = 0;
  std::mt19937_64 random_{std::random_device()()};
  std::unique_ptr<Thinker> thinker_;
  std::unique_ptr<KeptStream> stream_;
  std::thread thread_;
};

}  // namespace kibitz::client::lichess

#endif  // KIBITZ_CLIENT_LICHESS_BOT_GAME_PLAYER_H_
