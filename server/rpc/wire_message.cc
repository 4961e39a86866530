#include "server/rpc/wire_message.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/common.h"
#include "google/protobuf/wire_format_lite.h"
#include "grpcpp/support/proto_buffer_reader.h"
#include "server/errors/errors.h"

namespace kibitz::server {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::IsStructurallyValidUTF8;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr int kMaxNesting = 16;

// The path of the first field whose text is not UTF-8, or nothing. Each byte is looked at once.
std::string FindBadText(const Descriptor& type, CodedInputStream& bytes, int nesting) {
  std::vector<int> times_seen(static_cast<std::size_t>(type.field_count()));
  std::string text;
  while (const std::uint32_t tag = bytes.ReadTag()) {
    const FieldDescriptor* const field = type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    std::uint32_t size = 0;
    if (field == nullptr || WireFormatLite::GetTagWireType(tag) != WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
      if (!WireFormatLite::SkipField(&bytes, tag)) return "";
      continue;
    }
    if (!bytes.ReadVarint32(&size)) return "";
    const auto path = [&, index = times_seen[static_cast<std::size_t>(field->index())]++] {
      return field->is_repeated() ? absl::StrCat(field->name(), "[", index, "]") : std::string(field->name());
    };
    if (field->type() == FieldDescriptor::TYPE_STRING) {
      if (!bytes.ReadString(&text, static_cast<int>(size))) return "";
      if (!IsStructurallyValidUTF8(text.data(), static_cast<int>(text.size()))) return path();
    } else if (field->type() == FieldDescriptor::TYPE_MESSAGE && nesting < kMaxNesting) {
      const CodedInputStream::Limit limit = bytes.PushLimit(static_cast<int>(size));
      const std::string below = FindBadText(*field->message_type(), bytes, nesting + 1);
      if (!below.empty()) return absl::StrCat(path(), ".", below);
      if (!bytes.Skip(bytes.BytesUntilLimit())) return "";
      bytes.PopLimit(limit);
    } else if (!bytes.Skip(static_cast<int>(size))) {
      return "";
    }
  }
  return "";
}

std::string FindBadText(const Descriptor& type, grpc::ByteBuffer& message) {
  grpc::ProtoBufferReader reader(&message);
  if (!reader.status().ok()) return "";
  CodedInputStream bytes(&reader);
  return FindBadText(type, bytes, 0);
}

}  // namespace

absl::Status ReadMessage(grpc::ByteBuffer& bytes, google::protobuf::Message& message) {
  {
    grpc::ProtoBufferReader reader(&bytes);
    if (reader.status().ok() && message.ParseFromZeroCopyStream(&reader)) return absl::OkStatus();
  }
  const std::string field = FindBadText(*message.GetDescriptor(), bytes);
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
