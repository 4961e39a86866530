#include "client/uci/opening_book.h"

#include <utility>

#include "engine/board/uci_move.h"

namespace kibitz::client::uci {

absl::Status OpeningBook::Load(const std::string& path) {
  book_.reset();
  if (path.empty()) return absl::OkStatus();
  absl::StatusOr<PolyglotBook> book = PolyglotBook::Open(path);
  if (!book.ok()) return book.status();
  book_ = *std::move(book);
  return absl::OkStatus();
}

std::string OpeningBook::ChooseMove(const Position& position) {
  const std::optional<Move> move = book_ ? book_->PickMove(position, random_()) : std::nullopt;
  return move ? ToUci(*move, position.variant()) : "";
}

}  // namespace kibitz::client::uci
