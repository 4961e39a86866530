#include "server/service/reflection_service.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "server/errors/errors.h"
#include "server/rpc/typed_methods.h"
#include "server/scheduler/stop_signal.h"

namespace kibitz::server {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;

constexpr std::size_t kMaxRequestBytes = 4 << 10;

const DescriptorPool& Pool() { return *DescriptorPool::generated_pool(); }

// The file and all that it imports, itself first, as tools expect it.
void AddFile(const FileDescriptor& file, std::set<std::string>& seen,
             grpc::reflection::v1alpha::FileDescriptorResponse& response) {
  if (!seen.insert(std::string(file.name())).second) return;
  google::protobuf::FileDescriptorProto proto;
  file.CopyTo(&proto);
  response.add_file_descriptor_proto(proto.SerializeAsString());
  for (int i = 0; i < file.dependency_count(); ++i) AddFile(*file.dependency(i), seen, response);
}

void SetError(absl::StatusCode code, const std::string& message, ReflectionService::Response& response) {
  response.mutable_error_response()->set_error_code(static_cast<int>(code));
  response.mutable_error_response()->set_error_message(message);
}

void AnswerFile(const FileDescriptor* file, const std::string& wanted, ReflectionService::Response& response) {
  if (file == nullptr) return SetError(absl::StatusCode::kNotFound, Printable(wanted) + " is not known", response);
  std::set<std::string> seen;
  AddFile(*file, seen, *response.mutable_file_descriptor_response());
}

void AnswerExtension(const ReflectionService::Request& request, ReflectionService::Response& response) {
  const auto& wanted = request.file_containing_extension();
  const auto* const type = Pool().FindMessageTypeByName(wanted.containing_type());
  const auto* const extension =
      type == nullptr ? nullptr : Pool().FindExtensionByNumber(type, wanted.extension_number());
  AnswerFile(extension == nullptr ? nullptr : extension->file(),
             absl::StrCat("extension ", wanted.extension_number(), " of ", wanted.containing_type()), response);
}

void AnswerExtensionNumbers(const std::string& name, ReflectionService::Response& response) {
  const auto* const type = Pool().FindMessageTypeByName(name);
  if (type == nullptr) return SetError(absl::StatusCode::kNotFound, Printable(name) + " is not known", response);
  std::vector<const google::protobuf::FieldDescriptor*> extensions;
  Pool().FindAllExtensions(type, &extensions);
  auto* const numbers = response.mutable_all_extension_numbers_response();
  numbers->set_base_type_name(name);
  for (const auto* extension : extensions) numbers->add_extension_number(extension->number());
}

}  // namespace

// Answers one question after the other.
class ReflectionService::Stream final : public RequestListener<Request> {
 public:
  Stream(const ReflectionService& service, std::shared_ptr<ResponseStream<Response>> stream)
      : service_(service), stream_(std::move(stream)) {}

  bool OnRequest(const Request& request) override {
    stream_->Send(service_.Answer(request));
    return true;
  }
  void OnRequestsEnd(const absl::Status& why) override { stream_->Finish(why); }
  void OnShutdown() override { stream_->Finish(StatusOf(StopCause::kShutdown)); }

 private:
  const ReflectionService& service_;
  const std::shared_ptr<ResponseStream<Response>> stream_;
};

void ReflectionService::AddMethods(MethodTable& methods) {
  for (const char* version : {"v1", "v1alpha"}) {
    methods[absl::StrCat("/grpc.reflection.", version, ".ServerReflection/ServerReflectionInfo")] =
        SessionMethod<Request, Response>(kMaxRequestBytes,
                                         [this](Call&, std::shared_ptr<ResponseStream<Response>> stream) {
                                           return std::make_shared<Stream>(*this, std::move(stream));
                                         });
  }
  for (const auto& [name, method] : methods) services_.insert(name.substr(1, name.rfind('/') - 1));
}

ReflectionService::Response ReflectionService::Answer(const Request& request) const {
  Response response;
  response.set_valid_host(request.host());
  *response.mutable_original_request() = request;
  switch (request.message_request_case()) {
    case Request::kListServices:
      for (const std::string& service : services_) {
        response.mutable_list_services_response()->add_service()->set_name(service);
      }
      break;
    case Request::kFileByFilename:
      AnswerFile(Pool().FindFileByName(request.file_by_filename()), request.file_by_filename(), response);
      break;
    case Request::kFileContainingSymbol:
      AnswerFile(Pool().FindFileContainingSymbol(request.file_containing_symbol()), request.file_containing_symbol(),
                 response);
      break;
    case Request::kFileContainingExtension:
      AnswerExtension(request, response);
      break;
    case Request::kAllExtensionNumbersOfType:
      AnswerExtensionNumbers(request.all_extension_numbers_of_type(), response);
      break;
    case Request::MESSAGE_REQUEST_NOT_SET:
      SetError(absl::StatusCode::kUnimplemented, "the request asks for nothing that is known", response);
      break;
  }
  return response;
}

}  // namespace kibitz::server
