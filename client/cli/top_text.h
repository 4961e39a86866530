// What `kibitz top` shows, as lines of text.

#ifndef KIBITZ_CLIENT_CLI_TOP_TEXT_H_
#define KIBITZ_CLIENT_CLI_TOP_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "kibitz/v1/admin.pb.h"

namespace kibitz::client {

// What is known of one server.
struct ServerView {
  std::string address;
  // The last that it told. Nothing yet, or else of a time when it still answered.
  std::optional<v1::ServerStatus> status{};
  // Why it does not answer; empty while it does.
  std::string error{};
  // Positions searched per second, the latest last.
  std::deque<std::int64_t> rates{};

  // It told something.
  void Update(const v1::ServerStatus& now);
  // It did not.
  void Fail(std::string why) { error = std::move(why); }
};

// The tenants in the order of what they have most of.
enum class TopOrder : std::uint8_t { kRate, kLive, kQueued, kRefused, kName };
// The one after it, and then the first again.
TopOrder NextOrder(TopOrder order);
const char* NameOf(TopOrder order);

struct TopLine {
  enum class Style : std::uint8_t { kPlain, kHeading, kAlert };
  std::string text;
  Style style = Style::kPlain;
};

// With one server all that it told; with several a line for each, and then what the tenants have of all of them. What
// happened lately is drawn in block characters, or else in ASCII.
std::vector<TopLine> TopLines(const std::vector<ServerView>& servers, TopOrder order, bool blocks);

// A bar for each number, from nothing to the largest.
std::string Sparkline(const std::deque<std::int64_t>& numbers, bool blocks);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_TOP_TEXT_H_
