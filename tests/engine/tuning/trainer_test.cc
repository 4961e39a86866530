#include "engine/tuning/trainer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/eval/nnue/nnue_evaluator.h"
#include "engine/tuning/record.h"
#include "engine/tuning/start.h"

namespace kibitz::tuning {
namespace {

int Material(const Board& board) {
  constexpr int kWorth[] = {100, 300, 300, 500, 900, 0};
  int sum = 0;
  for (int type = 0; type < kNumPieceTypes; ++type) {
    const auto of = [&](Color color) { return std::popcount(board.Of(color, static_cast<PieceType>(type))); };
    sum += kWorth[type] * (of(Color::kWhite) - of(Color::kBlack));
  }
  return sum;
}

// Positions whose value is the material on the board.
std::vector<Record> MaterialRecords(int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Record> records;
  while (static_cast<int>(records.size()) < count) {
    const Position position =
        DrawStart(random() % 2 == 0 ? StartKind::kEndgame : StartKind::kImbalanced, nullptr, random);
    records.push_back(Pack(position, {.value = Material(position.board())}));
  }
  return records;
}

TrainerOptions Quick(int threads) {
  return {.threads = threads, .batch = 256, .positions = 100'000, .rate = 0.005, .scale = 300};
}

TEST(TrainerTest, LearnsWhatPiecesAreWorth) {
  Trainer trainer(MaterialRecords(4000, 1), MaterialRecords(500, 2), Quick(2));
  const double before = trainer.ValidationLoss();
  double last = 0;
  trainer.Run([&](const TrainerProgress& progress) { last = progress.validation_loss; });
  EXPECT_LT(trainer.ValidationLoss(), before / 3);
  EXPECT_EQ(trainer.ValidationLoss(), last);

  // The net in whole numbers says the same: who has a queen more is far better, whoever moves.
  nnue::NnueEvaluator evaluator(std::shared_ptr<const nnue::Network>(trainer.Quantize()));
  const std::vector<Record> unseen = MaterialRecords(200, 3);
  int right = 0;
  int judged = 0;
  for (const Record& record : unseen) {
    if (std::abs(record.value) < 300) continue;
    const Position position = *Unpack(record);
    evaluator.Reset(position);
    const int value = evaluator.Evaluate(position);
    ++judged;
    right += (position.side_to_move() == Color::kWhite ? value : -value) * record.value > 0 ? 1 : 0;
  }
  EXPECT_GT(judged, 20);
  EXPECT_GT(right, judged * 9 / 10);
}

TEST(TrainerTest, TheSameSeedGivesTheSameNet) {
  const auto train = [](std::uint64_t seed) {
    TrainerOptions options = Quick(2);
    options.positions = 5000;
    options.seed = seed;
    Trainer trainer(MaterialRecords(1000, 1), {}, options);
    trainer.Run([](const TrainerProgress&) {});
    return trainer.Quantize()->Serialize();
  };
  EXPECT_EQ(train(1), train(1));
  EXPECT_NE(train(1), train(2));
}

TEST(TrainerTest, GoesOnWhereItStood) {
  const std::string path = testing::TempDir() + "/training.state";
  TrainerOptions options = Quick(1);
  options.positions = 5000;
  Trainer whole(MaterialRecords(1000, 1), {}, options);
  whole.Run([](const TrainerProgress&) {});
  ASSERT_TRUE(whole.Save(path).ok());
  Trainer again(MaterialRecords(1000, 1), {}, options);
  ASSERT_TRUE(again.Restore(path).ok());
  again.Run([](const TrainerProgress&) { FAIL() << "there is nothing left to do"; });
  EXPECT_EQ(again.Quantize()->Serialize(), whole.Quantize()->Serialize());
  EXPECT_FALSE(again.Restore("/no/such/state").ok());
}

TEST(TrainerTest, FitsTheScaleToResults) {
  std::mt19937_64 random(4);
  std::vector<Record> records;
  for (int i = 0; i < 50'000; ++i) {
    const int value = static_cast<int>(random() % 1201) - 600;
    const double chance = 1 / (1 + std::exp(-value / 180.0));
    const bool won = static_cast<double>(random() % 1'000'000) / 1e6 < chance;
    records.push_back(Pack(Position(), {.value = value, .result = won ? 1.0 : 0.0}));
  }
  EXPECT_NEAR(FitScale(records), 180, 10);
}

}  // namespace
}  // namespace kibitz::tuning
