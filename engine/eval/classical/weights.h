// What the evaluation's terms are worth, in the middlegame and in the endgame, in the units that the search computes
// with; Score::FromValue makes centipawns of them. The numbers are ours, set by hand and then fitted to games of our
// own: `kibitz tune fit` rewrites this file.

#ifndef KIBITZ_ENGINE_EVAL_CLASSICAL_WEIGHTS_H_
#define KIBITZ_ENGINE_EVAL_CLASSICAL_WEIGHTS_H_

#include <array>

#include "engine/board/types.h"
#include "engine/eval/classical/tapered.h"

namespace kibitz {

// A piece on a square is worth its file's share, counted from the edge, and its rank's, counted from its own side.
struct SquareShares {
  std::array<Tapered, 4> file;
  std::array<Tapered, 8> rank;
};

// A value: the search evaluates with the numbers below, the tuner with its own.
struct Weights {
  using T = Tapered;

  std::array<T, kNumPieceTypes> material = {T(76, 117), T(336, 331), T(363, 363), T(475, 585), T(1015, 1029), T(0, 0)};

  // Pawn, knight, bishop, rook, queen, king.
  std::array<SquareShares, kNumPieceTypes> squares = {
      {{{T(0, 2), T(-5, 10), T(-3, -10), T(4, 0)},
        {T(0, 0), T(-5, 10), T(-3, 0), T(5, 1), T(1, 8), T(22, 15), T(25, 39), T(0, 0)}},
       {{T(-17, -10), T(-7, 0), T(-1, -5), T(0, 6)},
        {T(-24, -16), T(-5, -12), T(-9, 5), T(19, 3), T(16, 12), T(18, 12), T(7, -4), T(-43, -24)}},
       {{T(0, -5), T(-2, -5), T(3, 11), T(3, 12)},
        {T(-10, -1), T(10, -10), T(7, -2), T(4, 7), T(4, 2), T(3, 2), T(-10, 11), T(-16, 1)}},
       {{T(-11, 1), T(-8, 8), T(0, 11), T(23, 4)},
        {T(3, -14), T(-17, -12), T(-27, 4), T(-3, 13), T(7, 10), T(13, 15), T(13, 12), T(7, 20)}},
       {{T(-2, -4), T(12, -4), T(-4, 10), T(-1, 2)},
        {T(-11, -28), T(-1, -19), T(7, -8), T(-2, 17), T(-1, 24), T(1, 14), T(-1, 17), T(3, 8)}},
       {{T(9, -16), T(22, -7), T(-7, 9), T(-25, 3)},
        {T(10, -42), T(2, -14), T(-14, 4), T(-41, 15), T(-47, 26), T(-45, 29), T(-32, 26), T(-33, -11)}}}};

  // By the number of squares a piece may go to: not held by its own king or blocked pawns, not guarded by
  // the enemy's pawns.
  std::array<T, 9> knight_mobility = {T(-36, -59), T(-36, -33), T(-2, -15), T(2, 1),  T(-2, 0),
                                      T(8, 12),    T(13, 14),   T(23, 17),  T(21, 10)};
  std::array<T, 14> bishop_mobility = {T(-32, -55), T(-22, -37), T(1, -10), T(5, -12), T(11, 2),  T(16, 10), T(19, 15),
                                       T(26, 30),   T(19, 34),   T(19, 34), T(30, 27), T(33, 27), T(35, 27), T(40, 30)};
  std::array<T, 15> rook_mobility = {T(-54, -71), T(-41, -36), T(-15, -19), T(-3, 5),  T(-4, 21),
                                     T(13, 13),   T(0, 36),    T(7, 32),    T(7, 37),  T(16, 42),
                                     T(20, 50),   T(17, 54),   T(24, 59),   T(25, 52), T(24, 52)};
  std::array<T, 28> queen_mobility = {T(-40, -60), T(-24, -48), T(-11, -38), T(-5, -30), T(-2, -22), T(-4, -13),
                                      T(-1, -8),   T(5, -5),    T(8, 4),     T(11, 9),   T(10, 20),  T(9, 25),
                                      T(15, 27),   T(11, 27),   T(11, 32),   T(12, 38),  T(8, 39),   T(11, 39),
                                      T(11, 36),   T(15, 39),   T(17, 37),   T(18, 35),  T(23, 36),  T(23, 33),
                                      T(28, 34),   T(30, 32),   T(32, 32),   T(34, 30)};

