// Races the slider methods, and the two bitscans.

#include <fmt/core.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "engine/board/attacks/all_sliders.h"
#include "engine/board/attacks/attacks.h"
#include "engine/board/bitboard.h"
#include "engine/board/bitscan.h"
#include "engine/board/board.h"
#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/types.h"
#include "tests/bench/program.h"
#include "tests/bench/race.h"

namespace kibitz::bench {
namespace {

constexpr int kNumSamples = 4096;
constexpr int kPasses = 32;
constexpr int kRounds = 101;

// A slider and the men around it.
struct Sample {
  Square square;
  Bitboard occupied;
};

struct Samples {
  // The sliders of boards from games.
  std::vector<Sample> rooks;
  std::vector<Sample> bishops;
  std::vector<Sample> queens;
  // Any square, on boards a quarter full at random.
  std::vector<Sample> random;
};

void Collect(const Board& board, PieceType type, std::vector<Sample>& samples) {
  for (Square square : Squares(board.Of(type))) {
    if (samples.size() < kNumSamples) samples.push_back({square, board.Occupied()});
  }
}

// Games of random moves, seeded. Queens are the rarest, so that there are enough of the others when there are of them.
Samples MakeSamples() {
  std::mt19937_64 random(1);
  Samples samples;
  while (samples.queens.size() < kNumSamples) {
    Position position;
    for (int ply = 1; ply <= 100 && position.HasLegalMove(); ++ply) {
      const MoveList moves = LegalMoves(position);
      position.MakeMove(moves[static_cast<int>(random() % moves.size())]);
      if (ply % 10 != 0) continue;
      Collect(position.board(), PieceType::kRook, samples.rooks);
      Collect(position.board(), PieceType::kBishop, samples.bishops);
      Collect(position.board(), PieceType::kQueen, samples.queens);
    }
  }
  for (int i = 0; i < kNumSamples; ++i) {
    samples.random.push_back({SquareAt(static_cast<int>(random() % kNumSquares)), random() & random()});
  }
  return samples;
}

// Has the compiler believe that the value is used; it may then neither drop the work nor do several at once.
void Keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

template <typename Work>
double NanosecondsOf(Work work) {
  const double start = CpuNanoseconds();
  for (int pass = 0; pass < kPasses; ++pass) work();
  return (CpuNanoseconds() - start) / kPasses;
}

// Lookups that do not wait for each other.
template <typename Lookup>
double Throughput(const std::vector<Sample>& samples, Lookup lookup) {
  const double nanoseconds = NanosecondsOf([&] {
    for (const Sample& sample : samples) Keep(lookup(sample.square, sample.occupied));
  });
  return nanoseconds / static_cast<double>(samples.size());
}

// Lookups each of which needs the last one's result.
template <typename Lookup>
double Latency(const std::vector<Sample>& samples, Lookup lookup) {
  Bitboard zero = 0;
  asm volatile("" : "+r"(zero));  // from here on the compiler does not know that it is zero
  Bitboard last = 0;
  const double nanoseconds = NanosecondsOf([&] {
    for (const Sample& sample : samples) last = lookup(sample.square, sample.occupied | (last & zero));
  });
  Keep(last);
  return nanoseconds / static_cast<double>(samples.size());
}

// Scans of all bits of each word.
template <typename Scan>
double ScanTime(const std::vector<Sample>& samples) {
  int bits = 0;
  for (const Sample& sample : samples) bits += Count(sample.occupied);
  const double nanoseconds = NanosecondsOf([&] {
    for (const Sample& sample : samples) {
      for (Bitboard rest = sample.occupied; rest != 0; rest &= rest - 1) {
        Keep(static_cast<std::uint64_t>(Scan::Lowest(rest)));
      }
    }
  });
  return nanoseconds / bits;
}

const std::vector<std::string> kSliderEvents = {"rook", "bishop", "queen", "queen random", "queen latency"};
const std::vector<std::string> kScanEvents = {"scan"};

// The lookups are wrapped in lambdas so that they are inlined, as they are in the engine.
template <typename Method>
Contender SliderContender(const Samples& samples) {
  const auto rook = [](Square square, Bitboard occupied) { return Method::Rook(square, occupied); };
  const auto bishop = [](Square square, Bitboard occupied) { return Method::Bishop(square, occupied); };
  const auto queen = [=](Square square, Bitboard occupied) {
    return rook(square, occupied) | bishop(square, occupied);
  };
  return {Method::kName,
          {[&samples, rook] { return Throughput(samples.rooks, rook); },
           [&samples, bishop] { return Throughput(samples.bishops, bishop); },
           [&samples, queen] { return Throughput(samples.queens, queen); },
           [&samples, queen] { return Throughput(samples.random, queen); },
           [&samples, queen] { return Latency(samples.queens, queen); }}};
}

template <typename Scan>
Contender ScanContender(const Samples& samples) {
  return {Scan::kName, {[&samples] { return ScanTime<Scan>(samples.queens); }}};
}

void PrintTable(const std::vector<std::string>& events, const std::vector<Result>& results) {
  fmt::print("{:<24}", "ns (x the fastest)");
  for (const std::string& event : events) fmt::print("{:>18}", event);
  for (const Result& result : results) {
    fmt::print("\n{:<24}", result.name);
    for (std::size_t i = 0; i < events.size(); ++i) {
      fmt::print("{:>9.2f} ({:5.2f}x)", result.nanoseconds[i], result.ratios[i]);
    }
  }
  fmt::print("\n\n");
}

// "De Bruijn scan" -> "de_bruijn_scan".
std::string Key(std::string words) {
  for (char& c : words) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return words;
}

template <typename Method>
double KiB(Method) {
  return Method::kTableBytes / 1024.0;
}

void AddFigures(const std::vector<std::string>& events, const std::vector<Result>& results,
                nlohmann::ordered_json& figures) {
  for (const Result& result : results) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::string key = Key(result.name + ' ' + events[i]);
      figures[key + "_ns"] = Rounded(result.nanoseconds[i]);
      figures[key + "_ratio"] = Rounded(result.ratios[i]);
    }
  }
}

