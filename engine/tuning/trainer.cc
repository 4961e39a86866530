#include "engine/tuning/trainer.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/board/bitboard.h"
#include "engine/engine.h"
#include "engine/eval/nnue/architecture.h"

namespace kibitz::tuning {
namespace {

using nnue::kBuckets;
using nnue::kFeatures;
using nnue::kHidden;

// The parameters, one after the other.
constexpr std::size_t kFeatureWeights = std::size_t{kFeatures} * kHidden;
constexpr std::size_t kBias = kFeatureWeights;
constexpr std::size_t kOutputWeights = kBias + kHidden;
constexpr std::size_t kOutputBias = kOutputWeights + std::size_t{kBuckets} * 2 * kHidden;
constexpr std::size_t kParameters = kOutputBias + kBuckets;

constexpr double kMomentum = 0.9;
constexpr double kMemory = 0.999;
constexpr double kEpsilon = 1e-8;
constexpr int kWarmUpSteps = 200;
constexpr double kLastRate = 0.01;  // of the first

using Clock = std::chrono::steady_clock;

float Sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

// What the net sees of a record.
struct Sample {
  std::array<std::array<std::uint16_t, 32>, 2> features;  // of the side to move, and of the other
  int pieces = 0;
  int bucket = 0;
  float target = 0;  // for the side to move
};

// Both points of view, the side to move first.
void See(const Record& record, Sample& sample) {
  std::array<std::uint8_t, 32> codes;
  std::array<Square, 2> kings{};
  int count = 0;
  for (const Square square : Squares(record.occupied)) {
    int code = record.CodeAt(count);
    if (code == Record::kWhiteCastlingRook) code = Record::kWhitePieces + Index(PieceType::kRook);
    if (code == Record::kBlackCastlingRook) code = Record::kBlackPieces + Index(PieceType::kRook);
    if (code == Record::kPassingPawn) code = record.side_to_move == 0 ? Record::kBlackPieces : Record::kWhitePieces;
    if (code % 6 == Index(PieceType::kKing)) kings[static_cast<std::size_t>(code / 6)] = square;
    codes[static_cast<std::size_t>(count++)] = static_cast<std::uint8_t>(code);
  }
  for (int side = 0; side < 2; ++side) {
    const auto view = static_cast<Color>(record.side_to_move ^ side);
    const bool mirrored = nnue::IsMirrored(kings[static_cast<std::size_t>(Index(view))]);
    int i = 0;
    for (const Square square : Squares(record.occupied)) {
      const int code = codes[static_cast<std::size_t>(i)];
      sample.features[static_cast<std::size_t>(side)][static_cast<std::size_t>(i++)] = static_cast<std::uint16_t>(
          nnue::FeatureIndex(view, mirrored, static_cast<Color>(code / 6), static_cast<PieceType>(code % 6), square));
    }
  }
  sample.pieces = count;
  sample.bucket = nnue::BucketOf(record.occupied);
}

struct alignas(64) Layer {
  std::array<float, kHidden> values;
};

// So many numbers stay in the processor's registers while rows are added up.
using Lanes = float __attribute__((vector_size(64)));
constexpr std::size_t kLanes = sizeof(Lanes) / sizeof(float);
constexpr std::size_t kTileLanes = 8;
constexpr std::size_t kTile = kTileLanes * kLanes;
static_assert(kHidden % kTile == 0);

struct Tile {
  Lanes lanes[kTileLanes];

