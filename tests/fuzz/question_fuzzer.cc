// Any request, to the code that checks it and to a server: both must agree on it, and the answer must be sound.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "said.pb.h"
#include "server/conversion/analysis.h"
#include "server/conversion/batch.h"
#include "server/conversion/bitboards.h"
#include "server/conversion/game.h"
#include "server/conversion/perft.h"
#include "server/conversion/position.h"
#include "server/conversion/request_caps.h"
#include "server/errors/errors.h"
#include "tests/fuzz/fuzz_server.h"
#include "tests/fuzz/fuzz_support.h"
#include "tests/fuzz/message_mutator.h"

namespace kibitz {
namespace {

// Those of the server that refuse anything.
constexpr server::RequestCaps kCaps{.max_perft_hash_mb = 4};

// A refusal before any work names the field at fault; the server says the same.
void RequireAgreement(const absl::Status& checked, const grpc::Status& answered) {
  RequireGoodStatus(answered);
  if (checked.ok()) return;
  RequireGoodRefusal(checked);
  Require(!server::ReasonOf(checked).empty(), "a refusal has a reason");
  Require(!server::FaultOf(checked).field.empty(), "a refusal names a field");
  // What is no UTF-8 does not get as far.
  Require(answered.error_code() == grpc::StatusCode::INVALID_ARGUMENT, "the server refuses what cannot be read");
}

v1::LegalMovesResponse Ask(const v1::LegalMovesRequest& request) {
  v1::LegalMovesResponse response;
  const grpc::Status status = FuzzServer().LegalMoves(FuzzCall().get(), request, &response);
  RequireAgreement(server::ParsePosition(request.position()).status(), status);
  if (status.ok()) {
    const bool over = response.moves().empty();
    const bool ended = response.status() == v1::GAME_STATUS_CHECKMATE || response.status() == v1::GAME_STATUS_STALEMATE;
    Require(over == ended, "a position without moves is mate or stalemate");
  }
  return response;
}

void Ask(const v1::BitboardsRequest& request) {
  v1::BitboardsResponse response;
  const grpc::Status status = FuzzServer().Bitboards(FuzzCall().get(), request, &response);
  RequireAgreement(server::ParseBitboards(request).status(), status);
}

void Ask(const v1::PerftRequest& request) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().Perft(context.get(), request);
  v1::PerftResponse response;
  std::uint64_t sum = 0;
  int totals = 0;
  while (stream->Read(&response)) {
    Require(totals == 0, "the total comes last");
    if (response.has_divide()) sum += response.divide().nodes();
    if (response.has_total()) {
      ++totals;
      Require(response.total().nodes() == sum, "the total is the sum");
    }
  }
  const grpc::Status status = stream->Finish();
  Require(!status.ok() || totals == 1, "a count has one total");
  RequireAgreement(server::ParsePerft(request, kCaps).status(), status);
}

// The best move is one of the legal moves, where there are any.
void RequireGoodMove(const v1::AnalyzeRequest& request, const std::string& best_move) {
  v1::LegalMovesRequest question;
  *question.mutable_position() = request.position();
  const v1::LegalMovesResponse legal = Ask(question);
  if (legal.moves().empty()) return Require(best_move.empty(), "no move is invented");
  const auto& moves = legal.moves();
  const bool found =
      std::any_of(moves.begin(), moves.end(), [&](const v1::Move& move) { return move.uci() == best_move; });
  Require(found, "the best move is legal");
}

void Ask(const v1::AnalyzeRequest& request) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().Analyze(context.get(), request);
  v1::AnalyzeResponse response;
  int finals = 0;
  while (stream->Read(&response)) {
    Require(finals == 0, "the final comes last");
    if (!response.has_final()) continue;
    ++finals;
    RequireGoodMove(request, response.final().best_move());
  }
  const grpc::Status status = stream->Finish();
  Require(status.ok() == (finals == 1), "an analysis has one final or fails");
  RequireAgreement(server::ParseAnalyze(request, kCaps).status(), status);
}

