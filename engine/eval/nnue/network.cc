#include "engine/eval/nnue/network.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kibitz::nnue {
namespace {

constexpr absl::string_view kMagic = "kibitz net 1\n";

// What a file says of its shape, after the magic.
struct Shape {
  std::int32_t features = kFeatures;
  std::int32_t hidden = kHidden;
  std::int32_t buckets = kBuckets;
  std::int32_t one = kOne;
  std::int32_t output_one = kOutputOne;

  friend bool operator==(const Shape&, const Shape&) = default;
};

// FNV-1a, against damage and not against malice.
std::uint64_t HashOf(absl::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

template <typename Value>
void Append(const Value& value, std::string& bytes) {
  static_assert(std::is_trivially_copyable_v<Value>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// Takes a value off the front of the bytes, of which there must be enough.
template <typename Value>
void Take(absl::string_view& bytes, Value& value) {
  std::memcpy(&value, bytes.data(), sizeof(value));
  bytes.remove_prefix(sizeof(value));
}

constexpr std::size_t kBodyBytes = sizeof(Network::features) + sizeof(Network::bias) + sizeof(Network::outputs) +
                                   sizeof(Network::output_biases) + sizeof(Network::units);

std::string BodyOf(const Network& network) {
  std::string body;
  Append(network.features, body);
  Append(network.bias, body);
  Append(network.outputs, body);
  Append(network.output_biases, body);
  Append(network.units, body);
  return body;
}

constexpr std::int32_t kMaxUnits = 10'000;
constexpr std::int32_t kMaxBias = 10'000 * kOne * kOutputOne;

template <typename Numbers>
bool AreWithin(const Numbers& numbers, int bound) {
  return std::all_of(numbers.begin(), numbers.end(), [bound](int number) { return std::abs(number) <= bound; });
}

// Whether nothing can overflow but what may.
bool HasRoom(const Network& network) {
  return AreWithin(network.bias.values, kMaxHidden) && AreWithin(network.output_biases, kMaxBias) &&
         network.units > 0 && network.units <= kMaxUnits &&
         std::all_of(network.features.begin(), network.features.end(),
                     [](const Sums& feature) { return AreWithin(feature.values, kMaxHidden); }) &&
         std::all_of(network.outputs.begin(), network.outputs.end(),
                     [](const Network::Output& output) { return AreWithin(output.weights, kMaxOutput); });
}

}  // namespace

std::string Network::Serialize() const {
  const std::string body = BodyOf(*this);
  std::string bytes(kMagic);
  Append(Shape(), bytes);
  Append(HashOf(body), bytes);
  return bytes + body;
}

std::uint64_t Network::Checksum() const { return HashOf(BodyOf(*this)); }
std::string Network::Name() const { return absl::StrCat("net ", absl::Hex(Checksum(), absl::kZeroPad16)); }

absl::StatusOr<std::unique_ptr<Network>> Network::Parse(absl::string_view bytes) {
  constexpr std::size_t kHeaderBytes = kMagic.size() + sizeof(Shape) + sizeof(std::uint64_t);
  if (bytes.size() < kHeaderBytes || bytes.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError("is not a net of Kibitz's");
  }
  bytes.remove_prefix(kMagic.size());
  Shape shape;
  Take(bytes, shape);
  if (shape != Shape()) {
    return absl::InvalidArgumentError(absl::StrCat("is a net of another shape: ", shape.features, " -> ", shape.hidden,
                                                   "x2 -> ", shape.buckets, " instead of ", kFeatures, " -> ", kHidden,
                                                   "x2 -> ", kBuckets));
  }
  std::uint64_t checksum = 0;
  Take(bytes, checksum);
  if (bytes.size() != kBodyBytes || HashOf(bytes) != checksum) {
    return absl::InvalidArgumentError("is damaged: its checksum is another");
  }
  auto network = std::make_unique<Network>();
  Take(bytes, network->features);
  Take(bytes, network->bias);
  Take(bytes, network->outputs);
  Take(bytes, network->output_biases);
  Take(bytes, network->units);
  if (!HasRoom(*network)) return absl::InvalidArgumentError("has numbers that are too large");
  return network;
}

absl::StatusOr<std::unique_ptr<Network>> Network::Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, " cannot be read"));
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  absl::StatusOr<std::unique_ptr<Network>> network = Parse(bytes);
  if (network.ok()) return network;
  return absl::InvalidArgumentError(absl::StrCat(path, " ", network.status().message()));
}

int Network::Evaluate(const Sums& own, const Sums& other, int bucket, const Kernels& kernels) const {
  const Output& output = outputs[static_cast<std::size_t>(bucket)];
  const std::int64_t sum = std::int64_t{kernels.dot(own.values.data(), output.weights.data())} +
                           kernels.dot(other.values.data(), output.weights.data() + kHidden);
  const std::int64_t value = sum / kOne + output_biases[static_cast<std::size_t>(bucket)];
  return static_cast<int>(value * units / (kOne * kOutputOne));
}

}  // namespace kibitz::nnue
