// Any session: commands in any order and number, ended in good order or by a cancel. Every Go must get what the
// contract promises.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "said.pb.h"
#include "tests/fuzz/fuzz_server.h"
#include "tests/fuzz/fuzz_support.h"
#include "tests/fuzz/message_mutator.h"

namespace kibitz {
namespace {

// More would only be slower.
constexpr int kMaxCommands = 24;

// What a session has heard so far.
class Hearing {
 public:
  void Hear(const v1::AnalyzeSessionResponse& response, std::int64_t asked) {
    Require(response.go() >= 1 && response.go() <= asked, "only what was asked is answered");
    Require(response.go() >= last_, "answers come in the order of the questions");
    last_ = response.go();
    Require(!answered_.contains(response.go()), "nothing follows an answer");
    if (response.has_refused()) {
      Require(response.refused().code() != 0, "a refusal has a code");
      Require(!response.refused().reason().empty(), "a refusal has a reason");
      Require(!response.refused().description().empty(), "a refusal has words");
    }
    if (response.has_refused() || response.analysis().has_final()) answered_.insert(response.go());
  }
  std::int64_t answers() const { return static_cast<std::int64_t>(answered_.size()); }

 private:
  std::int64_t last_ = 0;
  std::set<std::int64_t> answered_;
};

void Hold(const fuzz::Conversation& conversation) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().AnalyzeSession(context.get());
  std::int64_t asked = 0;
  bool heard = true;
  for (int i = 0; i < std::min(conversation.commands_size(), kMaxCommands) && heard; ++i) {
    if (conversation.commands(i).has_go()) ++asked;
    heard = stream->Write(conversation.commands(i));
  }
  if (conversation.cancel()) context->TryCancel();
  stream->WritesDone();
  Hearing hearing;
  v1::AnalyzeSessionResponse response;
  while (stream->Read(&response)) hearing.Hear(response, asked);
  const grpc::Status status = stream->Finish();
  if (conversation.cancel() && status.error_code() == grpc::StatusCode::CANCELLED) return;
  RequireGoodStatus(status);
  Require(!status.ok() || hearing.answers() == asked, "every question is answered");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  fuzz::Conversation conversation;
  return MutateText(data, size, max_size, seed, conversation);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Conversation conversation;
  ReadText(data, size, conversation);
  Hold(conversation);
  return 0;
}

}  // namespace kibitz