  explicit Tile(const float* numbers) { std::memcpy(lanes, numbers, sizeof(lanes)); }
  void Store(float* numbers) const { std::memcpy(numbers, lanes, sizeof(lanes)); }
  void Add(const float* numbers) {
    const Tile other(numbers);
    for (std::size_t i = 0; i < kTileLanes; ++i) lanes[i] += other.lanes[i];
  }
  void AddTo(float* numbers) const {
    Tile sum(numbers);
    for (std::size_t i = 0; i < kTileLanes; ++i) sum.lanes[i] += lanes[i];
    sum.Store(numbers);
  }
};

// The passes of one thread, and the gradient that they have added up.
class Passes {
 public:
  // The output for the side to move; keeps the sums for Back.
  float Forward(const std::vector<float>& parameters, const Sample& sample) {
#pragma clang fp reassociate(on)
    float output = parameters[kOutputBias + static_cast<std::size_t>(sample.bucket)];
    for (std::size_t side = 0; side < 2; ++side) {
      Layer& sums = sums_[side];
      for (std::size_t begin = 0; begin < kHidden; begin += kTile) {
        Tile tile(&parameters[kBias + begin]);
        for (int i = 0; i < sample.pieces; ++i) tile.Add(&parameters[RowBegin(sample, side, i) + begin]);
        tile.Store(&sums.values[begin]);
      }
      const float* const weights = Weights(parameters, sample, side);
      float total = 0;
      for (std::size_t h = 0; h < kHidden; ++h) {
        const float clipped = std::min(std::max(sums.values[h], 0.0F), 1.0F);
        total += clipped * clipped * weights[h];
      }
      output += total;
    }
    return output;
  }

  // Adds the gradient of what Forward has just seen, where the loss grows so with the output.
  void Back(const std::vector<float>& parameters, const Sample& sample, float slope) {
    gradient_[kOutputBias + static_cast<std::size_t>(sample.bucket)] += slope;
    for (std::size_t side = 0; side < 2; ++side) {
      const Layer& sums = sums_[side];
      const float* const weights = Weights(parameters, sample, side);
      float* const weight_gradient = &gradient_[WeightsBegin(sample, side)];
      Layer pull;
      for (std::size_t h = 0; h < kHidden; ++h) {
        const float sum = sums.values[h];
        const float clipped = std::min(std::max(sum, 0.0F), 1.0F);
        weight_gradient[h] += slope * clipped * clipped;
        // Nothing comes through where it is clipped.
        const float open = sum > 0 && sum < 1 ? 2 * clipped : 0.0F;
        pull.values[h] = slope * weights[h] * open;
      }
      for (std::size_t begin = 0; begin < kHidden; begin += kTile) {
        const Tile tile(&pull.values[begin]);
        tile.AddTo(&gradient_[kBias + begin]);
        for (int i = 0; i < sample.pieces; ++i) tile.AddTo(&gradient_[RowBegin(sample, side, i) + begin]);
      }
    }
  }

  std::vector<float>& gradient() { return gradient_; }

  double loss = 0;
  std::int64_t samples = 0;

 private:
  static std::size_t RowBegin(const Sample& sample, std::size_t side, int piece) {
    return std::size_t{sample.features[side][static_cast<std::size_t>(piece)]} * kHidden;
  }
  static std::size_t WeightsBegin(const Sample& sample, std::size_t side) {
    return kOutputWeights + (static_cast<std::size_t>(sample.bucket) * 2 + side) * kHidden;
  }
  static const float* Weights(const std::vector<float>& parameters, const Sample& sample, std::size_t side) {
    return &parameters[WeightsBegin(sample, side)];
  }

  std::vector<float> gradient_ = std::vector<float>(kParameters);
  std::array<Layer, 2> sums_;
};

float MaxWeight(std::size_t parameter) {
  if (parameter < kOutputWeights) return static_cast<float>(nnue::kMaxHiddenWeight);
  return parameter < kOutputBias ? static_cast<float>(nnue::kMaxOutputWeight) : 1000.0F;
}

std::int16_t Whole(float value, int one) {
  return static_cast<std::int16_t>(std::lround(value * static_cast<float>(one)));
}

}  // namespace

double FitScale(const std::vector<Record>& records) {
  // A sample is enough, and each value need be looked at once.
  constexpr int kMaxValue = 2000;
  std::vector<double> points(2 * kMaxValue + 1);
  std::vector<double> counts(2 * kMaxValue + 1);
  for (const Record& record : records) {
    if (record.HalfPoints() == Record::kNoResult) continue;
    const auto at = static_cast<std::size_t>(std::clamp<int>(record.value, -kMaxValue, kMaxValue) + kMaxValue);
    points[at] += record.HalfPoints() / 2.0;
    ++counts[at];
  }
  const auto error = [&](double scale) {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (counts[i] == 0) continue;
      const double expected = 1 / (1 + std::exp(-(static_cast<double>(i) - kMaxValue) / scale));
      sum += counts[i] * expected * expected - 2 * expected * points[i];
    }
    return sum;
  };
  double low = 30;
  double high = 1000;
  while (high - low > 0.5) {
    const double third = (high - low) / 3;
    (error(low + third) < error(high - third) ? high : low) +=
        error(low + third) < error(high - third) ? -third : third;
  }
  return (low + high) / 2;
}

