// Games from outside: a FEN, a PGN, the moves of a link. The board changes only when all of it is good.

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import { readPgn, TextProblem } from "../pgn/pgn_reader.ts";
import { resolvePgn } from "../pgn/pgn_resolver.ts";
import { describeFailure } from "../rpc/failure.ts";
import type { Game } from "./game.ts";
import { GameTree, lineThrough } from "./game_tree.ts";
import type { Positions } from "./positions.ts";
import type { SharedState } from "./share_link.ts";

/** What is wrong with a text that was given, for people. */
export class ImportProblem extends Error {
  constructor(
    message: string,
    /** Where in the text, if it is known; from 1. */
    readonly place?: { line: number; column: number },
    /** It is not the text's fault: the server does not answer. */
    readonly gone = false,
  ) {
    super(message);
  }
}

const LOOKS_LIKE_FEN = /^\s*[1-8pnbrqkPNBRQK]+(\/[1-8pnbrqkPNBRQK]+)+(\s|$)/;
const MAX_CHARACTERS = 500_000;

export class GameImport {
  constructor(
    private readonly game: Game,
    private readonly positions: Positions,
  ) {}

  /** Takes a FEN or a PGN, whichever the text is. */
  async load(text: string, variant = Variant.STANDARD): Promise<void> {
    if (text.length > MAX_CHARACTERS) throw new ImportProblem("The text is too long.");
    if (text.trim() === "") throw new ImportProblem("There is nothing here: paste a FEN or a PGN.");
    await (LOOKS_LIKE_FEN.test(text) ? this.loadFen(text.trim(), variant) : this.#loadPgn(text));
  }

  async loadFen(fen: string, variant: Variant): Promise<void> {
    const facts = await explained(this.game.check({ fen, variant }), "The FEN is not good");
    await this.positions.get({ fen: facts.fen, variant }, []);
    this.game.open(new GameTree({ fen: facts.fen, variant }));
  }

  async #loadPgn(text: string): Promise<void> {
    const tree = await explained(
      (async () => resolvePgn(readPgn(text), this.positions))(),
      "The PGN's FEN is not good",
    );
    this.game.open(tree, lineThrough(tree.root).at(-1));
  }

  async loadShared(state: SharedState): Promise<void> {
    const tree = new GameTree(state.start);
    let node = tree.root;
    let shown = tree.root;
    for (const uci of state.moves) {
      const before = state.moves.slice(0, node.ply);
      const facts = await explained(this.positions.get(state.start, before), "The link's position is not good");
      const move = facts.moves.find((legal) => legal.uci === uci);
      if (!move) throw new ImportProblem(`The link's move ${node.ply + 1}, “${uci}”, is not legal.`);
      node = tree.play(node, move.uci, move.san);
      if (node.ply === state.ply) shown = node;
    }
    await explained(this.positions.get(state.start, state.moves), "The link's position is not good");
    this.game.open(tree, shown);
  }

  reset(): void {
    this.game.open(new GameTree());
  }
}

async function explained<T>(work: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TextProblem) throw new ImportProblem(error.message, error);
    const failure = describeFailure(error);
    if (failure.kind === "gone") throw new ImportProblem(failure.message, undefined, true);
    throw new ImportProblem(`${otherwise}: ${failure.message}.`);
  }
}
