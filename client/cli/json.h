// Messages as JSON, for programs.

#ifndef KIBITZ_CLIENT_CLI_JSON_H_
#define KIBITZ_CLIENT_CLI_JSON_H_

#include <google/protobuf/message.h>

#include <string>

namespace kibitz::client {

// One line of protobuf's JSON mapping: lowerCamelCase names, 64-bit integers as strings, durations as "1.5s". Fields
// that are zero, false or empty are written too, so that a reader finds every name it looks for.
std::string ToJsonLine(const google::protobuf::Message& message);

}  // namespace kibitz::client

#endif  // KIBITZ_CLIENT_CLI_JSON_H_
