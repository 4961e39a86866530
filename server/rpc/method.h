// One method of a service, as its calls see it.

#ifndef KIBITZ_SERVER_RPC_METHOD_H_
#define KIBITZ_SERVER_RPC_METHOD_H_

#include "server/rpc/completion_loop.h"

namespace kibitz::server {

// What each call of a method needs in order to wait for the next one.
template <typename Accept, typename Handler>
struct Method {
  CompletionLoop& loop;
  Accept accept;  // asks gRPC for a call, whose parts follow the tag
  Handler handler;
};

// The `accept` of a generated service's method, given the RequestX of its WithRawMethod_X.
template <typename Wire, typename RequestCall>
auto AcceptFrom(Wire& wire, RequestCall request_call, CompletionLoop& loop) {
  return [&wire, request_call, &loop](void* tag, auto*... parts) {
    (wire.*request_call)(parts..., loop.queue(), loop.queue(), tag);
  };
}

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_METHOD_H_
