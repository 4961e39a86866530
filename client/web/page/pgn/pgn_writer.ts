// Writes a game with its variations as PGN.

import { GameStatus, Variant } from "../../generated/kibitz/v1/position_pb.ts";
import { parseFen, START_FEN } from "../game/fen_fields.ts";
import type { GameNode, GameTree } from "../game/game_tree.ts";

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const LINE_LENGTH = 80;

const DRAWN = new Set([
  GameStatus.STALEMATE,
  GameStatus.FIVEFOLD_REPETITION,
  GameStatus.SEVENTY_FIVE_MOVES,
  GameStatus.DEAD_POSITION,
]);

/** The result that a position at the end of a game gives; "*" where it goes on. */
export function resultOf(status: GameStatus, whiteToMove: boolean): string {
  if (status === GameStatus.CHECKMATE) return whiteToMove ? "0-1" : "1-0";
  return DRAWN.has(status) ? "1/2-1/2" : "*";
}

/** "12." before White's moves; "12..." before Black's where the number must be said again. */
export function moveNumber(tree: GameTree, ply: number, always: boolean): string {
  const { side, fullmove } = parseFen(tree.start.fen || START_FEN);
  const halfmoves = ply - 1 + (side === "b" ? 1 : 0);
  const number = fullmove + Math.floor(halfmoves / 2);
  if (halfmoves % 2 === 0) return `${number}.`;
  return always ? `${number}...` : "";
}

class Writer {
  readonly words: string[] = [];

  constructor(private readonly tree: GameTree) {}

  #comment(text: string): boolean {
    if (text) this.words.push(`{${text.replaceAll("}", ")")}}`);
    return text !== "";
  }

  #move(node: GameNode, numbered: boolean): boolean {
    const number = moveNumber(this.tree, node.ply, numbered);
    if (number) this.words.push(number);
    this.words.push(node.san, ...node.nags.map((nag) => `$${nag}`));
    return this.#comment(node.comment);
  }

  /** Writes what follows a node: the main move, then its alternatives, then what follows the main move. */
  continuation(from: GameNode, numbered: boolean): void {
    let interrupted = numbered;
    for (let node = from; node.children.length > 0; node = node.children[0]!) {
      const [main, ...others] = node.children as [GameNode, ...GameNode[]];
      interrupted = this.#move(main, interrupted);
      for (const other of others) {
        const first = this.words.length;
        this.continuation(other, this.#move(other, true));
        this.words[first] = `(${this.words[first]}`;
        this.words[this.words.length - 1] += ")";
        interrupted = true;
      }
    }
  }
}

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words.join(" ").split(" ")) {
    if (line && line.length + word.length >= LINE_LENGTH) {
      lines.push(line);
      line = word;
    } else {
      line = line ? `${line} ${word}` : word;
    }
  }
  return [...lines, line].join("\n");
}

function headersOf(tree: GameTree, result: string): Map<string, string> {
  const headers = new Map<string, string>(ROSTER.map((name) => [name, name === "Date" ? "????.??.??" : "?"]));
  for (const [name, value] of tree.headers) headers.set(name, value);
  headers.set("Result", result);
  if (tree.start.variant === Variant.CHESS960) headers.set("Variant", "Chess960");
  if (tree.start.fen) headers.set("SetUp", "1").set("FEN", tree.start.fen);
  return headers;
}

export function writePgn(tree: GameTree, result = "*"): string {
  const headers = [...headersOf(tree, result)].map(
    ([name, value]) => `[${name} "${value.replace(/(["\\])/g, "\\$1")}"]`,
  );
  const writer = new Writer(tree);
  if (tree.root.comment) writer.words.push(`{${tree.root.comment}}`);
  writer.continuation(tree.root, true);
  return `${headers.join("\n")}\n\n${wrap([...writer.words, result])}\n`;
}
