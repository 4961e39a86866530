#include "engine/tuning/weight_list.h"

#include <array>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/eval/piece_squares.h"
#include "engine/eval/weights.h"

namespace kibitz::tuning {
namespace {

// A weight as C++ writes it down.
std::string Text(int number) { return absl::StrCat(number); }
std::string Text(Tapered pair) { return absl::StrCat("T(", pair.middlegame(), ", ", pair.endgame(), ")"); }
template <typename T, std::size_t kSize>
std::string Text(const std::array<T, kSize>& array);
std::string Text(const weights::SquareShares& shares) {
  return absl::StrCat("{", Text(shares.file), ", ", Text(shares.rank), "}");
}
template <typename T, std::size_t kSize>
std::string Text(const std::array<T, kSize>& array) {
  constexpr bool kPlain = std::is_same_v<T, int> || std::is_same_v<T, Tapered>;
  std::string text = kPlain ? "{" : "{{";
  for (std::size_t i = 0; i < kSize; ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", Text(array[i]));
  return text + (kPlain ? "}" : "}}");
}

}  // namespace

void WeightList::AddSlots(Tapered& pair) {
  slots_.push_back({.pair = &pair, .endgame = false});
  slots_.push_back({.pair = &pair, .endgame = true});
}

void WeightList::AddSlots(int& number) { slots_.push_back({.number = &number}); }

template <typename Aggregate>
void WeightList::AddSlots(Aggregate& aggregate) {
  if constexpr (std::is_same_v<Aggregate, weights::SquareShares>) {
    AddSlots(aggregate.file);
    AddSlots(aggregate.rank);
  } else {
    for (auto& element : aggregate) AddSlots(element);
  }
}

template <typename T>
void WeightList::Add(const char* name, T& weight) {
  AddSlots(weight);
  named_.push_back({name, [&weight] { return Text(weight); }});
}

// Left out are the scales of the danger's own units, which the other numbers of king safety make up for.
WeightList::WeightList() {
#define KIBITZ_ADD(name) Add(#name, weights::name)
  KIBITZ_ADD(kMaterial);
  KIBITZ_ADD(kSquares);
  KIBITZ_ADD(kKnightMobility);
  KIBITZ_ADD(kBishopMobility);
  KIBITZ_ADD(kRookMobility);
  KIBITZ_ADD(kQueenMobility);
  KIBITZ_ADD(kDoubled);
  KIBITZ_ADD(kIsolated);
  KIBITZ_ADD(kIsolatedOnOpenFile);
  KIBITZ_ADD(kBackward);
  KIBITZ_ADD(kBackwardOnOpenFile);
  KIBITZ_ADD(kConnected);
  KIBITZ_ADD(kCandidate);
  KIBITZ_ADD(kPassed);
  KIBITZ_ADD(kPassedFreeStep);
  KIBITZ_ADD(kPassedSafePath);
  KIBITZ_ADD(kPassedSafeStep);
  KIBITZ_ADD(kPassedDefendedStep);
  KIBITZ_ADD(kPassedEnemyKing);
  KIBITZ_ADD(kPassedOurKing);
  KIBITZ_ADD(kPassedRookBehind);
  KIBITZ_ADD(kBishopPair);
  KIBITZ_ADD(kBishopOwnPawns);
  KIBITZ_ADD(kKnightOutpost);
  KIBITZ_ADD(kBishopOutpost);
  KIBITZ_ADD(kReachableOutpost);
  KIBITZ_ADD(kMinorBehindPawn);
  KIBITZ_ADD(kRookOpenFile);
  KIBITZ_ADD(kRookHalfOpenFile);
  KIBITZ_ADD(kRookTrapped);
  KIBITZ_ADD(kRookSeventh);
  KIBITZ_ADD(kBishopLongDiagonal);
  KIBITZ_ADD(kAttackerDanger);
  KIBITZ_ADD(kZoneAttackDanger);
  KIBITZ_ADD(kWeakZoneDanger);
  KIBITZ_ADD(kSafeCheckDanger);
  KIBITZ_ADD(kUnsafeCheckDanger);
  KIBITZ_ADD(kNoQueenRelief);
  KIBITZ_ADD(kDangerBase);
  KIBITZ_ADD(kShelter);
  KIBITZ_ADD(kStorm);
  KIBITZ_ADD(kBlockedStorm);
  KIBITZ_ADD(kKingOnOpenFile);
  KIBITZ_ADD(kKingPawnlessFlank);
  KIBITZ_ADD(kPawnThreatensMinor);
  KIBITZ_ADD(kPawnThreatensRook);
  KIBITZ_ADD(kPawnThreatensQueen);
  KIBITZ_ADD(kMinorThreatensRook);
  KIBITZ_ADD(kMinorThreatensQueen);
  KIBITZ_ADD(kRookThreatensQueen);
  KIBITZ_ADD(kMinorThreatensMinor);
  KIBITZ_ADD(kHangingPiece);
  KIBITZ_ADD(kHangingPawn);
  KIBITZ_ADD(kKingThreatens);
  KIBITZ_ADD(kPushThreat);
  KIBITZ_ADD(kSpace);
  KIBITZ_ADD(kTempo);
#undef KIBITZ_ADD
}

int WeightList::Get(std::size_t i) const {
  const Slot& slot = slots_[i];
  if (slot.number != nullptr) return *slot.number;
  return slot.endgame ? slot.pair->endgame() : slot.pair->middlegame();
}

void WeightList::Set(std::size_t i, int value) {
  const Slot& slot = slots_[i];
  if (slot.number != nullptr) {
    *slot.number = value;
  } else {
    *slot.pair = slot.endgame ? Tapered(slot.pair->middlegame(), value) : Tapered(value, slot.pair->endgame());
  }
  kPieceSquares = MakePieceSquares();
}

absl::StatusOr<std::string> WeightList::Rewrite(absl::string_view header) const {
  std::string text(header);
  for (const Named& named : named_) {
    const std::string declaration = absl::StrCat(" ", named.name, " = ");
    const std::size_t begin = text.find(declaration);
    const std::size_t end = begin == std::string::npos ? begin : text.find(';', begin);
    if (end == std::string::npos) return absl::NotFoundError(absl::StrCat("the file does not define ", named.name));
    text.replace(begin + declaration.size(), end - begin - declaration.size(), named.text());
  }
  return text;
}

}  // namespace kibitz::tuning
