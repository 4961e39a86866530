import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { RestartPolicy } from "../../../../client/web/gateway/restart_policy.ts";
import { ServerProcess } from "../../../../client/web/gateway/server_process.ts";

describe("ServerProcess", () => {
  let folder: string;
  let program: string;
  let server: ServerProcess;
  let givenUp: string[];

  /** A program that notes its arguments and then does as told. */
  function write(script: string, restarts?: RestartPolicy): void {
    program = join(folder, "kibitzd");
    writeFileSync(program, `#!/bin/bash\necho "$*" >>"${folder}/calls"\n${script}\n`);
    chmodSync(program, 0o755);
    server = new ServerProcess(program, join(folder, "data", "results.db"), (reason) => givenUp.push(reason), restarts);
  }

  const calls = () => readFileSync(join(folder, "calls"), "utf8").trim().split("\n");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kibitz-process-"));
    givenUp = [];
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const listening = 'echo "listening on 127.0.0.1:4321"\nexec sleep 60';

  it("gives the address that the server prints", async () => {
    write(listening);
    expect(await server.start()).toEqual({ host: "127.0.0.1", port: 4321 });
    expect(calls()[0]).toContain("--listen 127.0.0.1:0");
    expect(calls()[0]).toContain("--end-with-parent");
  });

  it("makes the folder of the store", async () => {
    write(listening);
    await server.start();
    expect(calls()[0]).toContain(`--store ${folder}/data/results.db`);
    expect(existsSync(join(folder, "data"))).toBe(true);
  });

  it("says why there is no server", async () => {
    write("exit 3");
    await expect(server.start()).rejects.toThrow("kibitzd ended (exit code 3)");
    expect(givenUp).toEqual([]);
  });

  it("starts a server that died again, at the same address", async () => {
    write(listening);
    await server.start();
    process.kill(server.pid!, "SIGKILL");
    await expect.poll(calls).toHaveLength(2);
    expect(calls()[1]).toContain("--listen 127.0.0.1:4321");
  });

  it("starts a server again that dies now and then, however often", async () => {
    const restarts = new RestartPolicy({ minDelayMs: 1, healthyMs: 0 });
    const starts = vi.spyOn(restarts, "listening");
    write(listening, restarts);
    await server.start();
    for (let deaths = 1; deaths <= 10; deaths++) {
      process.kill(server.pid!, "SIGKILL");
      await expect.poll(() => starts.mock.calls.length).toBe(deaths + 1);
    }
    expect(givenUp).toEqual([]);
  });

  it("gives up on a server that keeps dying", async () => {
    // The first is killed only when it is known to listen; those after it end by themselves.
    write(`(($(wc -l <"${folder}/calls") > 1)) && exit 3\n${listening}`, new RestartPolicy({ minDelayMs: 1 }));
    await server.start();
    process.kill(server.pid!, "SIGKILL");
    await expect
      .poll(() => givenUp)
      .toEqual(["kibitzd ended (exit code 3) 6 times in a row, never up for 60 s: giving up"]);
    expect(calls()).toHaveLength(6);
  });

  it("leaves no server behind", async () => {
    write(listening);
    await server.start();
    const pid = server.pid!;
    await server.stop();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(calls()).toHaveLength(1);
  });
});
