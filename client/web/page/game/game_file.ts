// A file of games that was opened or dropped on the page: one game is shown at once, of many one is chosen.

import { computed, signal } from "@preact/signals";

import { listGames, type ListedGame } from "../pgn/pgn_games.ts";

const MAX_BYTES = 50_000_000;
/** More are not drawn: whoever looks for one of a thousand says what he looks for. */
export const MAX_SHOWN = 100;

/** What is not UTF-8 is what older programs write. */
async function textOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

export class GameFile {
  readonly games = signal<readonly ListedGame[]>([]);
  readonly name = signal("");
  readonly filter = signal("");
  readonly problem = signal("");
  /** Grows with each file that is opened. */
  readonly opened = signal(0);
  readonly matching = computed(() => {
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return this.games.value.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  });

  /** `show` puts a game on the board, and throws what is wrong with it. */
  constructor(private readonly show: (text: string) => Promise<void>) {}

  async open(file: File): Promise<void> {
    this.problem.value = this.filter.value = "";
    this.games.value = [];
    this.name.value = file.name;
    this.opened.value++;
    if (file.size > MAX_BYTES) {
      this.problem.value = `${file.name} is larger than ${MAX_BYTES / 1_000_000} MB: kibitz review reads files of any size.`;
      return;
    }
    this.games.value = listGames(await textOf(file));
    if (this.games.value.length === 0) this.problem.value = `There is no game in ${file.name}.`;
    if (this.games.value.length === 1) await this.choose(this.games.value[0]!);
  }

  async choose(game: ListedGame): Promise<void> {
    this.problem.value = "";
    try {
      await this.show(game.text);
    } catch (error) {
      this.problem.value = (error as Error).message;
    }
  }
}
