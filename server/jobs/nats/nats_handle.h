// What libnats gives out, let go of when it is no longer needed.

#ifndef KIBITZ_SERVER_JOBS_NATS_NATS_HANDLE_H_
#define KIBITZ_SERVER_JOBS_NATS_NATS_HANDLE_H_

#include <nats/nats.h>

#include <cstddef>
#include <memory>

#include "absl/strings/string_view.h"

namespace kibitz::server {

template <auto Destroy>
struct NatsDestroy {
  template <typename Type>
  void operator()(Type* pointer) const {
    Destroy(pointer);
  }
};

using NatsMessage = std::unique_ptr<natsMsg, NatsDestroy<&natsMsg_Destroy>>;
using NatsSubscription = std::unique_ptr<natsSubscription, NatsDestroy<&natsSubscription_Destroy>>;

inline absl::string_view DataOf(const NatsMessage& message) {
  return {natsMsg_GetData(message.get()), static_cast<std::size_t>(natsMsg_GetDataLength(message.get()))};
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_JOBS_NATS_NATS_HANDLE_H_
