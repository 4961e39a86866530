// A real server, a real gateway and a real browser for the tests that need them.

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** The built programs; without them there is nothing to test. */
export const programs = {
  kibitzd: process.env.KIBITZD ?? "",
  site: process.env.KIBITZ_SITE ?? "",
};

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a program and gives the first line it prints. */
async function spawnPrinting(program: string, args: string[], environment: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}`)));
  });
  return { child, line };
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return gone;
}

/** A kibitzd that can be killed and started again at the same address. */
export class TestServer {
  #child?: ChildProcess;
  address = "127.0.0.1:0";

  static async start(): Promise<TestServer> {
    const server = new TestServer();
    await server.restart();
    return server;
  }

  async restart(): Promise<void> {
    const flags = ["--log-level", "off", "--hash-mb", "16", "--workers", "1", "--grace-ms", "100"];
    const { child, line } = await spawnPrinting(programs.kibitzd, ["--listen", this.address, ...flags]);
    this.#child = child;
    this.address = line.replace("listening on ", "");
  }

  get pid(): number {
    return this.#child!.pid!;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.#child) await stopProcess(this.#child, signal);
  }
}

export interface TestGateway {
  child: ChildProcess;
  url: string;
}

export async function startGateway(flags: string[], environment: NodeJS.ProcessEnv = {}): Promise<TestGateway> {
  const args = [join(programs.site, "gateway.js"), "--listen", "127.0.0.1:0", "--page", join(programs.site, "page")];
  const { child, line } = await spawnPrinting(process.execPath, [...args, ...flags], environment);
  return { child, url: line };
}

/** Asks the gateway in plain JSON. */
export async function ask(url: string, method: string, body: object = {}): Promise<Record<string, never>> {
  const response = await fetch(`${url}kibitz.v1.AnalysisService/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, never>;
}

/** Everything at once: server, gateway, browser. */
export class World {
  #context?: BrowserContext;
  #problems: string[] = [];

  private constructor(
    readonly server: TestServer,
    readonly gateway: TestGateway,
    private readonly browser: Browser,
  ) {}

  static async start(): Promise<World> {
    const server = await TestServer.start();
    const gateway = await startGateway(["--server", server.address]);
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: CHROMIUM_FLAGS,
    });
    return new World(server, gateway, browser);
  }

  /** The browser of this test: it shares nothing with those of other tests. */
  async context(): Promise<BrowserContext> {
    this.#context ??= await this.browser.newContext({
      viewport: { width: 1280, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    return this.#context;
  }

  /** Opens an empty tab. What the page complains about is told by endTest. */
  async newPage(): Promise<Page> {
    const page = await (await this.context()).newPage();
    page.setDefaultTimeout(20_000);
    page.on("pageerror", (error) => this.#problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|net::ERR_/.test(message.text())) {
        this.#problems.push(message.text());
      }
    });
    return page;
  }

  /** Opens the board. */
  async open(hash = ""): Promise<Page> {
    const page = await this.newPage();
    await page.goto(this.gateway.url + hash);
    await page
      .getByTestId("status")
      .getByText(/to move|wins|Draw/)
      .waitFor();
    return page;
  }

  /** Closes what a test has opened; returns what its pages complained about. */
  async endTest(): Promise<string[]> {
    await this.#context?.close();
    this.#context = undefined;
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await stopProcess(this.gateway.child);
    await this.server.stop();
  }
}
