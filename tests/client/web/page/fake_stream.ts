// A stream that a test feeds, and that ends like a real one when it is cancelled.

import { Code, ConnectError } from "@connectrpc/connect";

export class FakeStream<T> {
  readonly #events: (T | Error | "end")[] = [];
  #wake = () => {};

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener("abort", () => this.push(new ConnectError("cancelled", Code.Canceled)));
  }

  push(event: T | Error): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#events.push("end");
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const event = this.#events.shift();
      if (event === "end") return;
      if (event instanceof Error) throw event;
      if (event !== undefined) yield event;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
