#include "client/uci/game.h"

#include <fmt/format.h>

#include <utility>

#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/board/picture.h"
#include "engine/board/uci_move.h"

namespace kibitz::client::uci {

absl::Status Game::Set(const std::string& fen, const std::vector<std::string>& moves, bool chess960) {
  absl::StatusOr<Position> position =
      ParseFen(fen.empty() ? kStartFen : fen, chess960 ? Variant::kChess960 : Variant::kStandard);
  if (!position.ok()) return position.status();
  position_ = *std::move(position);
  wire_.Clear();
  wire_.set_fen(fen);
  wire_.set_variant(chess960 ? v1::VARIANT_CHESS960 : v1::VARIANT_STANDARD);
  for (const std::string& word : moves) {
    const absl::StatusOr<Move> move = ParseUciMove(position_, word);
    if (!move.ok()) return move.status();
    wire_.add_moves(ToUci(*move, position_.variant()));
    position_.MakeMove(*move);
    position_.ForgetUndo();
  }
  return absl::OkStatus();
}

absl::Status Game::SetChess960(bool chess960) {
  Game changed;
  const std::vector<std::string> moves(wire_.moves().begin(), wire_.moves().end());
  absl::Status status = changed.Set(wire_.fen(), moves, chess960);
  if (status.ok()) *this = std::move(changed);
  return status;
}

std::vector<std::string> Game::LegalOnes(const std::vector<std::string>& moves,
                                         std::vector<std::string>& illegal) const {
  std::vector<std::string> legal;
  for (const std::string& word : moves) {
    const absl::StatusOr<Move> move = ParseUciMove(position_, word);
    if (move.ok()) {
      legal.push_back(ToUci(*move, position_.variant()));
    } else {
      illegal.push_back(word);
    }
  }
  return legal;
}

std::string Game::AnyMove() const {
  const MoveList moves = LegalMoves(position_);
  return moves.empty() ? "" : ToUci(moves[0], position_.variant());
}

std::string Game::Picture() const {
  return fmt::format("{}\nFen: {}\nKey: {:016X}\nIn check: {}\n", BoardPicture(position_.board()), ToFen(position_),
                     position_.key(), position_.InCheck() ? "yes" : "no");
}

}  // namespace kibitz::client::uci
