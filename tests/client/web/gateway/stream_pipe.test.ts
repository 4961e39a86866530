import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";

import { TrustedProxies } from "../../../../client/web/gateway/client_address.ts";
import { Gateway, MAX_REQUEST_BYTES } from "../../../../client/web/gateway/gateway.ts";
import { AnalysisService } from "../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { FakeServer } from "./fake_server.ts";

describe("StreamPipe", () => {
  let server: FakeServer;
  let gateway: Gateway;
  let url: string;
  const page = mkdtempSync(join(tmpdir(), "kibitz-page-"));

  beforeEach(async () => {
    server = new FakeServer(undefined, "secret");
    await start("secret");
  });
  afterEach(async () => {
    await gateway.stop();
    await server.stop();
  });

  afterAll(() => rmSync(page, { recursive: true }));

  async function start(key: string) {
    const listen = { host: "127.0.0.1", port: 0 };
    const rest = { page, allowOrigins: [], maxCallsPerClient: 8, trustedProxies: new TrustedProxies() };
    gateway = new Gateway({ listen, server: await server.start(), key, ...rest });
    url = `http://127.0.0.1:${(await gateway.start()).port}`;
  }

  /** As the page calls. */
  const client = () =>
    createClient(AnalysisService, createConnectTransport({ baseUrl: url, httpVersion: "1.1", useBinaryFormat: true }));

  async function eventsOf(stream: AsyncIterable<{ event: { case?: string } }>): Promise<(string | undefined)[]> {
    const events = [];
    for await (const { event } of stream) events.push(event.case);
    return events;
  }

  it("passes on what the server sends, to the end", async () => {
    expect(await eventsOf(client().analyze({ limits: { depth: 1 } }))).toEqual(["update", "final"]);
    expect(server.keys).toEqual(["Bearer secret"]);
  });

  it("says what the question is about, in streams and single calls", async () => {
    const position = { moves: ["e2e4"] };
    await eventsOf(client().analyze({ position, limits: { depth: 1 } }));
    const body = JSON.stringify({ position });
    const headers = { "content-type": "application/json" };
    await fetch(`${url}/kibitz.v1.AnalysisService/LegalMoves`, { method: "POST", headers, body });
    expect(server.positionKeys).toEqual(["e00dedeb20e3dbf4", "e00dedeb20e3dbf4"]);
  });

  it("passes on what the server says is wrong, with its details", async () => {
    const error = await eventsOf(client().analyze({ position: { fen: "bad" } })).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.InvalidArgument, rawMessage: "position.fen: no king" });
    expect((error as ConnectError).details).toHaveLength(1);
  });

  it("does not tell that the server does not know the gateway", async () => {
    await gateway.stop();
    await server.stop();
    await start("wrong");
    const error = await eventsOf(client().analyze({ limits: { depth: 1 } })).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: Code.Unavailable,
      rawMessage: "the analysis server does not let this gateway in",
    });
  });

  it("says that the server is gone, and finds it when it is back", async () => {
    const stream = client().analyze({})[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ event: { case: "update" } });
    await server.stop();
    await expect(stream.next()).rejects.toMatchObject({
      code: Code.Unavailable,
      rawMessage: "the analysis server cannot be reached",
    });
    await gateway.stop();
    await start("secret");
    expect(await eventsOf(client().analyze({ limits: { depth: 1 } }))).toEqual(["update", "final"]);
  });

  it("cancels the server's work when the browser leaves", async () => {
    const abort = new AbortController();
    const stream = client().analyze({}, { signal: abort.signal })[Symbol.asyncIterator]();
    await stream.next();
    abort.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: Code.Canceled });
    await server.cancelled;
  });

  it("refuses what is too large, and what is no message", async () => {
    const large = { position: { fen: "x".repeat(MAX_REQUEST_BYTES) } };
    await expect(eventsOf(client().analyze(large))).rejects.toMatchObject({ code: Code.ResourceExhausted });
    const response = await fetch(`${url}/kibitz.v1.AnalysisService/Analyze`, {
      method: "POST",
      headers: { "content-type": "application/connect+proto", "connect-protocol-version": "1" },
      body: "no frame",
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("the request is not one plain message");
  });
});
