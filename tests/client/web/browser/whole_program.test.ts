// The gateway as a program, with a server of its own.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { ask, programs, startGateway, stopProcess, type TestGateway } from "./world.ts";

describe.skipIf(!programs.kibitzd)("WebProgram", () => {
  let gateway: TestGateway;
  let folder: string;

  const start = (...flags: string[]) =>
    startGateway(["--kibitzd", programs.kibitzd, ...flags], { XDG_DATA_HOME: folder });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kibitz-web-"));
  });
  afterEach(async () => {
    await stopProcess(gateway.child);
    rmSync(folder, { recursive: true });
  });

  const answers = () =>
    ask(gateway.url, "GetServerInfo").then(
      (info) => "version" in info,
      () => false,
    );

  it.each(["SIGINT", "SIGTERM"] as const)("ends on %s, with its server and all calls", async (signal) => {
    gateway = await start();
    expect(await answers()).toBe(true);
    const stream = await fetch(`${gateway.url}kibitz.v1.AnalysisService/Analyze`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"limits": {"infinite": true}}',
    });
    await stream.body!.getReader().read();
    // The gateway waits for its server, so an end in good order is the end of both.
    expect(await stopProcess(gateway.child, signal)).toBe(0);
    expect(await answers()).toBe(false);
  });

  it("fails where its port is taken, and leaves no server behind", async () => {
    gateway = await start();
    const address = new URL(gateway.url).host;
    const second = start("--listen", address);
    await expect(second).rejects.toThrow("ended with 1");
  });

  it("stores what its server finds, for the next time", async () => {
    const analyze = async (cache: object) => {
      const response = await fetch(`${gateway.url}kibitz.v1.AnalysisService/Analyze`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ limits: { depth: 8 }, cache }),
      });
      return response.text();
    };
    gateway = await start();
    expect(await analyze({})).toContain("SOURCE_FRESH");
    await stopProcess(gateway.child);
    gateway = await start();
    expect(await analyze({ policy: "POLICY_ONLY" })).toContain("SOURCE_STORED");
  });
});
