// Hundreds of infinite analyses on two workers, over real gRPC: how soon each is heard of, how fairly they share, and
// what the sharing costs against two analyses alone. And a tenant beside one that floods the workers, within this
// process.

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "kibitz/v1/analysis.grpc.pb.h"
#include "server/tenant/tenant.h"
#include "tests/bench/analysis_load.h"
#include "tests/bench/middlegames.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"
#include "tests/bench/server_under_test.h"
#include "tests/bench/tenant_load.h"
#include "tests/integration/server_process.h"

namespace kibitz::bench {
namespace {

using integration::ServerProcess;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr int kWorkers = 2;
constexpr milliseconds kArrival{1000};

struct Plan {
  int analyses = 500;
  int rounds = 3;
  seconds crowd{60};
  seconds alone{10};
  seconds deadline{5};
  int deadline_rounds = 5;
  int cancels = 200;
  int flood = 1000;         // analyses of one tenant
  int flooded_calls = 300;  // of another, one after the other
  seconds shared{20};
};
constexpr Plan kQuickPlan{.rounds = 1,
                          .crowd = seconds(12),
                          .alone = seconds(4),
                          .deadline_rounds = 2,
                          .cancels = 50,
                          .flooded_calls = 100,
                          .shared = seconds(6)};

// What came of some analyses that ran together.
struct Outcome {
  double nodes_per_second = 0;
  std::vector<double> first_update_ms;
  double advanced_share = 0;
  double final_share = 0;  // whose Final came before the deadline
  double fairness = 0;
  double megabytes_each = 0;
  double client_share = 0;  // of the CPU time used
};

double Fairness(const std::vector<Observation>& seen) {
  double sum = 0;
  double squares = 0;
  for (const Observation& each : seen) {
    sum += static_cast<double>(each.nodes);
    squares += static_cast<double>(each.nodes) * static_cast<double>(each.nodes);
  }
  return sum * sum / (static_cast<double>(seen.size()) * squares);
}

Outcome RunTogether(const std::vector<std::string>& fens, milliseconds arrival, seconds duration) {
  const std::unique_ptr<ServerProcess> server = StartServer();
  const std::shared_ptr<grpc::Channel> channel = Connect(server->address());
  if (!channel->WaitForConnected(system_clock::now() + seconds(10))) throw std::runtime_error("no connection");
  AnalysisLoad load(channel, fens);
  const double megabytes_before = SettledMegabytes(server->pid());
  const double server_cpu = CpuSeconds(server->pid());
  const double client_cpu = CpuSeconds(getpid());
  load.Begin(arrival, system_clock::now() + duration);
  load.AwaitFirstUpdates();
  load.HandleFor(duration / 2);
  // By now every search has touched what it ever will.
  const double megabytes_after = ResidentMegabytes(server->pid());
  load.AwaitEnd();

  const std::vector<Observation> seen = load.observations();
  Outcome outcome;
  const double count = static_cast<double>(seen.size());
  double longest = 0;
  for (const Observation& each : seen) {
    if (each.first_update_ms < 0) throw std::runtime_error("an analysis was never heard of");
    outcome.final_share += each.final ? 1 / count : 0;
    outcome.first_update_ms.push_back(each.first_update_ms);
    outcome.nodes_per_second += static_cast<double>(each.nodes);
    outcome.advanced_share += each.last_depth > each.first_depth ? 1 / count : 0;
    longest = std::max(longest, each.seconds);
  }
  outcome.nodes_per_second /= longest;
  outcome.fairness = Fairness(seen);
  outcome.megabytes_each = (megabytes_after - megabytes_before) / count;
  const double client = CpuSeconds(getpid()) - client_cpu;
  outcome.client_share = client / (client + CpuSeconds(server->pid()) - server_cpu);
  return outcome;
}

// The share of the crowd whose Final came before the deadline, which is the same moment for all.
std::vector<double> MeasureDeadlines(const std::vector<std::string>& fens, const Plan& plan) {
  std::vector<double> shares;
  for (int round = 0; round < plan.deadline_rounds; ++round) {
    shares.push_back(RunTogether(fens, kArrival, plan.deadline).final_share);
  }
  return shares;
}

int LiveAnalyses(v1::AnalysisService::Stub& stub) {
  grpc::ClientContext context;
  v1::GetServerInfoResponse info;
  if (!stub.GetServerInfo(&context, {}, &info).ok()) throw std::runtime_error("the server does not answer");
  return info.live_analyses();
}

// Cancels one analysis after the other among the crowd; each time until the server has one less. In milliseconds.
std::vector<double> MeasureCancels(const std::vector<std::string>& fens, int cancels) {
  const std::unique_ptr<ServerProcess> server = StartServer();
  AnalysisLoad load(Connect(server->address()), fens);
  const auto stub = v1::AnalysisService::NewStub(Connect(server->address()));
  load.Begin(kArrival, system_clock::now() + seconds(120));
  load.AwaitFirstUpdates();
  std::vector<double> times;
  int live = LiveAnalyses(*stub);
  for (std::size_t i = 0; static_cast<int>(i) < cancels; ++i) {
    load.HandleFor(milliseconds(10));
    const auto start = steady_clock::now();
    load.Cancel(i);
    while (LiveAnalyses(*stub) >= live && steady_clock::now() - start < seconds(5)) continue;
    times.push_back(std::chrono::duration<double, std::milli>(steady_clock::now() - start).count());
    --live;
  }
  return times;
}

// A tenant beside another that floods the workers.
struct TenantOutcome {
  std::vector<double> first_update_ms;
  double share_of_fair = 0;  // of the nodes, with an analysis for each worker
};

TenantOutcome MeasureTenants(const std::vector<std::string>& fens, const Plan& plan) {
  const auto flooding = std::make_shared<const server::Tenant>(server::Tenant{.name = "flooding"});
  const auto modest = std::make_shared<const server::Tenant>(server::Tenant{.name = "modest"});
  std::vector<std::string> flood;
  for (std::size_t i = 0; static_cast<int>(i) < plan.flood; ++i) flood.push_back(fens[i % fens.size()]);
  TenantOutcome outcome;
  TenantLoad load(kWorkers);
  load.Begin(flooding, flood);
  for (std::size_t i = 0; static_cast<int>(i) < plan.flooded_calls; ++i) {
    outcome.first_update_ms.push_back(load.FirstUpdateMs(modest, fens[i % fens.size()]));
  }
  load.End();
  load.Begin(flooding, flood);
  load.Begin(modest, {fens.begin(), fens.begin() + kWorkers});
  std::this_thread::sleep_for(plan.shared);
  const std::vector<std::int64_t> nodes = load.End();
  outcome.share_of_fair = 2.0 * static_cast<double>(nodes[1]) / static_cast<double>(nodes[0] + nodes[1]);
  return outcome;
}

nlohmann::ordered_json Run(const Plan& plan) {
  const std::vector<std::string> fens = Middlegames(plan.analyses);
  const std::vector<std::string> two(fens.begin(), fens.begin() + kWorkers);
  fmt::print("{} analyses that arrive over {} ms and run for {} s, on {} workers; {} alone for {} s\n\n", plan.analyses,
             kArrival.count(), plan.crowd.count(), kWorkers, kWorkers, plan.alone.count());
  fmt::print("{:>6}{:>14}{:>14}{:>8}{:>18}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "round", "alone nodes/s", "crowd nodes/s",
             "ratio", "first update p99", "advanced", "finals", "fairness", "MB each", "client");
  std::vector<double> ratios, first_updates, advanced, fairness, megabytes, client;
  for (int round = 1; round <= plan.rounds; ++round) {
    const double before = RunTogether(two, milliseconds(0), plan.alone).nodes_per_second;
    const Outcome crowd = RunTogether(fens, kArrival, plan.crowd);
    const double after = RunTogether(two, milliseconds(0), plan.alone).nodes_per_second;
    const double alone = (before + after) / 2;
    ratios.push_back(crowd.nodes_per_second / alone);
    first_updates.push_back(Quantile(crowd.first_update_ms, 0.99));
    advanced.push_back(crowd.advanced_share);
    fairness.push_back(crowd.fairness);
    megabytes.push_back(crowd.megabytes_each);
    client.push_back(crowd.client_share);
    fmt::print("{:>6}{:>14.0f}{:>14.0f}{:>8.3f}{:>15.1f} ms{:>10.3f}{:>10.3f}{:>10.3f}{:>10.2f}{:>9.1f}%\n", round,
               alone, crowd.nodes_per_second, ratios.back(), first_updates.back(), advanced.back(), crowd.final_share,
               fairness.back(), megabytes.back(), client.back() * 100);
    std::fflush(stdout);
  }
  const std::vector<double> finals = MeasureDeadlines(fens, plan);
  fmt::print("\nOne deadline of {} s for all: {:.3f} of the Finals came before it (median of {}), at worst {:.3f}\n",
             plan.deadline.count(), Quantile(finals, 0.5), finals.size(), Quantile(finals, 0));
  const std::vector<double> cancels = MeasureCancels(fens, plan.cancels);
  fmt::print("\n{} cancels among them: until the worker is free {:.1f} ms (median), {:.1f} ms (p99)\n", cancels.size(),
             Quantile(cancels, 0.5), Quantile(cancels, 0.99));
  const TenantOutcome tenants = MeasureTenants(fens, plan);
  fmt::print(
      "\nBeside a tenant with {} analyses: first update of another {:.1f} ms (median), {:.1f} ms (p99) in {} calls; "
      "{:.3f} "
      "of its fair share of nodes\n",
      plan.flood, Quantile(tenants.first_update_ms, 0.5), Quantile(tenants.first_update_ms, 0.99),
      tenants.first_update_ms.size(), tenants.share_of_fair);
  nlohmann::ordered_json figures;
  figures["first_update_p99_ms"] = Rounded(Median(first_updates));
  figures["advanced_share"] = Rounded(Median(advanced));
  figures["fairness"] = Rounded(Median(fairness));
  figures["throughput_ratio"] = Rounded(Median(ratios));
  figures["memory_per_analysis_mb"] = Rounded(Median(megabytes));
  figures["deadline_final_share"] = Rounded(Median(finals));
  figures["cancel_p99_ms"] = Rounded(Quantile(cancels, 0.99));
  figures["tenant_first_update_p99_ms"] = Rounded(Quantile(tenants.first_update_ms, 0.99));
  figures["tenant_share_of_fair"] = Rounded(tenants.share_of_fair);
  figures["client_cpu_share"] = Rounded(Median(client));
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram(
      {.name = "scheduler",
       .description = "Runs hundreds of infinite analyses on two workers and measures what each of them sees.",
       .quick_help = "half a minute instead of five; the figures are rough",
       .run = [](bool quick) { return Run(quick ? kQuickPlan : Plan()); },
       .serve = [] { return Serve({.workers = kWorkers}); }},
      argc, argv);
}
