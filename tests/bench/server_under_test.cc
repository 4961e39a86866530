#include "tests/bench/server_under_test.h"

#include <fmt/core.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "server/server.h"

namespace kibitz::bench {

using integration::ServerProcess;

int Serve(server::ServerOptions options) {
  options.listen = "127.0.0.1:0";
  auto server = server::Server::Start(options);
  if (!server.ok()) return 1;
  fmt::print("listening on {}\n", (*server)->address());
  std::fflush(stdout);
  (*server)->Wait();
  return 0;
}

std::unique_ptr<ServerProcess> StartServer(const std::vector<std::string>& arguments) {
  auto server = std::make_unique<ServerProcess>("/proc/self/exe", arguments);
  if (server->address().empty()) throw std::runtime_error("the server did not start");
  return server;
}

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

double ResidentMegabytes(pid_t pid) {
  std::ifstream statm(fmt::format("/proc/{}/statm", pid));
  std::int64_t total = 0;
  std::int64_t resident = 0;
  statm >> total >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double SettledMegabytes(pid_t pid) {
  double before = 0;
  double now = ResidentMegabytes(pid);
  for (int look = 0; look < 50 && now > before + 0.5; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    before = std::exchange(now, ResidentMegabytes(pid));
  }
  return now;
}

double CpuSeconds(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (clock_getcpuclockid(pid, &clock) == 0) clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double Quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const auto place = static_cast<std::size_t>(std::ceil(part * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(place, 1, values.size()) - 1];
}

}  // namespace kibitz::bench
