#include "server/rpc/request_ids.h"

#include <algorithm>
#include <random>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kibitz::server {
namespace {

constexpr std::size_t kMaxSize = 64;

// It will stand in logs: nothing in it may look like something else.
bool IsReasonable(absl::string_view id) {
  return !id.empty() && id.size() <= kMaxSize && std::all_of(id.begin(), id.end(), [](char c) {
    return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '/' || c == '+' || c == '=';
  });
}

}  // namespace

RequestIds::RequestIds() : server_(std::random_device()()) {}

absl::Status RequestIds::Enter(Call& call) {
  const absl::string_view own = call.Metadata(kRequestIdName);
  call.set_request_id(IsReasonable(own) ? std::string(own)
                                        : absl::StrCat(absl::Hex(server_, absl::kZeroPad8), "-",
                                                       absl::Hex(calls_.fetch_add(1), absl::kZeroPad8)));
  return absl::OkStatus();
}

}  // namespace kibitz::server
