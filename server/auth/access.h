// Which key a method needs, once keys are asked for.

#ifndef KIBITZ_SERVER_AUTH_ACCESS_H_
#define KIBITZ_SERVER_AUTH_ACCESS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace kibitz::server {

enum class Access : std::uint8_t {
  kOpen,      // none
  kAnyKey,    // any
  kAdminKey,  // one with the role of an admin
};

// By the name of the method: "/kibitz.v1.AnalysisService/Analyze". Methods that nobody thought of need a key.
Access AccessOf(absl::string_view method);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_AUTH_ACCESS_H_
