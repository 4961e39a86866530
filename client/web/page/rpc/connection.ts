// Whether the server answers, and what it allows. While it does not, it is asked again and again.

import { signal } from "@preact/signals";

import type { GetServerInfoResponse } from "../../generated/kibitz/v1/analysis_pb.ts";
import { backoffMs, wait } from "./backoff.ts";
import { describeFailure } from "./failure.ts";

export type ConnectionState = { kind: "connecting" } | { kind: "ready" } | { kind: "gone"; attempt: number };

export class Connection {
  readonly state = signal<ConnectionState>({ kind: "connecting" });
  readonly info = signal<GetServerInfoResponse | undefined>(undefined);
  #asking = false;

  constructor(
    private readonly ask: () => Promise<GetServerInfoResponse>,
    private readonly forever: AbortSignal = new AbortController().signal,
  ) {}

  /** Asks until the server answers. Called at the start, and by whoever notices that it is gone. */
  async establish(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    try {
      for (let attempt = 1; !(await this.#try()); attempt++) {
        this.state.value = { kind: "gone", attempt };
        await wait(backoffMs(attempt - 1), this.forever);
      }
    } finally {
      this.#asking = false;
    }
  }

  async #try(): Promise<boolean> {
    try {
      this.info.value = await this.ask();
      this.state.value = { kind: "ready" };
      return true;
    } catch (error) {
      return describeFailure(error).kind === "unsupported";
    }
  }

  /** Asks once more how the server does, if it answers at all. */
  async refresh(): Promise<void> {
    if (this.#asking || this.state.value.kind !== "ready") return;
    try {
      this.info.value = await this.ask();
    } catch (error) {
      // A server that is busy, or a gateway that has had enough, is not gone.
      if (describeFailure(error).kind === "gone") this.reportGone();
    }
  }

  /** Resolves when the server answers. */
  ready(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.state.subscribe((state) => {
        if (state.kind !== "ready") return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  reportGone(): void {
    if (this.state.value.kind === "ready") this.state.value = { kind: "gone", attempt: 0 };
    void this.establish().catch(() => {});
  }
}