  // Pawn structure.
  T doubled = T(-3, -24);
  T isolated = T(-1, 1);
  T isolated_on_open_file = T(-19, -16);
  T backward = T(9, 1);
  T backward_on_open_file = T(-18, -15);
  // By relative rank: side by side or protected.
  std::array<T, 8> connected = {T(0, 0), T(9, -9), T(13, 8), T(6, 3), T(13, 17), T(54, 40), T(87, 73), T(0, 0)};
  std::array<T, 8> candidate = {T(0, 0), T(3, 6), T(3, 1), T(21, 24), T(5, 31), T(31, 49), T(0, 0), T(0, 0)};

  // Passed pawns, by relative rank.
  std::array<T, 8> passed = {T(0, 0), T(2, 14), T(-2, 31), T(-1, 41), T(36, 73), T(64, 122), T(105, 181), T(0, 0)};
  T passed_free_step = T(-3, -6);      // times (rank - 2): the square in front is free
  T passed_safe_path = T(8, 22);       // times (rank - 2): the enemy guards none of the way
  T passed_safe_step = T(-1, 10);      // times (rank - 2): it guards some of it, but not the square in front
  T passed_defended_step = T(12, 10);  // times (rank - 2): we guard the square in front
  T passed_enemy_king = T(-4, 13);     // times distance (to 5) and (rank - 2)
  T passed_our_king = T(2, -9);        // times distance (to 5) and (rank - 2)
  T passed_rook_behind = T(17, 24);

  // Pieces.
  T bishop_pair = T(24, 42);
  T bishop_own_pawns = T(-6, -10);  // times own pawns on its square colour
  T knight_outpost = T(26, 16);
  T bishop_outpost = T(22, 15);
  T reachable_outpost = T(21, 12);
  T minor_behind_pawn = T(7, 14);
  T rook_open_file = T(13, 5);
  T rook_half_open_file = T(11, 3);
  T rook_trapped = T(-7, -8);
  T rook_seventh = T(2, 16);
  T bishop_long_diagonal = T(22, 6);

  // King safety. Danger is counted in units of its own and squared.
  std::array<int, kNumPieceTypes> attacker_danger = {0, 34, 28, 26, 19, 0};
  int zone_attack_danger = 30;
  int weak_zone_danger = 63;
  std::array<int, kNumPieceTypes> safe_check_danger = {0, 290, 200, 376, 307, 0};
  int unsafe_check_danger = 65;
  int no_queen_relief = 323;
  int shelter_relief = 3;  // times the shelter's middlegame value, over 2
  int danger_base = -40;
  int danger_square_divisor = 4096;
  int danger_endgame_divisor = 18;
  // By the relative rank of our most backward pawn on the file (0: none), and the file's distance from the edge.
  std::array<std::array<int, 8>, 4> shelter = {{{-8, 20, 18, 1, 1, 5, -6, 0},
                                                {-26, 30, 17, -5, -18, -11, -22, 0},
                                                {1, 36, 10, 8, -11, -5, -14, 0},
                                                {-3, 14, 20, 7, -24, -16, -19, 0}}};
  // By the relative rank of the enemy's most advanced pawn, when it is free to come and when ours stops it.
  std::array<int, 8> storm = {-3, -16, -49, -20, -1, 6, -3, 0};
  std::array<int, 8> blocked_storm = {0, 0, -37, -17, -11, 12, -7, 0};
  T king_on_open_file = T(-25, -7);
  T king_pawnless_flank = T(-15, -44);

  // Threats.
  T pawn_threatens_minor = T(57, 36);
  T pawn_threatens_rook = T(75, 28);
  T pawn_threatens_queen = T(63, 29);
  T minor_threatens_rook = T(39, 31);
  T minor_threatens_queen = T(37, 40);
  T rook_threatens_queen = T(43, 24);
  T minor_threatens_minor = T(23, 25);
  T hanging_piece = T(19, 18);
  T hanging_pawn = T(24, 41);
  T king_threatens = T(12, 27);
  T push_threat = T(20, 7);

  // Space: safe squares of the centre files on our side, those behind our pawns twice, times our pieces, over 16.
  T space = T(13, 0);

  int tempo = 13;
};

}  // namespace kibitz

#endif  // KIBITZ_ENGINE_EVAL_CLASSICAL_WEIGHTS_H_
