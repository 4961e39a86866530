// What the search tells an evaluator, heard by one that keeps a sum from move to move as a net would.

#include "engine/eval/evaluator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/board/fen.h"
#include "engine/board/zobrist.h"
#include "engine/engine.h"
#include "engine/eval/classical/classical_evaluator.h"
#include "tests/support/positions.h"

namespace kibitz {
namespace {

// What the evaluators of all workers have heard and seen.
struct Heard {
  std::atomic<std::int64_t> resets{0};
  std::atomic<std::int64_t> moves{0};
  std::atomic<std::int64_t> promotions{0};
  std::atomic<std::int64_t> en_passants{0};
  std::atomic<std::int64_t> castlings{0};
  std::atomic<std::int64_t> null_moves{0};
  std::atomic<std::int64_t> evaluations{0};
  std::atomic<std::int64_t> faults{0};
  std::atomic<std::int64_t> unbalanced{0};  // evaluators that a search left elsewhere than at its root
};
Heard heard;

// A sum over pieces and their squares, which a wrong or missing move spoils.
Key SumOf(const Board& board) {
  Key sum = 0;
  for (int square = 0; square < kNumSquares; ++square) {
    const Piece piece = board.At(SquareAt(square));
    if (!piece.IsNone()) sum += zobrist::OfPiece(piece.color(), piece.type(), SquareAt(square));
  }
  return sum;
}

class SummingEvaluator final : public Evaluator {
 public:
  ~SummingEvaluator() override { CheckBalance(); }

  void Reset(const Position& root) override {
    CheckBalance();
    ++heard.resets;
    line_ = {{SumOf(root.board()), root.side_to_move(), false}};
  }

  void OnMakeMove(const Position& before, Move move) override {
    Count(before, move);
    Check(before);
    Entry next = {line_.back().sum, ~before.side_to_move(), false};
    const Color us = before.side_to_move();
    const Piece moved = before.PieceOn(move.from());
    const auto add = [&](Piece piece, Square square) {
      next.sum += zobrist::OfPiece(piece.color(), piece.type(), square);
    };
    const auto remove = [&](Piece piece, Square square) {
      next.sum -= zobrist::OfPiece(piece.color(), piece.type(), square);
    };
    remove(moved, move.from());
    if (move.kind() == Move::Kind::kCastling) {
      const CastlingMove castling(move.from(), move.to());
      remove(before.PieceOn(move.to()), move.to());
      add(before.PieceOn(move.to()), castling.rook_to);
      add(moved, castling.king_to);
    } else {
      const bool en_passant = move.kind() == Move::Kind::kEnPassant;
      const Square captured = en_passant ? Offset(move.to(), -Up(us)) : move.to();
      if (before.IsCapture(move)) remove(before.PieceOn(captured), captured);
      add(move.kind() == Move::Kind::kPromotion ? Piece(us, move.promotion()) : moved, move.to());
    }
    line_.push_back(next);
  }

  void OnUnmakeMove() override { Pop(/*null_move=*/false); }

  void OnMakeNullMove() override {
    ++heard.null_moves;
    line_.push_back({line_.back().sum, ~line_.back().side_to_move, true});
  }

  void OnUnmakeNullMove() override { Pop(/*null_move=*/true); }

  int Evaluate(const Position& position) override {
    ++heard.evaluations;
    Check(position);
    return classical_.Evaluate(position);
  }

 private:
  struct Entry {
    Key sum;
    Color side_to_move;
    bool null_move;
  };

  void Count(const Position& before, Move move) {
    ++heard.moves;
    heard.promotions += move.kind() == Move::Kind::kPromotion;
    heard.en_passants += move.kind() == Move::Kind::kEnPassant;
    heard.castlings += move.kind() == Move::Kind::kCastling;
    heard.faults += !before.IsLegal(move);
  }

  void Check(const Position& position) {
    const bool right = !line_.empty() && line_.back().sum == SumOf(position.board()) &&
                       line_.back().side_to_move == position.side_to_move();
    heard.faults += !right;
  }

