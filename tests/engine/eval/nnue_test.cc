#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/engine.h"
#include "engine/eval/nnue/architecture.h"
#include "engine/eval/nnue/embedded_network.h"
#include "engine/eval/nnue/kernels.h"
#include "engine/eval/nnue/network.h"
#include "engine/eval/nnue/nnue_evaluator.h"
#include "tests/support/positions.h"

namespace kibitz::nnue {
namespace {

// Any numbers do, so long as they differ.
std::shared_ptr<Network> RandomNetwork(std::uint64_t seed = 1) {
  auto network = std::make_shared<Network>();
  std::mt19937_64 random(seed);
  const auto draw = [&](int bound) {
    return static_cast<std::int16_t>(static_cast<int>(random() % (2 * bound + 1)) - bound);
  };
  for (Sums& feature : network->features) {
    for (std::int16_t& value : feature.values) value = draw(60);
  }
  for (std::int16_t& value : network->bias.values) value = draw(100);
  for (Network::Output& output : network->outputs) {
    for (std::int16_t& value : output.weights) value = draw(127);
  }
  for (std::int32_t& value : network->output_biases) value = draw(1000);
  network->units = 200;
  return network;
}

// The value without anything kept from before.
int Fresh(const std::shared_ptr<const Network>& network, const Position& position,
          const Kernels& kernels = FastestKernels()) {
  NnueEvaluator evaluator(network, kernels);
  evaluator.Reset(position);
  return evaluator.Evaluate(position);
}

// The same by the definition, written down once more.
int ByDefinition(const Network& network, const Position& position) {
  const Board& board = position.board();
  std::int64_t total = 0;
  for (const Color view : {Color::kWhite, Color::kBlack}) {
    const bool mirrored = FileOf(board.KingOf(view)) >= 4;
    std::vector<int> sums(network.bias.values.begin(), network.bias.values.end());
    for (int square = 0; square < kNumSquares; ++square) {
      const Piece piece = board.At(SquareAt(square));
      if (piece.IsNone()) continue;
      int seen = view == Color::kWhite ? square : square ^ 56;
      if (mirrored) seen ^= 7;
      const int feature = (piece.color() == view ? 0 : 384) + Index(piece.type()) * 64 + seen;
      for (int i = 0; i < kHidden; ++i) sums[i] += network.features[feature].values[i];
    }
    const int offset = view == position.side_to_move() ? 0 : kHidden;
    for (int i = 0; i < kHidden; ++i) {
      const std::int64_t clipped = std::clamp(sums[i], 0, kOne);
      total += clipped * clipped * network.outputs[BucketOf(board.Occupied())].weights[offset + i];
    }
  }
  total = total / kOne + network.output_biases[BucketOf(board.Occupied())];
  const int value =
      static_cast<int>(std::clamp<std::int64_t>(total * network.units / (kOne * kOutputOne), -20'000, 20'000));
  return value * (220 - std::min(position.halfmove_clock(), 100)) / 220;
}

constexpr const char* kStarts[] = {
    kStartFen,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
};

// Random walks down and up the tree, with values asked for now and then: what is kept must be what is reckoned anew,
// for whatever processor.
TEST(NnueEvaluatorTest, KeepsItsSumsThroughMovesMadeAndUnmade) {
  const std::shared_ptr<Network> network = RandomNetwork();
  std::mt19937_64 random(2);
  int kings = 0;
  for (const char* start : kStarts) {
    for (std::size_t walk = 0; walk < 20; ++walk) {
      Position position = MustParse(start);
      NnueEvaluator evaluator(network, AllKernels()[walk % AllKernels().size()]);
      evaluator.Reset(position);
      std::vector<Move> made;
      for (int step = 0; step < 300; ++step) {
        const MoveList moves = LegalMoves(position);
        if (!made.empty() && (moves.empty() || made.size() > 100 || random() % 3 == 0)) {
          position.UnmakeMove(made.back());
          evaluator.OnUnmakeMove();
          made.pop_back();
        } else if (!moves.empty()) {
          const Move move = moves[static_cast<int>(random() % static_cast<std::uint64_t>(moves.size()))];
          kings += position.PieceOn(move.from()).type() == PieceType::kKing;
          evaluator.OnMakeMove(position, move);
          position.MakeMove(move);
          made.push_back(move);
        }
        if (random() % 4 == 0) {
          ASSERT_EQ(evaluator.Evaluate(position), Fresh(network, position)) << ToFen(position);
        }
      }
    }
  }
  EXPECT_GT(kings, 100);
}

TEST(NnueEvaluatorTest, GivesWhatTheNetIsDefinedToGive) {
  const std::shared_ptr<Network> network = RandomNetwork();
  std::mt19937_64 random(3);
  for (const char* start : kStarts) {
    Position position = MustParse(start);
    for (int ply = 0; ply < 60; ++ply) {
      const int value = ByDefinition(*network, position);
      for (const Kernels& kernels : AllKernels()) {
        ASSERT_EQ(Fresh(network, position, kernels), value) << kernels.name << ": " << ToFen(position);
      }
      const MoveList moves = LegalMoves(position);
      if (moves.empty()) break;
      position.MakeMove(moves[static_cast<int>(random() % static_cast<std::uint64_t>(moves.size()))]);
    }
  }
}

TEST(NnueEvaluatorTest, SeesNeitherColoursNorWings) {
  const std::shared_ptr<Network> network = RandomNetwork();
  const int value = Fresh(network, MustParse("r1b1k3/pp3ppp/2n5/8/3P4/5N2/PP4PP/R4K2 w - - 0 1"));
  EXPECT_EQ(Fresh(network, MustParse("r4k2/pp4pp/5n2/3p4/8/2N5/PP3PPP/R1B1K3 b - - 0 1")), value);
  EXPECT_EQ(Fresh(network, MustParse("3k1b1r/ppp3pp/5n2/8/4P3/2N5/PP4PP/2K4R w - - 0 1")), value);
}

// The move of the search does not hang on the path to it.
TEST(NnueEvaluatorTest, SearchesAreTheSameEachTime) {
  const std::shared_ptr<Network> network = RandomNetwork();
  const EvaluatorKind kind = NnueKind(network);
  Engine engine(1);
  SearchHost host;
  std::vector<std::int64_t> nodes;
  for (int i = 0; i < 2; ++i) {
    SearchMemory memory(kind);
    AnalysisRequest request;
    request.position = MustParse(kStarts[1]);
    request.limits.depth = 8;
    request.reproducible = true;
    Search search(engine, request);
    nodes.push_back(search.Run(memory, host, [](const Analysis&) {}).analysis.nodes);
  }
  EXPECT_EQ(nodes[0], nodes[1]);
}

// Any numbers, also such as no net has.
TEST(KernelsTest, GiveTheSameForEveryProcessor) {
  const Kernels& plain = AllKernels().front();
  std::mt19937_64 random(4);
  const auto draw = [&random](int bound) {
    Sums sums;
    for (std::int16_t& value : sums.values) {
      value = static_cast<std::int16_t>(static_cast<int>(random() % (2 * bound + 1)) - bound);
    }
    return sums;
  };
  for (int i = 0; i < 200; ++i) {
    const int bound = i % 2 == 0 ? 400 : 32'767;
    const std::array<Sums, 5> in = {draw(bound), draw(bound), draw(bound), draw(bound), draw(bound)};
    const Sums weights = draw(kMaxOutput);
    const auto values = [&](int which) { return in[which].values.data(); };
    const auto all = [&](const Kernels& kernels) {
      std::array<Sums, 4> out = {in[0], {}, {}, {}};
      kernels.add(values(1), out[0].values.data());
      kernels.move(values(0), values(1), values(2), out[1].values.data());
      kernels.capture(values(0), values(1), values(2), values(3), out[2].values.data());
      kernels.castle(values(0), values(1), values(2), values(3), values(4), out[3].values.data());
      std::vector<std::int32_t> numbers = {kernels.dot(values(0), weights.values.data())};
      for (const Sums& each : out) numbers.insert(numbers.end(), each.values.begin(), each.values.end());
      return numbers;
    };
    const std::vector<std::int32_t> expected = all(plain);
    for (const Kernels& kernels : AllKernels()) ASSERT_TRUE(all(kernels) == expected) << kernels.name;
    std::int64_t dot = 0;
    for (int h = 0; h < kHidden; ++h) {
      const std::int64_t clipped = std::clamp<int>(in[0].values[h], 0, kOne);
      dot += clipped * clipped * weights.values[h];
    }
    EXPECT_EQ(expected[0], static_cast<std::int32_t>(dot));
  }
}

TEST(NetworkTest, IsReadAsItWasWritten) {
  const std::shared_ptr<Network> network = RandomNetwork();
  const absl::StatusOr<std::unique_ptr<Network>> back = Network::Parse(network->Serialize());
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_EQ((*back)->Serialize(), network->Serialize());
  EXPECT_EQ((*back)->Checksum(), network->Checksum());
  EXPECT_NE(network->Checksum(), RandomNetwork(2)->Checksum());
}

TEST(NetworkTest, SaysWhatIsWrongWithAFile) {
  const std::string good = RandomNetwork()->Serialize();
  const auto error = [](const std::string& bytes) { return std::string(Network::Parse(bytes).status().message()); };
  EXPECT_EQ(error(""), "is not a net of Kibitz's");
  EXPECT_EQ(error("NNUE" + good), "is not a net of Kibitz's");
  EXPECT_EQ(error(good.substr(0, good.size() - 1)), "is damaged: its checksum is another");
  EXPECT_EQ(error(good + "x"), "is damaged: its checksum is another");
  std::string changed = good;
  changed[changed.size() / 2] ^= 1;
  EXPECT_EQ(error(changed), "is damaged: its checksum is another");
  std::string wide = good;
  wide[17] = 9;  // the size of the hidden layer
  EXPECT_NE(error(wide).find("another shape"), std::string::npos) << error(wide);
  EXPECT_NE(std::string(Network::Load("/no/such/net").status().message()).find("/no/such/net"), std::string::npos);
}

// Whatever happens to a file on its way, it is refused with a reason.
TEST(NetworkTest, RefusesEveryDamage) {
  const std::string good = RandomNetwork()->Serialize();
  std::mt19937_64 random(5);
  for (int i = 0; i < 150; ++i) {
    std::string bad = good;
    const std::size_t at = i < 60 ? static_cast<std::size_t>(i) : random() % good.size();
    if (i % 3 == 0) {
      bad.resize(at);
    } else if (i % 3 == 1) {
      bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    } else {
      bad.erase(at, 1 + random() % 100);
    }
    const absl::StatusOr<std::unique_ptr<Network>> network = Network::Parse(bad);
    ASSERT_FALSE(network.ok()) << i << " at " << at;
    EXPECT_FALSE(network.status().message().empty());
  }
}

// Somebody may have written the checksum too.
TEST(NetworkTest, RefusesNumbersThatOverflow) {
  const auto error = [](auto spoil) {
    const std::shared_ptr<Network> network = RandomNetwork();
    spoil(*network);
    return std::string(Network::Parse(network->Serialize()).status().message());
  };
  EXPECT_EQ(error([](Network&) {}), "");
  EXPECT_EQ(error([](Network& net) { net.features[700].values[3] = -1000; }), "has numbers that are too large");
  EXPECT_EQ(error([](Network& net) { net.bias.values[3] = 2000; }), "has numbers that are too large");
  EXPECT_EQ(error([](Network& net) { net.outputs[1].weights[2] = 129; }), "has numbers that are too large");
  EXPECT_EQ(error([](Network& net) { net.output_biases[7] = 1 << 30; }), "has numbers that are too large");
  EXPECT_EQ(error([](Network& net) { net.units = 0; }), "has numbers that are too large");
  EXPECT_EQ(error([](Network& net) { net.units = 1 << 20; }), "has numbers that are too large");
}

TEST(EvaluationTest, IsChosenOrRefused) {
  const std::string carried = EmbeddedNetwork()->Name();
  EXPECT_EQ(EvaluationName(), carried);
  const std::string path = testing::TempDir() + "/random.net";
  std::ofstream(path, std::ios::binary) << RandomNetwork()->Serialize();
  ASSERT_TRUE(SetEvaluation(kNetEvaluation, path).ok());
  const std::string other = RandomNetwork()->Name();
  EXPECT_EQ(EvaluationName(), other);
  std::ofstream(path, std::ios::binary) << "nonsense";
  EXPECT_FALSE(SetEvaluation(kNetEvaluation, path).ok());
  EXPECT_FALSE(SetEvaluation("guess", "").ok());
  EXPECT_FALSE(SetEvaluation(kClassicalEvaluation, path).ok()) << "it takes no net";
  EXPECT_EQ(EvaluationName(), other) << "what is refused changes nothing";
  ASSERT_TRUE(SetEvaluation(kClassicalEvaluation, "").ok());
  EXPECT_EQ(EvaluationName(), "classical");
  ASSERT_TRUE(SetEvaluation(kDefaultEvaluation, "").ok());
  EXPECT_EQ(EvaluationName(), carried);
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The file of the tree, whose manifest is about it, and which is not larger than agreed.
TEST(EmbeddedNetworkTest, IsTheNetOfItsManifest) {
  const std::string file = ReadFile("engine/eval/nnue/kibitz.net");
  EXPECT_LE(file.size(), std::size_t{1} << 20);
  EXPECT_TRUE(EmbeddedNetwork()->Serialize() == file) << "the program carries another";
  const nlohmann::json manifest = nlohmann::json::parse(ReadFile("engine/eval/nnue/kibitz.net.json"));
  EXPECT_EQ(manifest["id"], EmbeddedNetwork()->Name());
  EXPECT_EQ(manifest["bytes"], file.size());
}

// Whoever is a piece up is better, and a position is worth the same from both sides.
TEST(EmbeddedNetworkTest, KnowsWhatPiecesAreWorth) {
  const auto value = [](const char* fen) { return Fresh(EmbeddedNetwork(), MustParse(fen)); };
  EXPECT_LT(std::abs(value(kStartFen)), 100);
  EXPECT_GT(value("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 150);
  EXPECT_LT(value("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"), -150);
  EXPECT_GT(value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), 400);
  EXPECT_GT(value("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1"), 200);
}

}  // namespace
}  // namespace kibitz::nnue
