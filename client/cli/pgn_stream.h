// The games of a PGN file, one after the other, whatever the size of the file.

#ifndef KIBITZ_CLIENT_CLI_PGN_STREAM_H_
#define KIBITZ_CLIENT_CLI_PGN_STREAM_H_

#include <cstdint>
#include <istream>
#include <string>

namespace kibitz::client {

// Splits a text into games without understanding more of it than where one ends: at its result, or where tags begin
// after moves. Holds one game at a time.
class PgnStream {
 public:
  // No game is longer: what is, is given in parts, which nobody will be able to read.
  static constexpr std::size_t kMaxGameBytes = 1 << 20;

  // The stream must outlive this.
  explicit PgnStream(std::istream& input) : input_(input) {}

  // The text of the next game, in UTF-8: text that is not is taken for Latin-1. False at the end.
  bool Next(std::string& game);
  // What has been read of the stream.
  std::uint64_t bytes() const { return bytes_; }
  // The line that the last game began in; 1 is the first.
  std::uint64_t line() const { return game_line_; }

 private:
  // Where in a game a character stands.
  enum class Place : std::uint8_t { kBetween, kTag, kTagValue, kMoves, kComment, kLineComment };

  // Takes the next character. Whether the game is over with it.
  bool Take(char c);
  // Whether a game that has been read so far ends before this character.
  bool EndsBefore(char c) const;

  std::istream& input_;
  std::uint64_t bytes_ = 0;
  std::uint64_t line_ = 1;
  std::uint64_t game_line_ = 1;

  // The game that is being read.
  std::string text_;
  Place place_ = Place::kBetween;
  bool moves_seen_ = false;
  int variations_ = 0;
  std::string word_;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_PGN_STREAM_H_
