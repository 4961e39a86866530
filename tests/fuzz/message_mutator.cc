#include "tests/fuzz/message_mutator.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace kibitz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr std::array<const char*, 18> kWords = {
    "",
    "e2e4",
    "e7e5",
    "g1f3",
    "e1g1",
    "e8h8",
    "e7e8q",
    "0000",
    "d4",
    "a9",
    "startpos",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n2k2/1P1P3P/8/8/8/2K5/pp2p1p1/5N1N b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "\xff\xfe",
};
constexpr std::array<std::int64_t, 12> kNumbers = {0,
                                                   1,
                                                   -1,
                                                   2,
                                                   5,
                                                   64,
                                                   256,
                                                   1000,
                                                   999'999'999,
                                                   std::numeric_limits<std::int32_t>::max(),
                                                   std::numeric_limits<std::int32_t>::min(),
                                                   std::numeric_limits<std::int64_t>::max()};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  void Mutate(Message& root) {
    for (std::size_t changes = 1 + Below(3); changes > 0; --changes) {
      // Anew each time: a change within a oneof frees what stood there.
      std::vector<Message*> messages;
      Collect(root, messages);
      ChangeField(*messages[Below(messages.size())]);
    }
  }

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }

  // The message and all that are in it.
  static void Collect(Message& message, std::vector<Message*>& messages) {
    messages.push_back(&message);
    std::vector<const FieldDescriptor*> fields;
    const Reflection& reflection = *message.GetReflection();
    reflection.ListFields(message, &fields);
    for (const FieldDescriptor* field : fields) {
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      if (!field->is_repeated()) {
        Collect(*reflection.MutableMessage(&message, field), messages);
        continue;
      }
      for (int i = 0; i < reflection.FieldSize(message, field); ++i) {
        Collect(*reflection.MutableRepeatedMessage(&message, field, i), messages);
      }
    }
  }

  void ChangeField(Message& message) {
    const auto& descriptor = *message.GetDescriptor();
    if (descriptor.field_count() == 0) return;
    const FieldDescriptor& field = *descriptor.field(static_cast<int>(Below(descriptor.field_count())));
    if (field.is_repeated()) {
      ChangeRepeated(message, field);
    } else {
      Set(message, field);
    }
  }

  void ChangeRepeated(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    const int size = reflection.FieldSize(message, &field);
    if (size > 1 && Below(4) == 0) {
      reflection.SwapElements(&message, &field, static_cast<int>(Below(size)), static_cast<int>(Below(size)));
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      Message& added = *reflection.AddMessage(&message, &field);
      ChangeField(added);
    } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      if (size > 0 && Below(2) == 0) {
        const int index = static_cast<int>(Below(size));
        reflection.SetRepeatedString(&message, &field, index,
                                     Word(reflection.GetRepeatedString(message, &field, index)));
      } else {
        reflection.AddString(&message, &field, Word(""));
      }
    }
  }

  void Set(Message& message, const FieldDescriptor& field) {
    const Reflection& reflection = *message.GetReflection();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        ChangeField(*reflection.MutableMessage(&message, &field));
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        reflection.SetString(&message, &field, Word(reflection.GetString(message, &field)));
        break;
      case FieldDescriptor::CPPTYPE_INT32:
        reflection.SetInt32(&message, &field, static_cast<std::int32_t>(Number()));
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        reflection.SetInt64(&message, &field, Number());
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        reflection.SetBool(&message, &field, Below(2) == 0);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        reflection.SetEnumValue(&message, &field, static_cast<int>(Below(4)));
        break;
      default:
        break;
    }
  }

  std::int64_t Number() {
    return Below(3) == 0 ? static_cast<std::int64_t>(Below(200)) : kNumbers[Below(kNumbers.size())];
  }

  // Another word, or the old one with a letter changed, added or dropped.
  std::string Word(std::string old) {
    if (old.empty() || Below(2) == 0) return kWords[Below(kWords.size())];
    const std::size_t at = Below(old.size());
    constexpr char kLetters[] = "abcdefghABCNRQKnrqkpP12345678/ -w0";
    const char letter = kLetters[Below(sizeof(kLetters) - 1)];
    switch (Below(3)) {
      case 0:
        old[at] = letter;
        break;
      case 1:
        old.insert(at, 1, letter);
        break;
      default:
        old.erase(at, 1);
    }
    return old;
  }

  std::minstd_rand random_;
};

// What cannot be read is no news: the target takes what is left.
class Silence final : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int /*line*/, int /*column*/, const std::string& /*message*/) override {}
};

}  // namespace

void ReadText(const std::uint8_t* data, std::size_t size, Message& message) {
  google::protobuf::TextFormat::Parser parser;
  Silence silence;
  parser.RecordErrorsTo(&silence);
  parser.SetRecursionLimit(20);
  parser.ParseFromString(std::string(reinterpret_cast<const char*>(data), size), &message);
}

std::size_t MutateText(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned seed, Message& message) {
  ReadText(data, size, message);
  Mutator(seed).Mutate(message);
  std::string text;
  google::protobuf::TextFormat::PrintToString(message, &text);
  // A message that has grown too large is forgotten.
  if (text.size() > max_size) text.clear();
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace kibitz
