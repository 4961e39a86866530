#include "server/conversion/evaluation.h"

#include "engine/board/uci_move.h"
#include "engine/engine.h"
#include "engine/explanation.h"
#include "server/conversion/analysis.h"
#include "server/conversion/position.h"

namespace kibitz::server {
namespace {

using Wire = v1::EvaluateResponse;

static_assert(Wire::TERM_KIND_FIFTY_MOVES == static_cast<int>(ExplainedTerm::kFiftyMoves) + 1,
              "the contract counts the terms from one, in the same order");

void WriteShare(const Explanation::Share& share, Wire::Share& wire) {
  wire.set_middlegame(share.middlegame);
  wire.set_endgame(share.endgame);
}

void WriteNet(const Position& position, const NetExplanation& net, Wire::NetValue& wire) {
  wire.set_evaluation(net.name);
  wire.set_lead(net.lead);
  *wire.mutable_score() = ToWire(net.score);
  *wire.mutable_wdl() = ToWire(Wdl::FromScore(net.score));
  for (const auto& [square, value] : net.pieces) {
    const Piece piece = position.PieceOn(square);
    Wire::NetValue::Piece& wire_piece = *wire.add_pieces();
    wire_piece.set_square(ToString(square));
    wire_piece.set_piece(ToWire(piece.type()));
    wire_piece.set_color(ToWire(piece.color()));
    wire_piece.set_value(value);
  }
}

}  // namespace

void WriteEvaluation(const Position& position, v1::EvaluateResponse& response) {
  const Explanation explanation = Explain(position);
  for (int i = 0; i < kNumExplainedTerms; ++i) {
    const Explanation::Term& term = explanation.terms[i];
    Wire::Term& wire = *response.add_terms();
    wire.set_kind(static_cast<Wire::TermKind>(i + 1));
    if (term.has_shares) {
      WriteShare(term.shares[Index(Color::kWhite)], *wire.mutable_white());
      WriteShare(term.shares[Index(Color::kBlack)], *wire.mutable_black());
    }
    wire.set_value(term.value);
  }
  response.set_sum(explanation.sum);
  *response.mutable_score() = ToWire(explanation.score);
  *response.mutable_wdl() = ToWire(Wdl::FromScore(explanation.score));
  response.set_phase(explanation.phase);
  response.set_endgame_scale(explanation.endgame_scale);
  response.set_in_check(position.InCheck());
  response.set_status(ToWire(position.Status()));
  response.set_side_to_move(ToWire(position.side_to_move()));
  response.set_evaluation("classical");
  if (const auto net = ExplainNet(position); net.has_value()) WriteNet(position, *net, *response.mutable_net());
}

}  // namespace kibitz::server
