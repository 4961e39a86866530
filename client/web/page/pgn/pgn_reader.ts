// Reads PGN as text: headers, moves, comments, variations. What the moves mean is resolved elsewhere.

export interface PgnMove {
  san: string;
  line: number;
  column: number;
  comment: string;
  nags: number[];
  /** Alternatives to this move. */
  variations: PgnMove[][];
}

export interface PgnGame {
  headers: Map<string, string>;
  moves: PgnMove[];
  result: string;
  /** What stands before the first move. */
  comment: string;
}

/** What is wrong with a text, and where: lines and columns count from 1. */
export class TextProblem extends Error {
  constructor(
    readonly what: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`Line ${line}, column ${column}: ${what}.`);
  }
}

const MAX_NESTED = 50;
/** All variations included. Each move is a question to the server. */
const MAX_MOVES = 5000;
const RESULT = /(?:1-0|0-1|1\/2-1\/2|\*)(?=[\s(){};[]|$)/y;
const MOVE_NUMBER = /\d+(?:\.+|(?=[\s…]|$))…?/y;
const SUFFIX_NAGS: Record<string, number> = { "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6 };

class Reader {
  #at = 0;
  #moves = 0;
  /** The line that was looked up last, and where it begins: places are mostly asked for in their order. */
  #line = { number: 1, begin: 0 };

  constructor(private readonly text: string) {}

  /** Line and column, from 1. */
  #place(at: number): { line: number; column: number } {
    if (at < this.#line.begin) this.#line = { number: 1, begin: 0 };
    for (;;) {
      const end = this.text.indexOf("\n", this.#line.begin);
      if (end < 0 || end >= at) break;
      this.#line = { number: this.#line.number + 1, begin: end + 1 };
    }
    return { line: this.#line.number, column: at - this.#line.begin + 1 };
  }

  problem(what: string, at = this.#at): TextProblem {
    const { line, column } = this.#place(at);
    return new TextProblem(what, line, column);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found) this.#at += found.length;
    return found;
  }

  get #next(): string {
    return this.text[this.#at] ?? "";
  }

  /** Blanks, and lines that begin with %, which are for other programs. */
  #skipBlanks(): void {
    this.#match(/(?:[\s\uFEFF]|(?<=^|\n)%[^\n]*)+/y);
  }

  readHeaders(): Map<string, string> {
    const headers = new Map<string, string>();
    for (this.#skipBlanks(); this.#next === "["; this.#skipBlanks()) {
      const from = this.#at;
      const header = this.#match(/\[\s*\w+\s+"(?:[^"\\\n]|\\.)*"\s*\]/y);
      if (!header) throw this.problem('a header should look like [White "Name"]', from);
      const [, name, value] = /\[\s*(\w+)\s+"(.*)"/s.exec(header)!;
      headers.set(name!, value!.replace(/\\(.)/g, "$1"));
    }
    return headers;
  }

  #readComment(): string {
    const from = this.#at;
    const comment = this.#next === ";" ? this.#match(/;[^\n]*/y) : this.#match(/\{[^}]*\}/y);
    if (comment === undefined) throw this.problem("this comment is not closed by }", from);
    return comment
      .replace(/^[;{]|\}$/g, "")
      .replace(/\s+/g, " ")
      .trim();
  }

  #readMove(): PgnMove {
    const from = this.#at;
    const word = this.#match(/[^\s(){};$[\]]+/y);
    if (!word) throw this.problem(`“${this.#next}” is out of place`);
    const [, san, suffix] = /^(.*?)([!?]*)$/s.exec(word)!;
    if (!/^[A-Za-z0]/.test(san!)) throw this.problem(`“${word}” is not a move`, from);
    if (++this.#moves > MAX_MOVES) throw this.problem(`there are more than ${MAX_MOVES} moves`, from);
    const { line, column } = this.#place(from);
    const nag = SUFFIX_NAGS[suffix!];
    return { san: san!, line, column, comment: "", nags: nag ? [nag] : [], variations: [] };
  }

  /** Reads moves up to a result, the end, the next game or, inside a variation, its closing parenthesis. */
  readMoves(depth: number, game: PgnGame): PgnMove[] {
    const moves: PgnMove[] = [];
    const opened = this.#at - 1;
    for (;;) {
      this.#skipBlanks();
      const last = moves.at(-1);
      if (this.#next === "") {
        if (depth > 0) throw this.problem("this variation is not closed by )", opened);
        return moves;
      }
      if (this.#next === "{" || this.#next === ";") {
        const comment = this.#readComment();
        const target = last ?? (depth === 0 ? game : undefined);
        if (target) target.comment = [target.comment, comment].filter(Boolean).join(" ");
      } else if (this.#next === "(") {
        this.#readVariation(last, depth, game);
      } else if (this.#next === ")") {
        if (depth === 0) throw this.problem("this ) closes nothing");
        this.#at++;
        return moves;
      } else if (this.#next === "[") {
        if (depth > 0) throw this.problem("a header cannot stand in a variation");
        return moves;
      } else if (this.#next === "$") {
        this.#readNag(last);
      } else {
        const result = this.#match(RESULT);
        if (result && depth === 0) game.result = result;
        if (result && depth === 0) return moves;
        if (!result && !this.#match(MOVE_NUMBER)) moves.push(this.#readMove());
      }
    }
  }

  #readVariation(last: PgnMove | undefined, depth: number, game: PgnGame): void {
    if (!last) throw this.problem("there is no move that this variation could replace");
    if (depth >= MAX_NESTED) throw this.problem(`variations are nested more than ${MAX_NESTED} deep`);
    this.#at++;
    const variation = this.readMoves(depth + 1, game);
    if (variation.length > 0) last.variations.push(variation);
  }

  #readNag(last: PgnMove | undefined): void {
    const nag = this.#match(/\$\d{1,3}/y);
    if (!nag) throw this.problem("$ wants a number");
    last?.nags.push(Number(nag.slice(1)));
  }
}

/** Reads the first game of the text. Throws a TextProblem. */
export function readPgn(text: string): PgnGame {
  const reader = new Reader(text.replace(/\r\n?/g, "\n"));
  const game: PgnGame = { headers: reader.readHeaders(), moves: [], result: "*", comment: "" };
  game.moves = reader.readMoves(0, game);
  if (game.moves.length === 0 && game.headers.size === 0) throw reader.problem("there is no game here");
  return game;
}
