import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

import { TrustedProxies } from "../../../../client/web/gateway/client_address.ts";
import { Gateway, type GatewayOptions } from "../../../../client/web/gateway/gateway.ts";
import { listenOptions, serverOptions, watchCertificate } from "../../../../client/web/gateway/tls.ts";
import { FakeServer } from "./fake_server.ts";

let folder: string;

/** Runs openssl(1) in the folder. */
const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
const file = (name: string) => join(folder, name);

function makeAuthority(name: string): void {
  openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
  openssl("req", "-x509", "-new", "-key", `${name}.key`, "-subj", `/CN=${name}`, "-days", "2", "-out", `${name}.pem`);
}

function sign(name: string): void {
  openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", `${name}.key`);
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  openssl("req", "-new", "-key", `${name}.key`, "-subj", `/CN=${name}`, "-addext", names, "-out", `${name}.csr`);
  const signer = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-copy_extensions", "copy"];
  openssl("x509", "-req", "-in", `${name}.csr`, ...signer, "-days", "2", "-out", `${name}.pem`);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "kibitz-tls-"));
  makeAuthority("ca");
  makeAuthority("other");
  sign("server");
  sign("page");
  sign("renewed");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the files of TLS", () => {
  it("are named when they cannot be read", () => {
    expect(() => serverOptions({ ca: "/no/such" })).toThrow("the CA file /no/such cannot be read (ENOENT)");
    expect(() => listenOptions({ cert: "/no/such", key: "/no/such" })).toThrow("the certificate /no/such cannot be");
  });

  it("are named when they are of no use, and not quoted", () => {
    writeFileSync(file("secret"), "sesame");
    expect(() => serverOptions({ ca: file("secret") })).toThrow(/^the CA file \S+ holds no certificate in PEM$/);
    const mixed = { cert: file("page.pem"), key: file("server.key") };
    expect(() => listenOptions(mixed)).toThrow(/page\.pem and \S+server\.key cannot be used for TLS/);
  });
});

describe("Gateway with TLS", () => {
  let gateway: Gateway | undefined;
  let server: FakeServer | undefined;

  afterEach(async () => {
    await gateway?.stop();
    await server?.stop();
    gateway = server = undefined;
    vi.restoreAllMocks();
  });

  async function start(options: Partial<GatewayOptions> = {}, wantedKey?: string): Promise<number> {
    const tls = { cert: readFileSync(file("server.pem")), key: readFileSync(file("server.key")) };
    server = new FakeServer(tls, wantedKey);
    const address = await server.start();
    const defaults = { server: address, page: folder, allowOrigins: [], maxCallsPerClient: 8 };
    const listen = { host: "127.0.0.1", port: 0 };
    gateway = new Gateway({ ...defaults, listen, trustedProxies: new TrustedProxies(), ...options });
    return (await gateway.start()).port;
  }

  function legalMoves(port: number): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/kibitz.v1.AnalysisService/LegalMoves`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
  }

  it("calls the server by TLS, with its key", async () => {
    const response = await legalMoves(await start({ serverTls: { ca: file("ca.pem") }, key: "sesame" }, "sesame"));
    expect(response.status).toBe(200);
    expect(server!.keys).toEqual(["Bearer sesame"]);
  });

  it("calls no server that it does not trust, and tells why on standard error only", async () => {
    const words = vi.spyOn(console, "error").mockReturnValue();
    const response = await legalMoves(await start({ serverTls: { ca: file("other.pem") }, key: "sesame" }));
    expect(await response.json()).toEqual({ code: "unavailable", message: "the analysis server cannot be reached" });
    expect(server!.keys).toEqual([]);
    expect(JSON.stringify(words.mock.calls)).not.toContain("sesame");
  });

  it("does not tell browsers that its key is refused", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const response = await legalMoves(await start({ serverTls: { ca: file("ca.pem") }, key: "wrong" }, "sesame"));
    expect(response.status).toBe(503);
    expect(await response.text()).not.toMatch(/key|wrong|sesame/);
  });

  /** The name on the certificate that a browser is shown. */
  function shownName(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path: "/", ca: readFileSync(file("ca.pem")), agent: false as const };
      request(options, (response) => {
        resolve(String((response.socket as TLSSocket).getPeerCertificate().subject.CN));
        response.resume();
      })
        .once("error", reject)
        .end();
    });
  }

  it("serves browsers by TLS", async () => {
    const listenTls = { cert: file("page.pem"), key: file("page.key") };
    const port = await start({ listenTls, serverTls: { ca: file("ca.pem") } });
    expect(await shownName(port)).toBe("page");
  });

  it("shows a renewed certificate, and keeps the old one where the new one is bad", async () => {
    const listenTls = { cert: file("live.pem"), key: file("live.key") };
    const take = (name: string) => {
      copyFileSync(file(`${name}.key`), listenTls.key);
      copyFileSync(file(`${name}.pem`), listenTls.cert);
    };
    take("page");
    const words = vi.spyOn(console, "error").mockReturnValue();
    const seen: string[] = [];
    const stop = watchCertificate(listenTls, (options) => seen.push(options.cert));
    take("renewed");
    utimesSync(listenTls.cert, new Date(), new Date(Date.now() + 5000));
    await expect.poll(() => seen.at(-1), { timeout: 20_000 }).toBe(readFileSync(file("renewed.pem"), "utf8"));
    const count = seen.length;
    copyFileSync(file("other.pem"), listenTls.cert);
    utimesSync(listenTls.cert, new Date(), new Date(Date.now() + 10_000));
    await expect.poll(() => words.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(String(words.mock.calls[0])).toContain("the certificate stays as it was");
    expect(seen.length).toBe(count);
    stop();
  }, 60_000);
});
