#include "server/service/reflection_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "google/protobuf/descriptor.pb.h"
#include "kibitz/v1/analysis.pb.h"
#include "server/rpc/method.h"

namespace kibitz::server {
namespace {

using ::testing::ElementsAre;
using Request = ReflectionService::Request;
using Response = ReflectionService::Response;

class ReflectionServiceTest : public ::testing::Test {
 protected:
  ReflectionServiceTest() {
    v1::Score::descriptor();  // so that the linker keeps what it describes
    MethodTable methods;
    methods["/kibitz.v1.AnalysisService/Analyze"];
    methods["/kibitz.v1.AnalysisService/Perft"];
    reflection_.AddMethods(methods);
  }

  std::vector<std::string> FilesOf(const Response& response) {
    std::vector<std::string> names;
    for (const std::string& bytes : response.file_descriptor_response().file_descriptor_proto()) {
      google::protobuf::FileDescriptorProto file;
      EXPECT_TRUE(file.ParseFromString(bytes));
      names.push_back(file.name());
    }
    return names;
  }

  ReflectionService reflection_;
};

TEST_F(ReflectionServiceTest, ListsEachServiceOnce) {
  Request request;
  request.set_list_services("");
  std::vector<std::string> names;
  const Response response = reflection_.Answer(request);
  for (const auto& service : response.list_services_response().service()) names.push_back(service.name());
  EXPECT_THAT(names, ElementsAre("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
                                 "kibitz.v1.AnalysisService"));
}

TEST_F(ReflectionServiceTest, GivesAFileWithAllThatItImports) {
  for (const char* symbol : {"kibitz.v1.AnalysisService", "kibitz.v1.AnalysisService.Perft", "kibitz.v1.Score"}) {
    Request request;
    request.set_file_containing_symbol(symbol);
    const std::vector<std::string> files = FilesOf(reflection_.Answer(request));
    EXPECT_THAT(files, ElementsAre("kibitz/v1/analysis.proto", "google/protobuf/duration.proto",
                                   "google/protobuf/timestamp.proto", "kibitz/v1/position.proto"));
  }
  Request request;
  request.set_file_by_filename("kibitz/v1/position.proto");
  EXPECT_THAT(FilesOf(reflection_.Answer(request)), ElementsAre("kibitz/v1/position.proto"));
}

TEST_F(ReflectionServiceTest, KnowsItself) {
  for (const char* symbol : {"grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}) {
    Request request;
    request.set_file_containing_symbol(symbol);
    EXPECT_EQ(FilesOf(reflection_.Answer(request)).size(), 1u) << symbol;
  }
}

TEST_F(ReflectionServiceTest, SaysWhatItDoesNotKnow) {
  std::vector<Request> requests(5);
  requests[0].set_file_containing_symbol("kibitz.v1.Nothing");
  requests[1].set_file_by_filename("nothing.proto");
  requests[2].set_all_extension_numbers_of_type("kibitz.v1.Nothing");
  requests[3].mutable_file_containing_extension()->set_containing_type("kibitz.v1.Score");
  for (const Request& request : requests) {
    const Response response = reflection_.Answer(request);
    const auto expected = request.message_request_case() == Request::MESSAGE_REQUEST_NOT_SET
                              ? absl::StatusCode::kUnimplemented
                              : absl::StatusCode::kNotFound;
    EXPECT_EQ(response.error_response().error_code(), static_cast<int>(expected)) << request.DebugString();
  }
}

TEST_F(ReflectionServiceTest, TellsTheNumbersOfExtensions) {
  Request request;
  request.set_all_extension_numbers_of_type("kibitz.v1.Score");
  const Response response = reflection_.Answer(request);
  EXPECT_EQ(response.all_extension_numbers_response().base_type_name(), "kibitz.v1.Score");
  EXPECT_EQ(response.all_extension_numbers_response().extension_number_size(), 0);
}

}  // namespace
}  // namespace kibitz::server
