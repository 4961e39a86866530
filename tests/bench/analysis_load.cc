#include "tests/bench/analysis_load.h"

#include <algorithm>
#include <utility>

namespace kibitz::bench {

using std::chrono::steady_clock;
using std::chrono::system_clock;

struct AnalysisLoad::Stream {
  v1::AnalyzeRequest request;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientAsyncReader<v1::AnalyzeResponse>> reader;
  v1::AnalyzeResponse response;
  grpc::Status status;
  steady_clock::time_point start;
  Observation seen{.first_update_ms = -1};
  bool started = false;
  bool finishing = false;

  // What has come. True for the first Update.
  bool Observe() {
    if (response.has_final()) {
      const v1::AnalysisUpdate& result = response.final().result();
      seen.final = true;
      seen.nodes = result.nodes();
      seen.seconds = static_cast<double>(result.elapsed().seconds()) + result.elapsed().nanos() / 1e9;
      seen.last_depth = std::max(seen.last_depth, result.depth());
    }
    if (!response.has_update()) return false;
    seen.last_depth = response.update().depth();
    seen.nodes = response.update().nodes();
    if (seen.first_update_ms >= 0) return false;
    seen.first_update_ms = std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
    seen.first_depth = response.update().depth();
    return true;
  }
};

AnalysisLoad::AnalysisLoad(std::shared_ptr<grpc::Channel> channel, const std::vector<std::string>& fens)
    : stub_(v1::AnalysisService::NewStub(std::move(channel))) {
  for (const std::string& fen : fens) {
    auto stream = std::make_unique<Stream>();
    stream->request.mutable_position()->set_fen(fen);
    stream->request.mutable_limits()->set_infinite(true);
    streams_.push_back(std::move(stream));
  }
}

AnalysisLoad::~AnalysisLoad() {
  for (const auto& stream : streams_) stream->context.TryCancel();
  AwaitEnd();
  queue_.Shutdown();
  void* tag;
  bool ok;
  while (queue_.Next(&tag, &ok)) continue;
}

void AnalysisLoad::Begin(std::chrono::milliseconds over, system_clock::time_point deadline) {
  const auto begin = system_clock::now();
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    const auto due = begin + over * static_cast<int>(i) / static_cast<int>(streams_.size());
    while (system_clock::now() < due) HandleNext(due);
    Stream& stream = *streams_[i];
    stream.context.set_deadline(deadline);
    stream.start = steady_clock::now();
    stream.reader = stub_->AsyncAnalyze(&stream.context, stream.request, &queue_, &stream);
    ++open_;
  }
}

void AnalysisLoad::HandleNext(system_clock::time_point until) {
  void* tag;
  bool ok;
  if (queue_.AsyncNext(&tag, &ok, until) != grpc::CompletionQueue::GOT_EVENT) return;
  Stream& stream = *static_cast<Stream*>(tag);
  if (stream.finishing) {
    --open_;
    return;
  }
  if (stream.started && ok && stream.Observe()) ++heard_of_;
  stream.started = true;
  if (ok) {
    stream.reader->Read(&stream.response, &stream);
  } else {
    stream.finishing = true;
    stream.reader->Finish(&stream.status, &stream);
  }
}

void AnalysisLoad::AwaitFirstUpdates() {
  while (heard_of_ < streams_.size() && open_ > 0) HandleNext(system_clock::now() + std::chrono::seconds(1));
}

void AnalysisLoad::HandleFor(std::chrono::milliseconds time) {
  const auto until = system_clock::now() + time;
  while (system_clock::now() < until) HandleNext(until);
}

void AnalysisLoad::AwaitEnd() {
  while (open_ > 0) HandleNext(system_clock::now() + std::chrono::seconds(1));
}

void AnalysisLoad::Cancel(std::size_t index) { streams_[index]->context.TryCancel(); }

std::vector<Observation> AnalysisLoad::observations() const {
  std::vector<Observation> observations;
  for (const auto& stream : streams_) observations.push_back(stream->seen);
  return observations;
}

}  // namespace kibitz::bench
