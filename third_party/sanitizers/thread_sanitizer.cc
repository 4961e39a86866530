// Part of every program of the tsan configuration. Debian's gRPC is not instrumented, so ThreadSanitizer does not see
// that what a thread wrote before it gave gRPC something to do is visible to the thread that gets the answer. Its
// functions are wrapped here to say so; what gRPC and protobuf do with their own memory and threads is left out.
//
// Engine and scheduler hand no work to gRPC, so their tests have to be clean without this file. That is checked by
//   bazel test --config=tsan --custom_malloc=@bazel_tools//tools/cpp:malloc
//       //tests/server/scheduler/... //tests/engine/search/... //tests/engine:engine_test

#include <dlfcn.h>
#include <grpc/grpc.h>
#include <sanitizer/tsan_interface.h>

namespace {

template <typename Function>
Function* Wrapped(Function* /*wrapper*/, const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, symbol));
}

grpc_event Acquired(grpc_event event) {
  if (event.type == GRPC_OP_COMPLETE) __tsan_acquire(event.tag);
  return event;
}

}  // namespace

extern "C" const char* __tsan_default_options() { return "ignore_noninstrumented_modules=1"; }

extern "C" const char* __tsan_default_suppressions() {
  return "race:^grpc::\nrace:^google::protobuf::\nthread:^grpc_core::\n";
}

// Inside gRPC every operation with a tag begins here.
bool grpc_cq_begin_op(grpc_completion_queue* queue, void* tag) {
  static auto* const wrapped = Wrapped(grpc_cq_begin_op, "_Z16grpc_cq_begin_opP21grpc_completion_queuePv");
  __tsan_release(tag);
  return wrapped(queue, tag);
}

extern "C" grpc_event grpc_completion_queue_next(grpc_completion_queue* queue, gpr_timespec deadline, void* reserved) {
  static auto* const wrapped = Wrapped(grpc_completion_queue_next, "grpc_completion_queue_next");
  return Acquired(wrapped(queue, deadline, reserved));
}

extern "C" grpc_event grpc_completion_queue_pluck(grpc_completion_queue* queue, void* tag, gpr_timespec deadline,
                                                  void* reserved) {
  static auto* const wrapped = Wrapped(grpc_completion_queue_pluck, "grpc_completion_queue_pluck");
  return Acquired(wrapped(queue, tag, deadline, reserved));
}