  void Pop(bool null_move) {
    heard.faults += line_.size() < 2 || line_.back().null_move != null_move;
    line_.pop_back();
  }

  void CheckBalance() { heard.unbalanced += line_.size() > 1; }

  std::vector<Entry> line_;  // the root and what was reached from it
  ClassicalEvaluator classical_;
};

const EvaluatorKind& Summing() {
  static const EvaluatorKind* const kind =
      new EvaluatorKind{"summing", sizeof(SummingEvaluator), [] { return std::make_unique<SummingEvaluator>(); }};
  return *kind;
}

AnalysisRequest RequestFor(const std::string& fen, std::int64_t nodes) {
  AnalysisRequest request;
  request.position = MustParse(fen);
  request.limits.nodes = nodes;
  return request;
}

// Castling and promotions by both sides, and pawns that may take each other en passant.
constexpr const char* kBusy[] = {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                                 "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                                 "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"};

class EvaluatorTest : public testing::Test {
 protected:
  EvaluatorTest() { std::construct_at(&heard); }

  static void ExpectNothingWrong() {
    EXPECT_EQ(heard.faults, 0);
    EXPECT_EQ(heard.unbalanced, 0);
  }
};

TEST_F(EvaluatorTest, HearsOfEveryMoveMadeAndUnmade) {
  Engine engine(4);
  {
    SearchMemory memory(Summing());
    SearchHost host;
    // Node limits end searches in the middle of a line: it must be unmade all the same.
    for (const char* fen : kBusy) {
      Search(engine, RequestFor(fen, 20'000)).Run(memory, host, [](const Analysis&) {});
    }
  }
  ExpectNothingWrong();
  EXPECT_EQ(heard.resets, 3);
  EXPECT_GT(heard.evaluations, 10'000);
  EXPECT_GT(heard.moves, 10'000);
  EXPECT_GT(heard.promotions, 0);
  EXPECT_GT(heard.en_passants, 0);
  EXPECT_GT(heard.castlings, 0);
  EXPECT_GT(heard.null_moves, 0);
}

TEST_F(EvaluatorTest, BelongsToOneWorker) {
  Engine engine(4);
  Search search(engine, RequestFor(kStartFen, 40'000));
  std::thread helper([&] {
    SearchMemory memory(Summing());
    SearchHost host;
    search.Help(1, memory, host);
  });
  {
    SearchMemory memory(Summing());
    SearchHost host;
    search.Run(memory, host, [](const Analysis&) {});
  }
  helper.join();
  ExpectNothingWrong();
  EXPECT_EQ(heard.resets, 2);
}

TEST_F(EvaluatorTest, DoesNotChangeTheSearchByListening) {
  AnalysisRequest request = RequestFor(kBusy[0], 20'000);
  request.reproducible = true;
  Engine engine(1);
  SearchHost host;
  SearchMemory listening(Summing());
  SearchMemory classical(ClassicalKind());
  Search one(engine, request);
  Search other(engine, request);
  const AnalysisLine a = one.Run(listening, host, [](const Analysis&) {}).analysis.lines.front();
  const AnalysisLine b = other.Run(classical, host, [](const Analysis&) {}).analysis.lines.front();
  EXPECT_EQ(a.pv, b.pv);
  EXPECT_EQ(a.score.amount, b.score.amount);
}

// Whichever evaluation is the default: a change of the search or of this one changes the number.
TEST_F(EvaluatorTest, SearchesTheSameNodesByTheClassicalEvaluation) {
  Engine engine(1);
  SearchHost host;
  SearchMemory classical(ClassicalKind());
  std::int64_t nodes = 0;
  for (const char* fen : kBusy) {
    AnalysisRequest request = RequestFor(fen, 1'000'000);
    request.limits.depth = 9;
    request.reproducible = true;
    Search search(engine, request);
    nodes += search.Run(classical, host, [](const Analysis&) {}).analysis.nodes;
  }
  EXPECT_EQ(nodes, 40'996);
}

TEST_F(EvaluatorTest, NamesTheDefault) { EXPECT_EQ(EvaluationName(), DefaultEvaluator().name); }

}  // namespace
}  // namespace kibitz
