// Bounds how many calls run at once, in all and from one client.

export class CallLimiter {
  readonly #calls = new Map<string, number>();
  #total = 0;

  constructor(
    private readonly perClient: number,
    private readonly inAll: number,
  ) {}

  /** Returns what ends the call's turn, to be called once, or nothing when there is no room. */
  enter(client: string): (() => void) | undefined {
    const running = this.#calls.get(client) ?? 0;
    if (running >= this.perClient || this.#total >= this.inAll) return undefined;
    this.#calls.set(client, running + 1);
    this.#total++;
    return () => this.#leave(client);
  }

  #leave(client: string): void {
    const left = this.#calls.get(client)! - 1;
    if (left > 0) this.#calls.set(client, left);
    else this.#calls.delete(client);
    this.#total--;
  }
}
