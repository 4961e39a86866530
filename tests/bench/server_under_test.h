// A server to measure: the benchmark's own program once more, as another process.

#ifndef KIBITZ_TESTS_BENCH_SERVER_UNDER_TEST_H_
#define KIBITZ_TESTS_BENCH_SERVER_UNDER_TEST_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "server/server_options.h"
#include "tests/integration/server_process.h"

namespace kibitz::bench {

// What the process at the other end does: serves until it is killed. Gives its exit code.
int Serve(server::ServerOptions options);

// Runs this program as one of the processes that are measured.
std::unique_ptr<integration::ServerProcess> StartServer(const std::vector<std::string>& arguments = {"--serve"});

// A connection of its own.
std::shared_ptr<grpc::Channel> Connect(const std::string& address);

double ResidentMegabytes(pid_t pid);
// The same once it no longer grows: the table of a server is touched after its start.
double SettledMegabytes(pid_t pid);
double CpuSeconds(pid_t pid);

// The least value that is not below this part of them all; at least one.
double Quantile(std::vector<double> values, double part);

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_SERVER_UNDER_TEST_H_
