// Many analyses at once, from one client.

#ifndef KIBITZ_TESTS_BENCH_ANALYSIS_LOAD_H_
#define KIBITZ_TESTS_BENCH_ANALYSIS_LOAD_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz::bench {

// What one analysis was seen to do.
struct Observation {
  double first_update_ms = 0;  // after the call; negative when none came
  int first_depth = 0;
  int last_depth = 0;
  std::int64_t nodes = 0;  // by the last that was heard of it
  double seconds = 0;      // since it began, by its Final
  bool final = false;
};

// Infinite analyses of all positions on one connection, begun evenly over a time. Each has a deadline, so that its
// Final comes shortly before it and tells what was done.
class AnalysisLoad {
 public:
  AnalysisLoad(std::shared_ptr<grpc::Channel> channel, const std::vector<std::string>& fens);
  ~AnalysisLoad();

  // Begins them all. They end at `deadline`, all together.
  void Begin(std::chrono::milliseconds over, std::chrono::system_clock::time_point deadline);
  // Reads what comes until each has had its first Update.
  void AwaitFirstUpdates();
  // Reads what comes for so long.
  void HandleFor(std::chrono::milliseconds time);
  // Reads until all have ended.
  void AwaitEnd();
  // Cancels one. The others go on.
  void Cancel(std::size_t index);

  std::vector<Observation> observations() const;

 private:
  struct Stream;
  // Handles one event of the completion queue, or returns after a while.
  void HandleNext(std::chrono::system_clock::time_point until);

  std::unique_ptr<v1::AnalysisService::Stub> stub_;
  grpc::CompletionQueue queue_;
  std::vector<std::unique_ptr<Stream>> streams_;
  std::size_t open_ = 0;
  std::size_t heard_of_ = 0;
};

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_ANALYSIS_LOAD_H_
