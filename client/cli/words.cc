#include "client/cli/words.h"

namespace kibitz::client {
namespace {

// A newer server may know more than this program.
constexpr std::string_view kUnknown = "unknown";

}  // namespace

std::string_view ToWords(v1::Color color) {
  switch (color) {
    case v1::COLOR_WHITE:
      return "White";
    case v1::COLOR_BLACK:
      return "Black";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::PieceType piece) {
  switch (piece) {
    case v1::PIECE_TYPE_UNSPECIFIED:
      return "";
    case v1::PIECE_TYPE_PAWN:
      return "pawn";
    case v1::PIECE_TYPE_KNIGHT:
      return "knight";
    case v1::PIECE_TYPE_BISHOP:
      return "bishop";
    case v1::PIECE_TYPE_ROOK:
      return "rook";
    case v1::PIECE_TYPE_QUEEN:
      return "queen";
    case v1::PIECE_TYPE_KING:
      return "king";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::GameStatus status) {
  switch (status) {
    case v1::GAME_STATUS_ONGOING:
      return "the game goes on";
    case v1::GAME_STATUS_CHECKMATE:
      return "checkmate";
    case v1::GAME_STATUS_STALEMATE:
      return "stalemate";
    case v1::GAME_STATUS_THREEFOLD_REPETITION:
      return "threefold repetition: a draw if claimed";
    case v1::GAME_STATUS_FIVEFOLD_REPETITION:
      return "drawn by fivefold repetition";
    case v1::GAME_STATUS_FIFTY_MOVES:
      return "fifty-move rule: a draw if claimed";
    case v1::GAME_STATUS_SEVENTY_FIVE_MOVES:
      return "drawn by the seventy-five-move rule";
    case v1::GAME_STATUS_DEAD_POSITION:
      return "drawn: neither side can give mate";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::StopReason reason) {
  switch (reason) {
    case v1::STOP_REASON_DEPTH:
      return "the depth is complete";
    case v1::STOP_REASON_NODES:
      return "the nodes are used";
    case v1::STOP_REASON_TIME:
      return "the time is used";
    case v1::STOP_REASON_MATE:
      return "the mate is found";
    case v1::STOP_REASON_CANCELLED:
      return "stopped";
    case v1::STOP_REASON_DEADLINE:
      return "the deadline is near";
    case v1::STOP_REASON_SHUTDOWN:
      return "the server is shutting down";
    case v1::STOP_REASON_NO_LEGAL_MOVES:
      return "there is no legal move";
    case v1::STOP_REASON_STORED:
      return "it was known from before";
    case v1::STOP_REASON_QUOTA:
      return "the quota of the key is used up";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::Judgement value) {
  switch (value) {
    case v1::JUDGEMENT_FORCED:
      return "forced";
    case v1::JUDGEMENT_BOOK:
      return "book";
    case v1::JUDGEMENT_BEST:
      return "best";
    case v1::JUDGEMENT_GOOD:
      return "good";
    case v1::JUDGEMENT_INACCURACY:
      return "inaccuracy";
    case v1::JUDGEMENT_MISTAKE:
      return "mistake";
    case v1::JUDGEMENT_BLUNDER:
      return "blunder";
    case v1::JUDGEMENT_MISSED_WIN:
      return "missed win";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::Phase value) {
  switch (value) {
    case v1::PHASE_OPENING:
      return "opening";
    case v1::PHASE_MIDDLEGAME:
      return "middlegame";
    case v1::PHASE_ENDGAME:
      return "endgame";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::MoveFact::Kind value) {
  switch (value) {
    case v1::MoveFact::KIND_MATE_MISSED:
      return "a mate was missed";
    case v1::MoveFact::KIND_MATE_ALLOWED:
      return "a mate was allowed";
    case v1::MoveFact::KIND_TABLE_WIN_LOST:
      return "a won endgame was thrown away";
    case v1::MoveFact::KIND_TABLE_DRAW_LOST:
      return "a drawn endgame was lost";
    case v1::MoveFact::KIND_STALEMATE_GIVEN:
      return "stalemate was given";
    case v1::MoveFact::KIND_REPETITION_ALLOWED:
      return "the position was repeated";
    case v1::MoveFact::KIND_CHECKMATE:
      return "checkmate";
    default:
      return kUnknown;
  }
}

std::string_view ToWords(v1::EvaluateResponse::TermKind value) {
  switch (value) {
    case v1::EvaluateResponse::TERM_KIND_MATERIAL:
      return "material";
    case v1::EvaluateResponse::TERM_KIND_PIECE_SQUARES:
      return "piece squares";
    case v1::EvaluateResponse::TERM_KIND_PAWNS:
      return "pawns";
    case v1::EvaluateResponse::TERM_KIND_PASSED_PAWNS:
      return "passed pawns";
    case v1::EvaluateResponse::TERM_KIND_MOBILITY:
      return "mobility";
    case v1::EvaluateResponse::TERM_KIND_PIECES:
      return "pieces";
    case v1::EvaluateResponse::TERM_KIND_KING_SAFETY:
      return "king safety";
    case v1::EvaluateResponse::TERM_KIND_THREATS:
      return "threats";
    case v1::EvaluateResponse::TERM_KIND_SPACE:
      return "space";
    case v1::EvaluateResponse::TERM_KIND_TEMPO:
      return "tempo";
    case v1::EvaluateResponse::TERM_KIND_ENDGAME:
      return "endgame";
    case v1::EvaluateResponse::TERM_KIND_FIFTY_MOVES:
      return "fifty moves";
    default:
      return kUnknown;
  }
}

}  // namespace kibitz::client
