// Turns the moves of a PGN into a game, by the legal moves that the server lists at each ply.

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import { type GameNode, type GameStart, GameTree, movesTo } from "../game/game_tree.ts";
import type { Positions } from "../game/positions.ts";
import { explainMismatch, matchMove } from "../game/san_match.ts";
import { type PgnGame, type PgnMove, TextProblem } from "./pgn_reader.ts";

function startOf(game: PgnGame): GameStart {
  const chess960 = /960|fischer/i.test(game.headers.get("Variant") ?? "");
  return { fen: game.headers.get("FEN") ?? "", variant: chess960 ? Variant.CHESS960 : Variant.STANDARD };
}

/** Throws a TextProblem for the first move that is not one, and what the service throws for a bad FEN header. */
export async function resolvePgn(game: PgnGame, positions: Positions, signal?: AbortSignal): Promise<GameTree> {
  const tree = new GameTree(startOf(game), game.headers);
  tree.root.comment = game.comment;

  const resolve = async (from: GameNode, moves: readonly PgnMove[]): Promise<void> => {
    let node = from;
    for (const move of moves) {
      const facts = await positions.get(tree.start, movesTo(node), signal);
      const result = matchMove(move.san, facts.moves);
      if (!("move" in result)) throw new TextProblem(explainMismatch(move.san, result), move.line, move.column);
      const next = tree.play(node, result.move.uci, result.move.san);
      next.comment = move.comment;
      next.nags = move.nags;
      for (const variation of move.variations) await resolve(node, variation);
      node = next;
    }
    await positions.get(tree.start, movesTo(node), signal);
  };

  await resolve(tree.root, game.moves);
  return tree;
}
