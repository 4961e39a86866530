#include "server/metrics/call_counts.h"

#include "server/errors/errors.h"

namespace kibitz::server {

class CallCounts::OpenCalls final : public CallStep {
 public:
  explicit OpenCalls(CallCounts& counts) : counts_(counts) {}
  absl::Status Enter(Call& call) override {
    counts_.Find(call.method()).open.fetch_add(1, std::memory_order_relaxed);
    return absl::OkStatus();
  }
  void Leave(const Call& call) override { counts_.Find(call.method()).open.fetch_sub(1, std::memory_order_relaxed); }

 private:
  CallCounts& counts_;
};

CallCounts::CallCounts(const MethodTable& methods, Ledger& ledger)
    : ledger_(ledger), unknown_(methods_[kUnknownMethod]) {
  for (const auto& [name, method] : methods) by_name_[name] = &methods_[name];
}

std::unique_ptr<CallStep> CallCounts::MakeStep() { return std::make_unique<OpenCalls>(*this); }

CallCounts::Method& CallCounts::Find(absl::string_view name) {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? unknown_ : *found->second;
}

void CallCounts::Record(const Call& call, const CallOutcome& outcome) {
  Method& method = Find(call.method());
  const auto code = static_cast<std::size_t>(outcome.code);
  method.by_code[code < kCodes ? code : static_cast<std::size_t>(absl::StatusCode::kUnknown)].fetch_add(
      1, std::memory_order_relaxed);
  method.durations.Add(outcome.duration);
  if (IsRefusal(outcome.code) && !outcome.reason.empty()) ledger_.CountRefusal(*call.tenant(), outcome.reason);
}

std::vector<CallCounts::OfMethod> CallCounts::counts() const {
  std::vector<OfMethod> counts;
  for (const auto& [name, method] : methods_) {
    OfMethod of_method{.method = name, .open = method.open, .by_code = {}, .durations = method.durations.counts()};
    for (std::size_t i = 0; i < kCodes; ++i) {
      const std::int64_t calls = method.by_code[i].load(std::memory_order_relaxed);
      if (calls > 0) of_method.by_code[static_cast<absl::StatusCode>(i)] = calls;
    }
    counts.push_back(std::move(of_method));
  }
  return counts;
}

}  // namespace kibitz::server