class Trainer::Impl {
 public:
  Impl(std::vector<Record> records, std::vector<Record> validation, const TrainerOptions& options)
      : options_(options),
        records_(std::move(records)),
        validation_(std::move(validation)),
        scale_(options.scale > 0 ? options.scale : FitScale(records_)),
        parameters_(kParameters),
        first_(kParameters),
        second_(kParameters),
        order_(records_.size()),
        passes_(static_cast<std::size_t>(options.threads)) {
    std::mt19937_64 random(options_.seed);
    // As many features as pieces meet in a sum.
    std::uniform_real_distribution<float> hidden(-0.1F, 0.1F);
    std::uniform_real_distribution<float> output(-0.1F, 0.1F);
    for (std::size_t i = 0; i < kBias; ++i) parameters_[i] = hidden(random);
    for (std::size_t i = kOutputWeights; i < kOutputBias; ++i) parameters_[i] = output(random);
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
  }

  void Run(const std::function<void(const TrainerProgress&)>& on_progress);
  double ValidationLoss();
  std::unique_ptr<nnue::Network> Quantize() const;
  absl::Status Save(const std::string& path) const;
  absl::Status Restore(const std::string& path);
  double scale() const { return scale_; }

 private:
  std::int64_t Steps() const { return std::max<std::int64_t>(1, options_.positions / options_.batch); }
  double RateAt(std::int64_t step) const;
  // Another order for each time round; the same for the same seed.
  void Shuffle();
  float TargetOf(const Record& record) const;
  void Learn(int thread);
  void Update(int thread);
  std::pair<std::size_t, std::size_t> Share(std::size_t size, int thread) const {
    const auto threads = static_cast<std::size_t>(options_.threads);
    return {size * static_cast<std::size_t>(thread) / threads, size * static_cast<std::size_t>(thread + 1) / threads};
  }

  const TrainerOptions options_;
  const std::vector<Record> records_;
  const std::vector<Record> validation_;
  const double scale_;
  std::vector<float> parameters_;
  std::vector<float> first_;   // AdamW's means of the gradient
  std::vector<float> second_;  // and of its square
  std::vector<std::uint32_t> order_;
  std::vector<Passes> passes_;  // of each thread
  std::int64_t step_ = 0;
  std::size_t next_ = 0;  // in the order
  std::uint64_t round_ = 0;
};

double Trainer::Impl::RateAt(std::int64_t step) const {
  const double warm = std::min(1.0, static_cast<double>(step + 1) / kWarmUpSteps);
  const double done = static_cast<double>(step) / static_cast<double>(Steps());
  const double wave = (1 + std::cos(std::numbers::pi * done)) / 2;
  return options_.rate * warm * (kLastRate + (1 - kLastRate) * wave);
}

void Trainer::Impl::Shuffle() {
  std::mt19937_64 random(options_.seed * 1'000'003 + round_);
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random() % i]);
}

float Trainer::Impl::TargetOf(const Record& record) const {
  const bool white = record.side_to_move == 0;
  const auto value = static_cast<float>(white ? record.value : -record.value);
  const float expected = Sigmoid(value / static_cast<float>(scale_));
  if (record.HalfPoints() == Record::kNoResult) return expected;
  const float result = static_cast<float>(white ? record.HalfPoints() : 2 - record.HalfPoints()) / 2;
  const auto share = static_cast<float>(options_.result_share);
  return share * result + (1 - share) * expected;
}

