#include "engine/tablebase/tablebases.h"

#include <tbprobe.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/board/bitboard.h"
#include "engine/board/movegen.h"

namespace kibitz {
namespace {

// What is Fathom's own is global: which folders it has open, and for how many of us.
std::mutex mutex;
std::string open_path;
int users = 0;

// Ranks from here on win whatever the clock says; below, down to zero, the fifty-move rule comes first.
constexpr int kSureWin = 900;

// Fathom ends the process when it meets a file that is not whole, so they are looked at beforehand.
absl::Status CheckFile(const std::filesystem::directory_entry& file) {
  const std::string extension = file.path().extension().string();
  if (extension != ".rtbw" && extension != ".rtbz") return absl::OkStatus();
  std::error_code error;
  const std::uintmax_t size = file.file_size(error);
  if (!error && size % 64 == 16) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("the tablebase file ", file.path().string(), " is damaged or not whole"));
}

absl::Status CheckFolder(const std::string& folder) {
  std::error_code error;
  const std::filesystem::directory_iterator files(folder, error);
  if (error)
    return absl::NotFoundError(absl::StrCat("cannot read the tablebase folder '", folder, "': ", error.message()));
  for (const auto& file : files) {
    if (absl::Status status = CheckFile(file); !status.ok()) return status;
  }
  return absl::OkStatus();
}

// Calls one of Fathom's probes with a position as it wants it: bitboards, clock, castling, en passant, side to move.
template <typename Probe, typename... Rest>
auto Ask(Probe probe, const Position& position, Rest... rest) {
  const Board& board = position.board();
  const unsigned en_passant = board.en_passant == Square::kNone ? 0 : static_cast<unsigned>(Index(board.en_passant));
  const auto clock = static_cast<unsigned>(position.halfmove_clock());
  std::lock_guard lock(mutex);
  return probe(board.Of(Color::kWhite), board.Of(Color::kBlack), board.Of(PieceType::kKing),
               board.Of(PieceType::kQueen), board.Of(PieceType::kRook), board.Of(PieceType::kBishop),
               board.Of(PieceType::kKnight), board.Of(PieceType::kPawn), clock, /*castling=*/0, en_passant,
               position.side_to_move() == Color::kWhite, rest...);
}

// Fathom's move among ours.
Move Find(const MoveList& moves, TbMove wanted) {
  constexpr PieceType kPromotions[] = {PieceType::kNone, PieceType::kQueen, PieceType::kRook, PieceType::kBishop,
                                       PieceType::kKnight};
  for (Move move : moves) {
    if (Index(move.from()) == TB_MOVE_FROM(wanted) && Index(move.to()) == TB_MOVE_TO(wanted) &&
        move.promotion() == kPromotions[TB_MOVE_PROMOTES(wanted)]) {
      return move;
    }
  }
  return Move();
}

TablebaseResult ResultOfRank(int rank) {
  if (rank >= kSureWin) return TablebaseResult::kWin;
  if (rank > 0) return TablebaseResult::kCursedWin;
  if (rank == 0) return TablebaseResult::kDraw;
  return rank > -kSureWin ? TablebaseResult::kBlessedLoss : TablebaseResult::kLoss;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Tablebases>> Tablebases::Open(const std::string& path) {
  for (const std::string& folder : std::vector<std::string>(absl::StrSplit(path, ':'))) {
    if (absl::Status status = CheckFolder(folder); !status.ok()) return status;
  }
  std::lock_guard lock(mutex);
  if (users > 0 && path != open_path) {
    return absl::FailedPreconditionError(
        absl::StrCat("this process uses the tablebases in ", open_path, " already, and can use one set only"));
  }
  if (users == 0 && !tb_init(path.c_str())) {
    return absl::InternalError(absl::StrCat("cannot open the tablebases in ", path));
  }
  if (TB_LARGEST == 0) return absl::NotFoundError(absl::StrCat("there are no Syzygy tables in ", path));
  open_path = path;
  ++users;
  return std::unique_ptr<Tablebases>(new Tablebases(static_cast<int>(TB_LARGEST)));
}

Tablebases::~Tablebases() {
  std::lock_guard lock(mutex);
  // The tables stay mapped until others are opened: when it lets go of them, Fathom writes to standard error for each.
  --users;
}

bool Tablebases::Covers(const Position& position) const {
  return Count(position.board().Occupied()) <= max_pieces_ && position.board().castling_rooks == 0;
}

std::optional<TablebaseResult> Tablebases::Probe(const Position& position) const {
  if (position.halfmove_clock() != 0 || !Covers(position)) return std::nullopt;
  const unsigned result = Ask(tb_probe_wdl, position);
  if (result == TB_RESULT_FAILED) return std::nullopt;
  return static_cast<TablebaseResult>(result);  // the same order, from TB_LOSS to TB_WIN
}

std::vector<RankedMove> Tablebases::RankMoves(const Position& position) const {
  if (!Covers(position)) return {};
  const auto results = std::make_unique<TbRootMoves>();
  // A position that came back shows that moving about makes no progress: then only the quickest way counts as won.
  const bool repeated = position.Repetitions() > 1;
  if (Ask(tb_probe_root_dtz, position, repeated, /*useRule50=*/true, results.get()) == 0) return {};
  const MoveList legal = LegalMoves(position);
  std::vector<RankedMove> ranked;
  for (unsigned i = 0; i < results->size; ++i) {
    const TbRootMove& each = results->moves[i];
    const Move move = Find(legal, each.move);
    if (!move.IsNone()) ranked.push_back({move, each.tbRank, ResultOfRank(each.tbRank)});
  }
  std::sort(ranked.begin(), ranked.end(), [](const RankedMove& left, const RankedMove& right) {
    return left.rank != right.rank ? left.rank > right.rank : left.move.bits() < right.move.bits();
  });
  return static_cast<int>(ranked.size()) == legal.size() ? ranked : std::vector<RankedMove>();
}

}  // namespace kibitz
