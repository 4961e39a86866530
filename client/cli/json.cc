#include "client/cli/json.h"

#include <google/protobuf/util/json_util.h>

namespace kibitz::client {

std::string ToJsonLine(const google::protobuf::Message& message) {
  google::protobuf::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  std::string line;
  // It fails on text that is not UTF-8 or durations out of range, which no server of ours can send.
  if (!google::protobuf::util::MessageToJsonString(message, &line, options).ok()) return "{}\n";
  return line + "\n";
}

}  // namespace kibitz::client
