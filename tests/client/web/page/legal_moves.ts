// Stand-ins for what the server says of a position.

import { create } from "@bufbuild/protobuf";

import {
  Color,
  GameStatus,
  type LegalMovesResponse,
  LegalMovesResponseSchema,
  PieceType,
} from "../../../../client/web/generated/kibitz/v1/position_pb.ts";

const PIECES: Record<string, PieceType> = {
  K: PieceType.KING,
  Q: PieceType.QUEEN,
  R: PieceType.ROOK,
  B: PieceType.BISHOP,
  N: PieceType.KNIGHT,
};

const PROMOTIONS: Record<string, PieceType> = {
  q: PieceType.QUEEN,
  r: PieceType.ROOK,
  b: PieceType.BISHOP,
  n: PieceType.KNIGHT,
};

/** Legal moves from pairs such as "Nf3 g1f3". */
export function legalMoves(...pairs: string[]) {
  return pairs.map((pair) => {
    const [san, uci] = pair.split(" ") as [string, string];
    const castling = san.startsWith("O");
    return {
      $typeName: "kibitz.v1.Move" as const,
      uci,
      san,
      castling,
      piece: castling ? PieceType.KING : (PIECES[san[0]!] ?? PieceType.PAWN),
      captured: PieceType.UNSPECIFIED,
      promotion: PROMOTIONS[uci[4] ?? ""] ?? PieceType.UNSPECIFIED,
      enPassant: false,
      check: san.endsWith("+"),
      checkmate: san.endsWith("#"),
    };
  });
}

export function facts(fen: string, ...pairs: string[]): LegalMovesResponse {
  return create(LegalMovesResponseSchema, {
    fen,
    moves: legalMoves(...pairs),
    status: GameStatus.ONGOING,
    sideToMove: fen.split(" ")[1] === "b" ? Color.BLACK : Color.WHITE,
  });
}