void Ask(const v1::AnalyzeGameRequest& request) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().AnalyzeGame(context.get(), request);
  v1::AnalyzeGameResponse response;
  int games = -1;
  int summaries = 0;
  while (stream->Read(&response)) {
    if (response.has_accepted()) {
      Require(games < 0, "a review is accepted once");
      games = response.accepted().games_size();
    }
    if (response.has_ply()) {
      const v1::PlyReview& review = response.ply().review();
      Require(response.ply().game() < games, "a ply belongs to a game");
      Require(review.accuracy() >= 0 && review.accuracy() <= 100, "accuracy is within its bounds");
      Require(review.loss() >= 0 && review.loss() <= 2, "so is the loss");
    }
    summaries += response.has_summary() ? 1 : 0;
  }
  const grpc::Status status = stream->Finish();
  Require(!status.ok() || summaries == games, "every game has its summary");
  absl::Status checked = server::ParseReview(request, kCaps).status();
  if (checked.ok()) checked = server::ParseGames(request).status();
  RequireAgreement(checked, status);
}

void Ask(const v1::AnalyzeBatchRequest& request) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().AnalyzeBatch(context.get(), request);
  v1::AnalyzeBatchResponse response;
  std::set<int> items;
  while (stream->Read(&response)) {
    if (!response.has_item()) continue;
    Require(items.insert(response.item().index()).second, "a position is answered once");
    if (!response.item().has_final()) continue;
    v1::AnalyzeRequest one;
    *one.mutable_position() = request.positions(response.item().index());
    RequireGoodMove(one, response.item().final().best_move());
  }
  const grpc::Status status = stream->Finish();
  Require(!status.ok() || static_cast<int>(items.size()) == request.positions_size(), "every position is answered");
  RequireAgreement(server::ParseBatch(request, kCaps).status(), status);
}

void Ask(const v1::LegalMovesBatchRequest& request) {
  const auto context = FuzzCall();
  const auto stream = FuzzServer().LegalMovesBatch(context.get(), request);
  v1::LegalMovesBatchResponse response;
  int next = 0;
  while (stream->Read(&response)) {
    for (const auto& item : response.items()) {
      Require(item.index() == next++, "the answers come in order");
      v1::LegalMovesRequest one;
      *one.mutable_position() = request.positions(item.index());
      const bool good = server::ParsePosition(one.position()).ok();
      Require(item.has_moves() == good && item.has_refused() != good, "a position is answered, or refused");
      if (!good) continue;
      Require(item.moves().SerializeAsString() == Ask(one).SerializeAsString(), "it is answered as if alone");
    }
  }
  const grpc::Status status = stream->Finish();
  Require(!status.ok() || next == request.positions_size(), "every position is answered");
  RequireAgreement(server::CheckPositions(request.positions()), status);
}

void Ask(const v1::EvaluateRequest& request) {
  v1::EvaluateResponse response;
  const grpc::Status status = FuzzServer().Evaluate(FuzzCall().get(), request, &response);
  RequireAgreement(server::ParsePosition(request.position()).status(), status);
  double sum = 0;
  for (const auto& term : response.terms()) sum += term.value();
  Require(std::abs(sum - response.sum()) < 1e-6, "the terms add up");
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  fuzz::Question question;
  return MutateText(data, size, max_size, seed, question);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Question question;
  ReadText(data, size, question);
  if (question.has_legal_moves()) Ask(question.legal_moves());
  if (question.has_bitboards()) Ask(question.bitboards());
  if (question.has_perft()) Ask(question.perft());
  if (question.has_analyze()) Ask(question.analyze());
  if (question.has_analyze_game()) Ask(question.analyze_game());
  if (question.has_analyze_batch()) Ask(question.analyze_batch());
  if (question.has_legal_moves_batch()) Ask(question.legal_moves_batch());
  if (question.has_evaluate()) Ask(question.evaluate());
  return 0;
}

}  // namespace kibitz
