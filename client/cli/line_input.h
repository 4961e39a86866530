// The lines of standard input, or of another file, for commands that answer many at once if many are there.

#ifndef KIBITZ_CLIENT_CLI_LINE_INPUT_H_
#define KIBITZ_CLIENT_CLI_LINE_INPUT_H_

#include <cstddef>
#include <string>

namespace kibitz::client {

// Reads as much as there is, and waits for more only if no line is complete. A last line may lack its end.
class LineInput {
 public:
  // The descriptor stays its owner's.
  explicit LineInput(int fd) : fd_(fd) {}

  // Waits for the next line. False: there is none.
  bool Next(std::string& line);
  // Whether Next would return at once.
  bool IsReady();

 private:
  bool HasLine() const { return ended_ || text_.find('\n', begin_) != std::string::npos; }
  // Waits for some more.
  void Read();

  const int fd_;
  std::string text_;       // what was read
  std::size_t begin_ = 0;  // of it that was given out
  bool ended_ = false;
};

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_LINE_INPUT_H_
