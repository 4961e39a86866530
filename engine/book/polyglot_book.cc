#include "engine/book/polyglot_book.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/board/uci_move.h"
#include "engine/book/polyglot_key.h"

namespace kibitz {
namespace {

// Key, move, weight, and a word for learning that we have no use for; all with the high byte first.
constexpr std::size_t kEntryBytes = 16;
constexpr std::size_t kMoveAt = 8;
constexpr std::size_t kWeightAt = 10;

std::uint64_t ReadBigEndian(absl::string_view bytes) {
  std::uint64_t value = 0;
  for (char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

// The move's fields of three bits: file and rank to go to, file and rank to come from, promotion. What they say may be
// nonsense, which the reader of the text finds out.
std::string ToUciText(std::uint16_t bits) {
  constexpr absl::string_view kPromotions = "-nbrq---";
  const auto field = [bits](int number) { return bits >> (3 * number) & 7; };
  std::string text = {static_cast<char>('a' + field(2)), static_cast<char>('1' + field(3)),
                      static_cast<char>('a' + field(0)), static_cast<char>('1' + field(1))};
  if (field(4) != 0) text += kPromotions[static_cast<std::size_t>(field(4))];
  return text;
}

bool HasMove(const std::vector<BookMove>& moves, Move move) {
  return std::any_of(moves.begin(), moves.end(), [move](const BookMove& each) { return each.move == move; });
}

// Heaviest first, equals in the order in which they come.
void InsertByWeight(std::vector<BookMove>& moves, BookMove move) {
  const auto place =
      std::find_if(moves.begin(), moves.end(), [&](const BookMove& each) { return each.weight < move.weight; });
  moves.insert(place, move);
}

}  // namespace

absl::StatusOr<PolyglotBook> PolyglotBook::Open(const std::string& path) {
  std::error_code error;
  // A folder cannot be read, and a device may have no end.
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    return absl::InvalidArgumentError(absl::StrCat("the book ", path, " is not a file"));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat("cannot open the book ", path, ": ", std::strerror(errno)));
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return absl::DataLossError(absl::StrCat("cannot read the book ", path));
  absl::StatusOr<PolyglotBook> book = FromBytes(bytes);
  if (book.ok()) return book;
  return absl::Status(book.status().code(), absl::StrCat("the book ", path, ": ", book.status().message()));
}

absl::StatusOr<PolyglotBook> PolyglotBook::FromBytes(absl::string_view bytes) {
  if (bytes.empty()) return absl::DataLossError("it is empty");
  if (bytes.size() % kEntryBytes != 0) {
    return absl::DataLossError(
        absl::StrCat("its ", bytes.size(), " bytes are not whole entries of ", kEntryBytes, ": it may be cut off"));
  }
  std::vector<Entry> entries;
  entries.reserve(bytes.size() / kEntryBytes);
  for (std::size_t at = 0; at < bytes.size(); at += kEntryBytes) {
    const Entry entry = {.key = ReadBigEndian(bytes.substr(at, kMoveAt)),
                         .move = static_cast<std::uint16_t>(ReadBigEndian(bytes.substr(at + kMoveAt, 2))),
                         .weight = static_cast<std::uint16_t>(ReadBigEndian(bytes.substr(at + kWeightAt, 2)))};
    if (!entries.empty() && entry.key < entries.back().key) {
      return absl::DataLossError(
          absl::StrCat("entry ", entries.size(), " is out of order: it is damaged, or no Polyglot book"));
    }
    entries.push_back(entry);
  }
  return PolyglotBook(std::move(entries));
}

std::vector<BookMove> PolyglotBook::Moves(const Position& position) const {
  std::vector<BookMove> moves;
  for (Key key : PolyglotKeys(position)) {
    const auto [begin, end] =
        std::equal_range(entries_.begin(), entries_.end(), Entry{key, 0, 0},
                         [](const Entry& left, const Entry& right) { return left.key < right.key; });
    for (auto entry = begin; entry != end; ++entry) {
      const absl::StatusOr<Move> move = ParseUciMove(position, ToUciText(entry->move));
      if (move.ok() && !HasMove(moves, *move)) InsertByWeight(moves, {*move, entry->weight});
    }
  }
  return moves;
}

std::optional<Move> PolyglotBook::BestMove(const Position& position) const {
  const std::vector<BookMove> moves = Moves(position);
  if (moves.empty() || moves.front().weight == 0) return std::nullopt;
  return moves.front().move;
}

std::optional<Move> PolyglotBook::PickMove(const Position& position, std::uint64_t random) const {
  const std::vector<BookMove> moves = Moves(position);
  std::uint64_t total = 0;
  for (const BookMove& each : moves) total += static_cast<std::uint64_t>(each.weight);
  if (total == 0) return std::nullopt;
  auto rest = static_cast<std::int64_t>(random % total);
  auto chosen = moves.begin();
  while ((rest -= chosen->weight) >= 0) ++chosen;
  return chosen->move;
}

}  // namespace kibitz
