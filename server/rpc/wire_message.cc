#include "server/rpc/wire_message.h"

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/unknown_field_set.h"
#include "google/protobuf/wrappers.pb.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "server/grpc_status.h"

namespace kibitz::server {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Protobuf has no public function for this, but it reads no string that is not UTF-8.
bool IsUtf8(const std::string& text) {
  google::protobuf::BytesValue bytes;
  bytes.set_value(text);
  return google::protobuf::StringValue().ParseFromString(bytes.SerializeAsString());
}

// The path of the first field whose text is not UTF-8, or nothing.
std::string FindBadText(const google::protobuf::Descriptor& type, const std::string& bytes) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(bytes)) return "";
  std::map<int, int> times_seen;
  for (int i = 0; i < fields.field_count(); ++i) {
    const FieldDescriptor* const field = type.FindFieldByNumber(fields.field(i).number());
    if (field == nullptr || fields.field(i).type() != UnknownField::TYPE_LENGTH_DELIMITED) continue;
    const std::string& content = fields.field(i).length_delimited();
    const int index = times_seen[field->number()]++;
    const std::string path =
        field->is_repeated() ? absl::StrCat(field->name(), "[", index, "]") : std::string(field->name());
    if (field->type() == FieldDescriptor::TYPE_STRING && !IsUtf8(content)) return path;
    if (field->type() == FieldDescriptor::TYPE_MESSAGE) {
      const std::string below = FindBadText(*field->message_type(), content);
      if (!below.empty()) return absl::StrCat(path, ".", below);
    }
  }
  return "";
}

std::string AllBytes(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  std::string bytes;
  if (!buffer.Dump(&slices).ok()) return bytes;
  for (const grpc::Slice& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

}  // namespace

absl::Status ReadMessage(grpc::ByteBuffer& bytes, google::protobuf::Message& message) {
  grpc::ProtoBufferReader reader(&bytes);
  if (reader.status().ok() && message.ParseFromZeroCopyStream(&reader)) return absl::OkStatus();
  const std::string field = FindBadText(*message.GetDescriptor(), AllBytes(bytes));
  if (!field.empty()) return InvalidField(field, "INVALID_UTF8", "the text is not valid UTF-8");
  return Failure(absl::StatusCode::kInvalidArgument, "MALFORMED_MESSAGE",
                 absl::StrCat("the request is not a ", message.GetTypeName(), " in Protocol Buffers' encoding"));
}

grpc::ByteBuffer WriteMessage(const google::protobuf::Message& message) {
  grpc::Slice bytes(message.ByteSizeLong());
  message.SerializeWithCachedSizesToArray(const_cast<std::uint8_t*>(bytes.begin()));
  return grpc::ByteBuffer(&bytes, 1);
}

}  // namespace kibitz::server
