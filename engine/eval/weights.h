// What the evaluation's terms are worth, in middlegame and endgame hundredths of a pawn. The numbers are ours, set by
// hand and then fitted to games of our own: `kibitz tune fit` rewrites this file.

#ifndef KIBITZ_ENGINE_EVAL_WEIGHTS_H_
#define KIBITZ_ENGINE_EVAL_WEIGHTS_H_

#include <array>

#include "engine/board/types.h"
#include "engine/eval/tapered.h"

// Constants, but for the tuner, whose build of the evaluation changes them.
#ifdef KIBITZ_TUNABLE_WEIGHTS
#define KIBITZ_WEIGHT inline
#else
#define KIBITZ_WEIGHT inline constexpr
#endif

namespace kibitz::weights {

using T = Tapered;

KIBITZ_WEIGHT std::array<T, kNumPieceTypes> kMaterial = {T(82, 112),  T(335, 325),   T(355, 345),
                                                         T(475, 560), T(1010, 1020), T(0, 0)};

// A piece on a square is worth its file's share, counted from the edge, and its rank's, counted from its own side.
struct SquareShares {
  std::array<T, 4> file;
  std::array<T, 8> rank;
};
// Pawn, knight, bishop, rook, queen, king.
KIBITZ_WEIGHT std::array<SquareShares, kNumPieceTypes> kSquares = {
    {{{T(-6, 4), T(-1, 1), T(2, -1), T(9, -4)},
      {T(0, 0), T(-4, -2), T(-3, -4), T(5, 0), T(10, 8), T(18, 24), T(30, 48), T(0, 0)}},
     {{T(-28, -18), T(-8, -8), T(4, 4), T(10, 10)},
      {T(-26, -20), T(-12, -10), T(0, 0), T(10, 10), T(18, 14), T(20, 6), T(6, -4), T(-36, -24)}},
     {{T(-6, -6), T(2, -2), T(0, 2), T(4, 4)},
      {T(-12, -8), T(4, -6), T(6, 2), T(6, 4), T(6, 4), T(4, 4), T(-8, 0), T(-16, -4)}},
     {{T(-6, 2), T(0, 2), T(6, 0), T(10, -2)},
      {T(-4, -4), T(-10, -4), T(-10, -2), T(-6, 2), T(0, 6), T(8, 8), T(14, 10), T(8, 10)}},
     {{T(-4, -16), T(0, -4), T(2, 6), T(2, 12)},
      {T(-2, -20), T(4, -14), T(2, 0), T(0, 10), T(-2, 16), T(0, 14), T(-6, 10), T(-4, 2)}},
     {{T(18, -22), T(22, -4), T(-12, 8), T(-24, 12)},
      {T(22, -30), T(4, -8), T(-22, 4), T(-40, 16), T(-48, 24), T(-44, 26), T(-36, 16), T(-34, -12)}}}};

// By the number of squares a piece may go to: not held by its own pawns, not guarded by the enemy's.
KIBITZ_WEIGHT std::array<T, 9> kKnightMobility = {T(-48, -62), T(-30, -34), T(-10, -16), T(-2, -4), T(5, 4),
                                                  T(11, 12),   T(17, 16),   T(22, 16),   T(28, 12)};
KIBITZ_WEIGHT std::array<T, 14> kBishopMobility = {T(-40, -56), T(-22, -34), T(-6, -18), T(2, -6),  T(9, 4),
                                                   T(15, 12),   T(19, 18),   T(22, 22),  T(24, 26), T(27, 27),
                                                   T(32, 26),   T(36, 26),   T(38, 30),  T(42, 30)};
KIBITZ_WEIGHT std::array<T, 15> kRookMobility = {T(-50, -70), T(-26, -34), T(-12, -10), T(-7, 2),  T(-4, 12),
                                                 T(-2, 20),   T(2, 26),    T(6, 31),    T(10, 36), T(13, 41),
                                                 T(16, 45),   T(18, 49),   T(21, 52),   T(26, 53), T(30, 52)};
KIBITZ_WEIGHT std::array<T, 28> kQueenMobility = {
    T(-40, -60), T(-24, -48), T(-14, -38), T(-8, -30), T(-4, -22), T(-1, -14), T(1, -6),
    T(3, 0),     T(5, 6),     T(6, 12),    T(8, 17),   T(9, 21),   T(10, 24),  T(11, 27),
    T(12, 30),   T(13, 32),   T(13, 34),   T(14, 36),  T(15, 37),  T(16, 38),  T(18, 38),
    T(20, 37),   T(22, 36),   T(25, 35),   T(28, 34),  T(30, 33),  T(32, 32),  T(34, 31)};

// Pawn structure.
KIBITZ_WEIGHT T kDoubled = T(-9, -22);
KIBITZ_WEIGHT T kIsolated = T(-10, -14);
KIBITZ_WEIGHT T kIsolatedOnOpenFile = T(-8, -6);
KIBITZ_WEIGHT T kBackward = T(-8, -10);
KIBITZ_WEIGHT T kBackwardOnOpenFile = T(-10, -6);
// By relative rank: side by side or protected.
KIBITZ_WEIGHT std::array<T, 8> kConnected = {T(0, 0),   T(4, -2),  T(9, 4),   T(12, 8),
                                             T(24, 20), T(50, 44), T(90, 80), T(0, 0)};
KIBITZ_WEIGHT std::array<T, 8> kCandidate = {T(0, 0),   T(-2, 4),  T(2, 6), T(8, 14),
                                             T(18, 30), T(28, 50), T(0, 0), T(0, 0)};

// Passed pawns, by relative rank.
KIBITZ_WEIGHT std::array<T, 8> kPassed = {T(0, 0),   T(-4, 14),  T(-6, 20),   T(-2, 42),
                                          T(28, 72), T(64, 128), T(110, 190), T(0, 0)};
KIBITZ_WEIGHT T kPassedFreeStep = T(2, 5);      // times (rank - 2): the square in front is free
KIBITZ_WEIGHT T kPassedSafePath = T(3, 9);      // times (rank - 2): the enemy guards none of the way
KIBITZ_WEIGHT T kPassedSafeStep = T(2, 4);      // times (rank - 2): nor the square in front
KIBITZ_WEIGHT T kPassedDefendedStep = T(3, 4);  // times (rank - 2): we guard the square in front
KIBITZ_WEIGHT T kPassedEnemyKing = T(0, 6);     // times distance (to 5) and (rank - 2)
KIBITZ_WEIGHT T kPassedOurKing = T(0, -4);      // times distance (to 5) and (rank - 2)
KIBITZ_WEIGHT T kPassedRookBehind = T(6, 16);

// Pieces.
KIBITZ_WEIGHT T kBishopPair = T(26, 56);
KIBITZ_WEIGHT T kBishopOwnPawns = T(-2, -5);  // times own pawns on its square colour
KIBITZ_WEIGHT T kKnightOutpost = T(28, 18);
KIBITZ_WEIGHT T kBishopOutpost = T(18, 8);
KIBITZ_WEIGHT T kReachableOutpost = T(12, 8);
KIBITZ_WEIGHT T kMinorBehindPawn = T(10, 4);
KIBITZ_WEIGHT T kRookOpenFile = T(34, 8);
KIBITZ_WEIGHT T kRookHalfOpenFile = T(14, 8);
KIBITZ_WEIGHT T kRookTrapped = T(-36, -8);
KIBITZ_WEIGHT T kRookSeventh = T(4, 22);
KIBITZ_WEIGHT T kBishopLongDiagonal = T(18, 4);

// King safety. Danger is counted in units of its own and squared.
KIBITZ_WEIGHT std::array<int, kNumPieceTypes> kAttackerDanger = {0, 36, 24, 22, 14, 0};
KIBITZ_WEIGHT int kZoneAttackDanger = 26;
KIBITZ_WEIGHT int kWeakZoneDanger = 70;
KIBITZ_WEIGHT std::array<int, kNumPieceTypes> kSafeCheckDanger = {0, 290, 200, 380, 310, 0};
KIBITZ_WEIGHT int kUnsafeCheckDanger = 50;
KIBITZ_WEIGHT int kNoQueenRelief = 320;
KIBITZ_WEIGHT int kShelterRelief = 3;  // times the shelter's middlegame value, over 2
KIBITZ_WEIGHT int kDangerBase = -40;
KIBITZ_WEIGHT int kDangerSquareDivisor = 4096;
KIBITZ_WEIGHT int kDangerEndgameDivisor = 18;
// By the relative rank of our most backward pawn on the file (0: none), and the file's distance from the edge.
KIBITZ_WEIGHT std::array<std::array<int, 8>, 4> kShelter = {{{-8, 26, 28, 8, 2, -2, -6, 0},
                                                             {-26, 36, 22, -12, -14, -8, -22, 0},
                                                             {-12, 34, 14, -4, 4, 2, -12, 0},
                                                             {-22, 20, 8, -8, -10, -12, -20, 0}}};
// By the relative rank of the enemy's most advanced pawn, when it is free to come and when ours stops it.
KIBITZ_WEIGHT std::array<int, 8> kStorm = {0, -20, -48, -30, -12, -4, 0, 0};
KIBITZ_WEIGHT std::array<int, 8> kBlockedStorm = {0, 0, -20, -6, -2, 0, 0, 0};
KIBITZ_WEIGHT T kKingOnOpenFile = T(-18, 2);
KIBITZ_WEIGHT T kKingPawnlessFlank = T(-12, -40);

// Threats.
KIBITZ_WEIGHT T kPawnThreatensMinor = T(58, 36);
KIBITZ_WEIGHT T kPawnThreatensRook = T(76, 28);
KIBITZ_WEIGHT T kPawnThreatensQueen = T(66, 30);
KIBITZ_WEIGHT T kMinorThreatensRook = T(38, 34);
KIBITZ_WEIGHT T kMinorThreatensQueen = T(36, 40);
KIBITZ_WEIGHT T kRookThreatensQueen = T(44, 24);
KIBITZ_WEIGHT T kMinorThreatensMinor = T(12, 22);
KIBITZ_WEIGHT T kHangingPiece = T(30, 18);
KIBITZ_WEIGHT T kHangingPawn = T(6, 22);
KIBITZ_WEIGHT T kKingThreatens = T(10, 30);
KIBITZ_WEIGHT T kPushThreat = T(16, 14);

// Space: each safe square behind our centre pawns, times the pieces that can use it, over 8.
KIBITZ_WEIGHT T kSpace = T(3, 0);

KIBITZ_WEIGHT int kTempo = 18;

}  // namespace kibitz::weights

#endif  // KIBITZ_ENGINE_EVAL_WEIGHTS_H_
