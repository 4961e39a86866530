// The games of a PGN text, apart: who plays, and the text of each. What is in them is read when one is chosen.

export interface ListedGame {
  /** Who plays, where and when, and how it ended. */
  title: string;
  text: string;
}

const HEADER = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/;

function titleOf(headers: Map<string, string>, number: number): string {
  const known = (name: string) => {
    const value = headers.get(name) ?? "";
    return /^[?.]*$/.test(value) ? "" : value;
  };
  const players = [known("White") || "White", known("Black") || "Black"].join(" – ");
  const place = [known("Event"), known("Date").split(".")[0]].filter(Boolean).join(" ");
  const result = known("Result");
  return [`${number}. ${players}`, place, result === "*" ? "" : result].filter(Boolean).join(", ");
}

/** Cuts a text where headers begin anew. Brackets inside comments are nobody's headers. */
export function listGames(text: string): ListedGame[] {
  const games: ListedGame[] = [];
  let lines: string[] = [];
  let headers = new Map<string, string>();
  let inMoves = false;
  let inComment = false;

  const close = () => {
    if (headers.size > 0 || lines.some((line) => line.trim() !== "")) {
      games.push({ title: titleOf(headers, games.length + 1), text: lines.join("\n") });
    }
    [lines, headers, inMoves] = [[], new Map(), false];
  };

  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)) {
    const header = inComment ? null : HEADER.exec(line);
    if (header && inMoves) close();
    if (header) headers.set(header[1]!, header[2]!.replace(/\\(.)/g, "$1"));
    else if (line.trim() !== "") inMoves = true;
    lines.push(line);
    if (header || (!inComment && line.startsWith("%"))) continue;
    for (const sign of line.matchAll(/[{};]/g)) {
      if (!inComment && sign[0] === ";") break;
      inComment = sign[0] === "{" || (inComment && sign[0] !== "}");
    }
  }
  close();
  return games;
}
