// The kibitzd that a gateway without --server starts for itself.

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { type Address, formatAddress, parseAddress } from "./flags.ts";

const RESTARTS = 5;
const RESTART_DELAY_MS = 500;

/** A server that is started again at the same address when it dies, a few times. */
export class ServerProcess {
  #child?: ChildProcess;
  #address: Address = { host: "127.0.0.1", port: 0 };
  #restarts = 0;
  #stopping = false;

  /** `onGivenUp` is called with the reason when the server has died too often. */
  constructor(
    private readonly program: string,
    private readonly onGivenUp: (reason: string) => void,
  ) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves to the address once the server listens. */
  async start(): Promise<Address> {
    const flags = ["--listen", formatAddress(this.#address), "--log-level", "warn", "--end-with-parent"];
    const child = spawn(this.program, flags, { stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    const exited = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => reject(new Error(`kibitzd ended (${signal ?? `exit code ${code}`})`)));
    });
    this.#address = parseAddress(await Promise.race([firstAddress(child), exited]));
    exited.catch((error: Error) => this.#died(error));
    return this.#address;
  }

  #died(error: Error): void {
    if (this.#stopping) return;
    if (++this.#restarts > RESTARTS) return this.onGivenUp(error.message);
    console.error(`kibitz web: ${error.message}; starting it again`);
    setTimeout(() => {
      if (!this.#stopping) this.start().catch((failure: Error) => this.#died(failure));
    }, RESTART_DELAY_MS);
  }

  /** Ends the server in good order; resolves when it is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await gone;
  }
}

async function firstAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /^listening on (\S+)$/.exec(line);
    if (match) return match[1]!;
  }
  return new Promise(() => {}); // the exit tells
}