nlohmann::ordered_json Run() {
  const Samples samples = MakeSamples();
  std::vector<Contender> sliders;
  ForEachSlider([&](auto method) { sliders.push_back(SliderContender<decltype(method)>(samples)); });
  const std::vector<Result> slider_results = Race(sliders, kRounds);
  const std::vector<Result> scan_results =
      Race({ScanContender<HardwareBitscan>(samples), ScanContender<DeBruijnBitscan>(samples)}, kRounds);

  fmt::print("Slider attacks by each method. The core of this build uses {}.\n", Sliders::kName);
  if (!PextSliders::kIsFast) fmt::print("Its target has no pext instruction, or a slow one.\n");
  fmt::print("\n");
  PrintTable(kSliderEvents, slider_results);
  fmt::print("{:<24}{:>18}\n", "tables", "KiB");
  ForEachSlider([](auto method) { fmt::print("{:<24}{:>18.1f}\n", method.kName, KiB(method)); });
  fmt::print("\nThe lowest bit of a word, for all bits of a board.\n\n");
  PrintTable(kScanEvents, scan_results);

  nlohmann::ordered_json figures;
  AddFigures(kSliderEvents, slider_results, figures);
  AddFigures(kScanEvents, scan_results, figures);
  ForEachSlider([&](auto method) { figures[Key(method.kName) + "_table_kib"] = KiB(method); });
  return figures;
}

}  // namespace
}  // namespace kibitz::bench

int main(int argc, char** argv) {
  using namespace kibitz::bench;  // NOLINT: wiring only
  return RunProgram(
      {.name = "sliders",
       .description = "Races the slider methods and the bitscans: medians of interleaved rounds, in CPU time.",
       .run = [](bool) { return Run(); }},
      argc, argv);
}
