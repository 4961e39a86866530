import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { TrustedProxies } from "../../../../client/web/gateway/client_address.ts";
import { Gateway, type GatewayOptions, MAX_REQUEST_BYTES } from "../../../../client/web/gateway/gateway.ts";
import { FakeServer } from "./fake_server.ts";

const SERVICE = "kibitz.v1.AnalysisService";

describe("Gateway", () => {
  let server: FakeServer;
  let gateway: Gateway | undefined;
  let page: string;

  beforeEach(() => {
    server = new FakeServer();
    page = mkdtempSync(join(tmpdir(), "kibitz-page-"));
    mkdirSync(join(page, "assets"));
    writeFileSync(join(page, "index.html"), "<!doctype html>board".padEnd(2000));
    writeFileSync(join(page, "assets", "index-abc.js"), "export {}");
  });
  afterEach(async () => {
    await gateway?.stop();
    await server.stop();
    rmSync(page, { recursive: true });
  });

  async function start(options: Partial<GatewayOptions> = {}): Promise<string> {
    const listen = { host: "127.0.0.1", port: 0 };
    const address = await server.start();
    const trustedProxies = new TrustedProxies();
    const defaults = { listen, server: address, page, allowOrigins: [], maxCallsPerClient: 8, trustedProxies };
    gateway = new Gateway({ ...defaults, ...options });
    return `http://127.0.0.1:${(await gateway.start()).port}`;
  }

  function call(url: string, method: string, body: unknown = {}, headers: Record<string, string> = {}) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(`${url}/${SERVICE}/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: text,
    });
  }

  /** The answer's lines, each as soon as it is complete. */
  function linesOf(response: Response): AsyncIterator<string> {
    return createInterface({ input: Readable.fromWeb(response.body as never) })[Symbol.asyncIterator]();
  }

  it("answers plain JSON", async () => {
    const response = await call(await start(), "LegalMoves");
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ fen: "start", moves: [{ uci: "e2e4" }] });
  });

  it("answers streams in lines of JSON", async () => {
    const response = await call(await start(), "Analyze", { limits: { depth: 1 } });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual([{ update: { depth: 1 } }, { final: { bestMove: "e2e4" } }]);
  });

  it("gives the server its key, which the browser never sees", async () => {
    const response = await call(await start({ key: "secret" }), "LegalMoves", {}, { authorization: "Bearer mine" });
    expect(server.keys).toEqual(["Bearer secret"]);
    expect(JSON.stringify([...response.headers]) + (await response.text())).not.toContain("secret");
  });

  it("passes on what the server says is wrong, with its details", async () => {
    const response = await call(await start(), "LegalMoves", { position: { fen: "bad" } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_argument",
      message: "position.fen: no king",
      details: [{ type: "google.rpc.BadRequest" }],
    });
  });

  it("says that the server is gone without saying where it was", async () => {
    const url = await start();
    await server.stop();
    const response = await call(url, "LegalMoves");
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ code: "unavailable", message: "the analysis server cannot be reached" });
    server = new FakeServer();
  });

  it("says that the server is gone when it dies in the middle of a stream", async () => {
    const response = await call(await start(), "Analyze");
    const lines = linesOf(response);
    expect(JSON.parse((await lines.next()).value!)).toEqual({ update: { depth: 1 } });
    await server.stop();
    expect(JSON.parse((await lines.next()).value!)).toEqual({
      error: { code: "unavailable", message: "the analysis server cannot be reached" },
    });
    expect((await lines.next()).done).toBe(true);
    server = new FakeServer();
  });

  it("cancels the server's work when the browser leaves", async () => {
    const abort = new AbortController();
    const response = await fetch(`${await start()}/${SERVICE}/Analyze`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      signal: abort.signal,
    });
    await response.body!.getReader().read();
    abort.abort();
    await server.cancelled;
  });

  it.each(["LegalMoves", "Analyze"])("refuses a body of %s that is too large", async (method) => {
    const response = await call(await start(), method, { position: { fen: "x".repeat(MAX_REQUEST_BYTES) } });
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ code: "resource_exhausted" });
  });

  it.each(["{", '{"limits": 7}', '{"nonsense": 1}'])("refuses %s as a request for a stream", async (body) => {
    const response = await call(await start(), "Analyze", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_argument" });
  });

  /** Begins an analysis without end; resolves to the status once it is known. */
  async function analyze(url: string, signal: AbortSignal, headers: Record<string, string> = {}): Promise<number> {
    const response = await fetch(`${url}/${SERVICE}/Analyze`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: "{}",
      signal,
    });
    return response.status;
  }

  it("bounds the calls of one client", async () => {
    const url = await start({ maxCallsPerClient: 2 });
    const abort = new AbortController();
    expect(await analyze(url, abort.signal)).toBe(200);
    expect(await analyze(url, abort.signal)).toBe(200);
    expect((await call(url, "GetServerInfo")).status).toBe(429);
    abort.abort();
    await server.cancelled;
    await expect.poll(async () => (await call(url, "GetServerInfo")).status).toBe(200);
  });

  it("counts each client behind a trusted proxy by itself", async () => {
    const trustedProxies = new TrustedProxies();
    trustedProxies.add("127.0.0.1");
    const url = await start({ maxCallsPerClient: 1, trustedProxies });
    const abort = new AbortController();
    const from = (address: string) => analyze(url, abort.signal, { "x-forwarded-for": address });
    expect(await from("203.0.113.1")).toBe(200);
    expect(await from("203.0.113.2")).toBe(200);
    expect(await from("198.51.100.7, 203.0.113.1")).toBe(429);
    expect(await from("2001:db8::1")).toBe(200);
    expect(await from("2001:db8::ffff")).toBe(429);
    abort.abort();
  });

  it("believes nobody else who says for whom it calls", async () => {
    const url = await start({ maxCallsPerClient: 1 });
    const abort = new AbortController();
    expect(await analyze(url, abort.signal, { "x-forwarded-for": "203.0.113.1" })).toBe(200);
    expect(await analyze(url, abort.signal, { "x-forwarded-for": "203.0.113.2" })).toBe(429);
    abort.abort();
  });

  it("lets no page of another origin call", async () => {
    const url = await start();
    expect((await call(url, "LegalMoves", {}, { origin: "https://evil.example" })).status).toBe(403);
    expect((await call(url, "LegalMoves", {}, { origin: url })).status).toBe(200);
    expect(server.keys).toHaveLength(1);
  });

  it("lets the pages of an allowed origin call", async () => {
    const url = await start({ allowOrigins: ["https://site.example"] });
    const headers = { origin: "https://site.example", "access-control-request-method": "POST" };
    const preflight = await fetch(`${url}/${SERVICE}/LegalMoves`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://site.example");
    const response = await call(url, "LegalMoves", {}, { origin: "https://site.example" });
    expect(response.headers.get("access-control-allow-origin")).toBe("https://site.example");
    expect(response.headers.get("vary")).toContain("origin");
  });

  it("refuses a foreign host name on loopback", async () => {
    const { port } = new URL(await start());
    const status = await new Promise<number>((resolve) => {
      const options = { port, host: "127.0.0.1", path: "/", headers: { host: "rebound.example" } };
      httpRequest(options, (response) => resolve(response.resume().statusCode!)).end();
    });
    expect(status).toBe(421);
  });

  it("serves the page with headers that allow no foreign and no inline script", async () => {
    const response = await fetch(await start());
    expect(await response.text()).toMatch(/^<!doctype html>board/);
    const policy = response.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("compresses, and lets browsers keep what never changes", async () => {
    const url = await start();
    const html = await fetch(url, { headers: { "accept-encoding": "br" } });
    expect(html.headers.get("content-encoding")).toBe("br");
    expect(html.headers.get("cache-control")).toBe("no-cache");
    const script = await fetch(`${url}/assets/index-abc.js`);
    expect(script.headers.get("content-type")).toContain("text/javascript");
    expect(script.headers.get("cache-control")).toContain("immutable");
    const again = await fetch(url, { headers: { "if-none-match": html.headers.get("etag")! } });
    expect(again.status).toBe(304);
  });

  it.each(["/nothing", "/assets/../../secret", "/%2e%2e/secret", "/kibitz.v1.AnalysisService/Nothing"])(
    "has nothing at %s",
    async (path) => expect((await fetch((await start()) + path)).status).toBe(404),
  );

  it("serves files to readers only", async () => {
    expect((await fetch(await start(), { method: "POST" })).status).toBe(405);
  });
});
