// Inputs for fuzz targets that are messages: what libFuzzer changes stays a message, so that it gets past the parser.

#ifndef KIBITZ_TESTS_FUZZ_MESSAGE_MUTATOR_H_
#define KIBITZ_TESTS_FUZZ_MESSAGE_MUTATOR_H_

#include <google/protobuf/message.h>

#include <cstddef>
#include <cstdint>

namespace kibitz {

// Reads text format. What is none leaves the message with what could be read.
void ReadText(const std::uint8_t* data, std::size_t size, google::protobuf::Message& message);

// For LLVMFuzzerCustomMutator: changes a few fields of the message that the data is, and writes it back. Values are
// often those at the edges of what the contract allows, or names of squares, moves and positions.
std::size_t MutateText(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed,
                       google::protobuf::Message& message);

}  // namespace kibitz

#endif  // KIBITZ_TESTS_FUZZ_MESSAGE_MUTATOR_H_
