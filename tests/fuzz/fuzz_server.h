// The server that fuzz targets talk to: small, quick, in the same process.

#ifndef KIBITZ_TESTS_FUZZ_FUZZ_SERVER_H_
#define KIBITZ_TESTS_FUZZ_FUZZ_SERVER_H_

#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <memory>

#include "kibitz/v1/analysis.grpc.pb.h"

namespace kibitz {

// Started at the first call, for good. Searches end after a few milliseconds, counts after a few thousand nodes.
v1::AnalysisService::Stub& FuzzServer();

// A call that is over long before its deadline, unless the server hangs.
std::unique_ptr<grpc::ClientContext> FuzzCall();

// A failure is one of the contract's, and has words; a call that hung is none.
void RequireGoodStatus(const grpc::Status& status);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_FUZZ_FUZZ_SERVER_H_
