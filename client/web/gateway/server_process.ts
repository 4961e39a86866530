// The kibitzd that a gateway without --server starts for itself.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

import { type Address, formatAddress, parseAddress } from "./flags.ts";
import { RestartPolicy } from "./restart_policy.ts";

/** A server that is started again at the same address when it dies, until it keeps dying. */
export class ServerProcess {
  #child?: ChildProcess;
  #address: Address = { host: "127.0.0.1", port: 0 };
  #stopping = false;

  /** `store` is its file of results, or empty; `onGivenUp` is called with the reason when the server keeps dying. */
  constructor(
    private readonly program: string,
    private readonly store: string,
    private readonly onGivenUp: (reason: string) => void,
    private readonly restarts = new RestartPolicy(),
  ) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves to the address once the server listens. */
  async start(): Promise<Address> {
    const silence = ["--log-level", "warn", "--metrics", "off"];
    const flags = ["--listen", formatAddress(this.#address), "--store", this.store, ...silence, "--end-with-parent"];
    // What cannot be made the server tells, and goes on without.
    if (this.store) await mkdir(dirname(this.store), { recursive: true }).catch(() => {});
    const child = spawn(this.program, flags, { stdio: ["ignore", "pipe", "inherit"], env: plainEnvironment() });
    this.#child = child;
    const exited = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => reject(new Error(`kibitzd ended (${signal ?? `exit code ${code}`})`)));
    });
    this.#address = parseAddress(await Promise.race([firstAddress(child), exited]));
    this.restarts.listening();
    exited.catch((error: Error) => this.#died(error));
    return this.#address;
  }

  #died(error: Error): void {
    if (this.#stopping) return;
    const delay = this.restarts.died();
    if (delay === undefined) return this.onGivenUp(`${error.message} ${this.restarts.describe()}: giving up`);
    console.error(`kibitz web: ${error.message}; starting it again in ${delay / 1000} s`);
    setTimeout(() => {
      if (!this.#stopping) this.start().catch((failure: Error) => this.#died(failure));
    }, delay);
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

/** It is called on this machine, in plaintext and without a key, whatever the environment has for other servers. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env };
  for (const name of ["CERT", "KEY", "CLIENT_CA"]) delete environment[`KIBITZ_TLS_${name}`];
  delete environment.KIBITZ_KEYS;
  return environment;
}

async function firstAddress(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const match = /^listening on (\S+)$/.exec(line);
    if (match) return match[1]!;
  }
  return new Promise(() => {}); // the exit tells
}
