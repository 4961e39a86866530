#include "server/rpc/call_bounds.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "server/errors/errors.h"
#include "server/rpc/connection.h"

namespace kibitz::server {
namespace {

constexpr absl::Duration kRetryDelay = absl::Seconds(1);

}  // namespace

absl::Status CallBounds::Enter(Call& call) {
  if (const std::size_t bytes = call.MetadataBytes(); bytes > bounds_.max_metadata_bytes) {
    return Failure(absl::StatusCode::kResourceExhausted, "METADATA_TOO_LARGE",
                   absl::StrCat("the metadata has ", bytes, " bytes: the bound is ", bounds_.max_metadata_bytes));
  }
  const int open = open_calls_.fetch_add(1) + 1;
  const int open_on_connection = call.connection() == nullptr ? 0 : call.connection()->Open();
  if (open <= bounds_.max_calls && open_on_connection <= bounds_.max_calls_per_connection) return absl::OkStatus();
  Leave(call);
  if (open > bounds_.max_calls) {
    return Exhausted("TOO_MANY_CALLS", absl::StrCat(bounds_.max_calls, " calls are open"), kRetryDelay);
  }
  return Exhausted("TOO_MANY_STREAMS",
                   absl::StrCat(bounds_.max_calls_per_connection, " calls are open on this connection"), kRetryDelay);
}

void CallBounds::Leave(const Call& call) {
  open_calls_.fetch_sub(1);
  if (call.connection() != nullptr) call.connection()->Close();
}

}  // namespace kibitz::server
