// What somebody who mistyped a word may have meant.

#ifndef KIBITZ_CLIENT_CLI_SUGGESTION_H_
#define KIBITZ_CLIENT_CLI_SUGGESTION_H_

#include <string>
#include <string_view>
#include <vector>

namespace kibitz::client {

// The candidate that takes the fewest changed, added, dropped or swapped letters, unless it takes too many to be meant.
// Empty then.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_SUGGESTION_H_
