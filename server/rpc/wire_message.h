// Messages to bytes and back. gRPC could do it, but it answers bytes that it cannot read with INTERNAL and no reason.

#ifndef KIBITZ_SERVER_RPC_WIRE_MESSAGE_H_
#define KIBITZ_SERVER_RPC_WIRE_MESSAGE_H_

#include "absl/status/status.h"
#include "google/protobuf/message.h"
#include "grpcpp/support/byte_buffer.h"

namespace kibitz::server {

// INVALID_ARGUMENT when the bytes are no such message: names the field if it is one whose text is not valid UTF-8.
absl::Status ReadMessage(grpc::ByteBuffer& bytes, google::protobuf::Message& message);

grpc::ByteBuffer WriteMessage(const google::protobuf::Message& message);

}  // namespace kibitz::server

#endif  // KIBITZ_SERVER_RPC_WIRE_MESSAGE_H_
