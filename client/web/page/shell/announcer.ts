// Words for screen readers: spoken politely, one after the other.

import { signal } from "@preact/signals";

const PIECES: Record<string, string> = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };

/** "knight takes f3, check" for Nxf3+. */
export function speakSan(san: string): string {
  const ending = san.endsWith("#") ? ", checkmate" : san.endsWith("+") ? ", check" : "";
  const bare = san.replace(/[+#]$/, "");
  if (bare === "O-O") return `castles short${ending}`;
  if (bare === "O-O-O") return `castles long${ending}`;
  const words = bare
    .replace(/^[KQRBN]/, (letter) => `${PIECES[letter]} `)
    .replace("x", " takes ")
    .replace(/=([QRBN])/, (_, letter: string) => ` becomes ${PIECES[letter]}`);
  return words.replace(/\s+/g, " ").trim() + ending;
}

export class Announcer {
  /** The number makes equal words in a row two announcements. */
  readonly words = signal<{ text: string; number: number }>({ text: "", number: 0 });

  say(text: string): void {
    this.words.value = { text, number: this.words.peek().number + 1 };
  }
}
