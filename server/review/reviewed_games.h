// The games of one review: the positions to be searched for it, and what follows from what is found in them.

#ifndef KIBITZ_SERVER_REVIEW_REVIEWED_GAMES_H_
#define KIBITZ_SERVER_REVIEW_REVIEWED_GAMES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/board/pgn.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/conversion/game.h"
#include "server/review/reviewed_game.h"

namespace kibitz::server {

// Positions are known by their numbers, in the order in which they are searched. Each is done once: by Put, or by Skip
// if nothing can be found. What is said of the games does not depend on who searched them, nor on when.
class ReviewedGames {
 public:
  using Event = v1::AnalyzeGameResponse;

  // `total_nodes` are divided among all positions, beside what holds for each search; nothing: only that does.
  ReviewedGames(std::vector<PgnGame> games, const ReviewSpec& spec, const ReviewKnowledge& knowledge);

  int positions() const { return static_cast<int>(places_.size()); }
  // What to search, with the limits of nodes and such. A total time is for the caller to divide.
  v1::AnalyzeRequest RequestOf(int index) const;

  // The games that were found, and what can be said of those in which nothing is to be searched.
  std::vector<Event> Begin() const;
  // The moves that can be judged now, and the game's summary with the last of its positions.
  std::vector<Event> Put(int index, const v1::AnalyzeResponse::Final& final);
  std::vector<Event> Skip(int index);
  // The summaries of games that were not finished, as far as they came.
  std::vector<Event> CutShort() const;

 private:
  // A position of a game.
  struct Place {
    int game;
    int position;
  };

  Event Accepted() const;
  Event SummaryOf(int game) const;
  void CountDone(int game, std::vector<Event>& events);

  const v1::AnalyzeRequest search_;  // for each position, but for the position
  std::optional<std::int64_t> nodes_;
  std::vector<ReviewedGame> games_;
  std::vector<int> positions_left_;  // of each game
  std::vector<Place> places_;
};

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_REVIEW_REVIEWED_GAMES_H_
