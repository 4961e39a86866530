#include "client/cli/attacks_option.h"

#include <string_view>

namespace kibitz::client {
namespace {

// In the order of v1::PieceType, from the pawn on.
constexpr std::string_view kLetters = "PNBRQK";

bool IsSquare(std::string_view text) {
  return text.size() == 2 && text[0] >= 'a' && text[0] <= 'h' && text[1] >= '1' && text[1] <= '8';
}

}  // namespace

std::string CheckAttacks(const std::string& text) {
  const bool has_letter = text.size() == 3 && kLetters.find(text[0]) != std::string_view::npos;
  if (IsSquare(text) || (has_letter && IsSquare(std::string_view(text).substr(1)))) return "";
  return "'" + text + "' is not a square (d4) nor a piece on one (Rd4; P N B R Q K)";
}

void SetAttacks(const std::string& text, v1::BitboardsRequest& request) {
  if (text.size() == 3) request.set_piece(static_cast<v1::PieceType>(kLetters.find(text[0]) + v1::PIECE_TYPE_PAWN));
  request.set_square(text.substr(text.size() - 2));
}

}  // namespace kibitz::client
