// A call that nobody makes, for tests of what looks at calls.

#ifndef KIBITZ_TESTS_SERVER_RPC_FAKE_CALL_H_
#define KIBITZ_TESTS_SERVER_RPC_FAKE_CALL_H_

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "server/rpc/call.h"
#include "server/rpc/connection.h"

namespace kibitz::server {

struct FakeCall final : public Call {
  absl::string_view method() const override { return name; }
  const std::string& peer() const override { return from; }
  Connection* connection() const override { return on; }
  absl::string_view Metadata(absl::string_view name) const override {
    const auto found = sent.find(std::string(name));
    return found == sent.end() ? absl::string_view() : absl::string_view(found->second);
  }
  std::size_t MetadataBytes() const override { return bytes; }
  Time deadline() const override { return Time::max(); }
  void OnCancel(std::function<void()> /*callback*/) override {}

  std::string name = "/kibitz.v1.AnalysisService/LegalMoves";
  std::string from = "ipv4:127.0.0.1:1";
  Connection* on = nullptr;
  std::map<std::string, std::string> sent;
  std::size_t bytes = 0;
};

}  // namespace kibitz::server

#endif  // KIBITZ_TESTS_SERVER_RPC_FAKE_CALL_H_