void Trainer::Impl::Learn(int thread) {
  Passes& passes = passes_[static_cast<std::size_t>(thread)];
  const auto [begin, end] = Share(static_cast<std::size_t>(options_.batch), thread);
  Sample sample;
  for (std::size_t i = begin; i < end; ++i) {
    const Record& record = records_[order_[(next_ + i) % order_.size()]];
    See(record, sample);
    const float target = TargetOf(record);
    const float chance = Sigmoid(passes.Forward(parameters_, sample));
    const float error = chance - target;
    passes.loss += static_cast<double>(error) * error;
    passes.Back(parameters_, sample, 2 * error * chance * (1 - chance));
  }
  passes.samples += static_cast<std::int64_t>(end - begin);
}

// AdamW on this thread's share of the parameters.
void Trainer::Impl::Update(int thread) {
  const auto [begin, end] = Share(kParameters, thread);
  const auto rate = static_cast<float>(RateAt(step_));
  const auto step = static_cast<double>(step_ + 1);
  const auto first_scale = static_cast<float>(1 / (1 - std::pow(kMomentum, step)));
  const auto second_scale = static_cast<float>(1 / (1 - std::pow(kMemory, step)));
  const float keep = 1 - rate * static_cast<float>(options_.decay);
  const float mean = 1.0F / static_cast<float>(options_.batch);
  for (std::size_t i = begin; i < end; ++i) {
    float gradient = 0;
    for (Passes& passes : passes_) gradient += std::exchange(passes.gradient()[i], 0.0F);
    gradient *= mean;
    first_[i] += static_cast<float>(1 - kMomentum) * (gradient - first_[i]);
    second_[i] += static_cast<float>(1 - kMemory) * (gradient * gradient - second_[i]);
    const float change =
        first_[i] * first_scale / (std::sqrt(second_[i] * second_scale) + static_cast<float>(kEpsilon));
    const float bound = MaxWeight(i);
    parameters_[i] = std::clamp(parameters_[i] * keep - rate * change, -bound, bound);
  }
}

