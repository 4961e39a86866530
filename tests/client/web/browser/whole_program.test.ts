// The gateway as a program, with a server of its own.

import { afterEach, describe, expect, it } from "vitest";

import { ask, programs, startGateway, stopProcess, type TestGateway } from "./world.ts";

describe.skipIf(!programs.kibitzd)("WebProgram", () => {
  let gateway: TestGateway;

  afterEach(() => stopProcess(gateway.child));

  const answers = () =>
    ask(gateway.url, "GetServerInfo").then(
      (info) => "version" in info,
      () => false,
    );

  it.each(["SIGINT", "SIGTERM"] as const)("ends on %s, with its server and all calls", async (signal) => {
    gateway = await startGateway(["--kibitzd", programs.kibitzd]);
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
    gateway = await startGateway(["--kibitzd", programs.kibitzd]);
    const address = new URL(gateway.url).host;
    const second = startGateway(["--kibitzd", programs.kibitzd, "--listen", address]);
    await expect(second).rejects.toThrow("ended with 1");
  });
});
