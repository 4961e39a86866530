#include "engine/tuning/weight_list.h"

#include <array>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kibitz::tuning {
namespace {

// A weight as C++ writes it down.
std::string Text(int number) { return absl::StrCat(number); }
std::string Text(Tapered pair) { return absl::StrCat("T(", pair.middlegame(), ", ", pair.endgame(), ")"); }
template <typename T, std::size_t kSize>
std::string Text(const std::array<T, kSize>& array);
std::string Text(const SquareShares& shares) {
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
  if constexpr (std::is_same_v<Aggregate, SquareShares>) {
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
#define KIBITZ_ADD(name) Add(#name, weights_->name)
  KIBITZ_ADD(material);
  KIBITZ_ADD(squares);
  KIBITZ_ADD(knight_mobility);
  KIBITZ_ADD(bishop_mobility);
  KIBITZ_ADD(rook_mobility);
  KIBITZ_ADD(queen_mobility);
  KIBITZ_ADD(doubled);
  KIBITZ_ADD(isolated);
  KIBITZ_ADD(isolated_on_open_file);
  KIBITZ_ADD(backward);
  KIBITZ_ADD(backward_on_open_file);
  KIBITZ_ADD(connected);
  KIBITZ_ADD(candidate);
  KIBITZ_ADD(passed);
  KIBITZ_ADD(passed_free_step);
  KIBITZ_ADD(passed_safe_path);
  KIBITZ_ADD(passed_safe_step);
  KIBITZ_ADD(passed_defended_step);
  KIBITZ_ADD(passed_enemy_king);
  KIBITZ_ADD(passed_our_king);
  KIBITZ_ADD(passed_rook_behind);
  KIBITZ_ADD(bishop_pair);
  KIBITZ_ADD(bishop_own_pawns);
  KIBITZ_ADD(knight_outpost);
  KIBITZ_ADD(bishop_outpost);
  KIBITZ_ADD(reachable_outpost);
  KIBITZ_ADD(minor_behind_pawn);
  KIBITZ_ADD(rook_open_file);
  KIBITZ_ADD(rook_half_open_file);
  KIBITZ_ADD(rook_trapped);
  KIBITZ_ADD(rook_seventh);
  KIBITZ_ADD(bishop_long_diagonal);
  KIBITZ_ADD(attacker_danger);
  KIBITZ_ADD(zone_attack_danger);
  KIBITZ_ADD(weak_zone_danger);
  KIBITZ_ADD(safe_check_danger);
  KIBITZ_ADD(unsafe_check_danger);
  KIBITZ_ADD(no_queen_relief);
  KIBITZ_ADD(danger_base);
  KIBITZ_ADD(shelter);
  KIBITZ_ADD(storm);
  KIBITZ_ADD(blocked_storm);
  KIBITZ_ADD(king_on_open_file);
  KIBITZ_ADD(king_pawnless_flank);
  KIBITZ_ADD(pawn_threatens_minor);
  KIBITZ_ADD(pawn_threatens_rook);
  KIBITZ_ADD(pawn_threatens_queen);
  KIBITZ_ADD(minor_threatens_rook);
  KIBITZ_ADD(minor_threatens_queen);
  KIBITZ_ADD(rook_threatens_queen);
  KIBITZ_ADD(minor_threatens_minor);
  KIBITZ_ADD(hanging_piece);
  KIBITZ_ADD(hanging_pawn);
  KIBITZ_ADD(king_threatens);
  KIBITZ_ADD(push_threat);
  KIBITZ_ADD(space);
  KIBITZ_ADD(tempo);
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