void Trainer::Impl::Run(const std::function<void(const TrainerProgress&)>& on_progress) {
  const std::int64_t steps = Steps();
  const std::int64_t first_step = step_;
  const auto start = Clock::now();
  auto told = start;
  if (step_ == 0) Shuffle();
  const auto advance = [&]() noexcept {
    next_ += static_cast<std::size_t>(options_.batch);
    if (next_ >= order_.size()) {
      next_ = 0;
      ++round_;
      Shuffle();
    }
    ++step_;
    const auto now = Clock::now();
    if (now - told < std::chrono::seconds(10) && step_ != steps) return;
    told = now;
    TrainerProgress progress;
    double loss = 0;
    std::int64_t samples = 0;
    for (Passes& passes : passes_) {
      loss += std::exchange(passes.loss, 0);
      samples += std::exchange(passes.samples, 0);
    }
    progress.positions = step_ * options_.batch;
    progress.loss = samples == 0 ? 0 : loss / static_cast<double>(samples);
    progress.rate = RateAt(step_);
    const double seconds = std::chrono::duration<double>(now - start).count();
    const auto done = static_cast<double>(step_ - first_step);
    progress.positions_per_second = done * options_.batch / seconds;
    progress.seconds_left = seconds / done * static_cast<double>(steps - step_);
    progress.validation_loss = ValidationLoss();
    on_progress(progress);
  };
  std::barrier learnt(options_.threads);
  std::barrier updated(options_.threads, advance);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < options_.threads; ++thread) {
    threads.emplace_back([&, thread] {
      while (step_ < steps) {
        Learn(thread);
        learnt.arrive_and_wait();
        Update(thread);
        updated.arrive_and_wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

double Trainer::Impl::ValidationLoss() {
  Passes& passes = passes_.front();
  Sample sample;
  double loss = 0;
  for (const Record& record : validation_) {
    See(record, sample);
    const double error = Sigmoid(passes.Forward(parameters_, sample)) - TargetOf(record);
    loss += error * error;
  }
  return validation_.empty() ? 0 : loss / static_cast<double>(validation_.size());
}

std::unique_ptr<nnue::Network> Trainer::Impl::Quantize() const {
  auto network = std::make_unique<nnue::Network>();
  for (std::size_t feature = 0; feature < kFeatures; ++feature) {
    for (std::size_t h = 0; h < kHidden; ++h) {
      network->features[feature].values[h] = Whole(parameters_[feature * kHidden + h], nnue::kOne);
    }
  }
  for (std::size_t h = 0; h < kHidden; ++h) network->bias.values[h] = Whole(parameters_[kBias + h], nnue::kOne);
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    for (std::size_t i = 0; i < 2 * kHidden; ++i) {
      network->outputs[bucket].weights[i] =
          Whole(parameters_[kOutputWeights + bucket * 2 * kHidden + i], nnue::kOutputOne);
    }
    network->output_biases[bucket] =
        static_cast<std::int32_t>(std::lround(parameters_[kOutputBias + bucket] * nnue::kOne * nnue::kOutputOne));
  }
  // An output of 1 stands for `own_scale` centipawns.
  const double centipawns = options_.own_scale > 0 ? options_.own_scale : scale_;
  network->units = static_cast<std::int32_t>(std::lround(centipawns / Score::ToCentipawns(1)));
  return network;
}

absl::Status Trainer::Impl::Save(const std::string& path) const {
  const std::string fresh = path + ".new";
  std::FILE* const file = std::fopen(fresh.c_str(), "wb");
  if (file == nullptr) return absl::UnavailableError(absl::StrCat("cannot write ", fresh));
  const std::array<std::uint64_t, 4> head = {kParameters, static_cast<std::uint64_t>(step_), next_, round_};
  bool written = std::fwrite(head.data(), sizeof(head), 1, file) == 1;
  for (const std::vector<float>* part : {&parameters_, &first_, &second_}) {
    written = written && std::fwrite(part->data(), sizeof(float), part->size(), file) == part->size();
  }
  written = std::fclose(file) == 0 && written && std::rename(fresh.c_str(), path.c_str()) == 0;
  return written ? absl::OkStatus() : absl::UnavailableError(absl::StrCat("cannot write ", path));
}

absl::Status Trainer::Impl::Restore(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  std::array<std::uint64_t, 4> head{};
  bool read = std::fread(head.data(), sizeof(head), 1, file) == 1 && head[0] == kParameters;
  for (std::vector<float>* part : {&parameters_, &first_, &second_}) {
    read = read && std::fread(part->data(), sizeof(float), part->size(), file) == part->size();
  }
  std::fclose(file);
  if (!read) return absl::InvalidArgumentError(absl::StrCat(path, " is not where a training of this net stood"));
  step_ = static_cast<std::int64_t>(head[1]);
  next_ = head[2];
  // The order of each round follows from the one before it.
  for (round_ = 0;; ++round_) {
    Shuffle();
    if (round_ == head[3]) break;
  }
  return absl::OkStatus();
}

Trainer::Trainer(std::vector<Record> records, std::vector<Record> validation, const TrainerOptions& options)
    : impl_(std::make_unique<Impl>(std::move(records), std::move(validation), options)) {}
Trainer::~Trainer() = default;
void Trainer::Run(const std::function<void(const TrainerProgress&)>& on_progress) { impl_->Run(on_progress); }
std::unique_ptr<nnue::Network> Trainer::Quantize() const { return impl_->Quantize(); }
double Trainer::ValidationLoss() { return impl_->ValidationLoss(); }
double Trainer::scale() const { return impl_->scale(); }
absl::Status Trainer::Save(const std::string& path) const { return impl_->Save(path); }
absl::Status Trainer::Restore(const std::string& path) { return impl_->Restore(path); }

}  // namespace kibitz::tuning
