import { describe, expect, it } from "vitest";

import {
  type Flags,
  formatAddress,
  isLoopback,
  parseAddress,
  parseFlags,
} from "../../../../client/web/gateway/flags.ts";

const flags = (...args: string[]) => parseFlags(["--server", "127.0.0.1:1", ...args], {});

describe("parseAddress", () => {
  it.each(["127.0.0.1:8080", "localhost:0", "[::1]:65535"])("reads %s", (text) => {
    expect(formatAddress(parseAddress(text))).toBe(text);
  });

  it.each(["8080", ":8080", "host:", "host:65536", "::1:80", "[::1]", "a b:1", "host:80x"])("refuses %s", (text) => {
    expect(() => parseAddress(text)).toThrow(`'${text}' is not HOST:PORT`);
  });
});

describe("isLoopback", () => {
  it("knows this machine's own addresses", () => {
    expect(["localhost", "127.0.0.1", "127.8.9.1", "::1"].map(isLoopback)).toEqual([true, true, true, true]);
    const others = ["0.0.0.0", "::", "example.org", "128.0.0.1", "127.example.org"];
    expect(others.map(isLoopback)).toEqual(others.map(() => false));
  });
});

describe("parseFlags", () => {
  it("has defaults", () => {
    expect(flags()).toMatchObject({
      listen: { host: "127.0.0.1", port: 8080 },
      allowOrigins: [],
      maxCallsPerClient: 32,
    });
  });

  it("takes the server from the environment, and rather from the command line", () => {
    expect(parseFlags([], { KIBITZ_SERVER: "a:1" })).toMatchObject({
      server: { host: "a", port: 1 },
    });
    expect(parseFlags(["--server", "b:2"], { KIBITZ_SERVER: "a:1" })).toMatchObject({ server: { host: "b", port: 2 } });
  });

  it("calls the server by TLS where that is said, by flags or by the environment", () => {
    expect(flags()).toMatchObject({
      serverTls: undefined,
      insecure: false,
      listenTls: undefined,
    });
    expect(flags("--tls")).toMatchObject({ serverTls: {} });
    expect(flags("--tls-ca", "ca.pem", "--tls-server-name", "name")).toMatchObject({
      serverTls: { ca: "ca.pem", serverName: "name" },
    });
    const environment = {
      KIBITZ_SERVER: "a:1",
      KIBITZ_TLS_CA: "ca.pem",
      KIBITZ_KEY_FILE: "key",
    };
    expect(parseFlags([], environment)).toMatchObject({
      serverTls: { ca: "ca.pem" },
      keyFile: "key",
    });
    expect(parseFlags(["--kibitzd", "x"], { KIBITZ_TLS_CA: "ca.pem" })).toMatchObject({ serverTls: undefined });
  });

  it("serves by TLS with a certificate of its own", () => {
    expect(flags("--tls-cert", "c", "--tls-key", "k")).toMatchObject({
      listenTls: { cert: "c", key: "k" },
      serverTls: undefined,
    });
  });

  it("takes several origins", () => {
    const args = ["--allow-origin", "https://a.example", "--allow-origin", "http://b.example:81"];
    expect(flags(...args)).toMatchObject({
      allowOrigins: ["https://a.example", "http://b.example:81"],
    });
  });

  it("takes several proxies, in one list or more", () => {
    const parsed = flags("--trust-proxy", "127.0.0.1, 10.0.0.0/8", "--trust-proxy", "::1");
    const { trustedProxies } = parsed as Exclude<typeof parsed, "help">;
    const addresses = ["127.0.0.1", "10.9.8.7", "::1", "127.0.0.2", "::2"];
    expect(addresses.map((address) => trustedProxies.trusts(address))).toEqual([true, true, true, false, false]);
  });

  it.each([
    [["--trust-proxy", "10.0.0.0/33"], "'10.0.0.0/33' is not ADDRESS or ADDRESS/BITS"],
    [["--trust-proxy", "127.0.0.1,"], "'' is not ADDRESS or ADDRESS/BITS"],
    [["--allow-origin", "a.example"], "is not an origin"],
    [["--allow-origin", "https://a.example/path"], "is not an origin"],
    [["--max-calls-per-client", "0"], "wants a number above 0"],
    [["--listen", "nowhere"], "is not HOST:PORT"],
    [["--tls-cert", "c"], "go together"],
    [["--tls-client-key", "k"], "go together"],
    [["--nonsense"], "nonsense"],
    [["stray"], "stray"],
  ])("refuses %j", (args, words) => expect(() => flags(...args)).toThrow(words));

  it("wants a server or a program to start", () => {
    expect(() => parseFlags([], {})).toThrow("neither --server nor --kibitzd");
  });

  it("knows where a server of its own stores its results", () => {
    const store = (environment: NodeJS.ProcessEnv, ...args: string[]) =>
      (parseFlags(["--kibitzd", "x", ...args], environment) as Flags).store;
    expect(store({ XDG_DATA_HOME: "/data" })).toBe("/data/kibitz/results.db");
    expect(store({})).toMatch(/\/\.local\/share\/kibitz\/results\.db$/);
    expect(store({ XDG_DATA_HOME: "/data" }, "--store", "mine.db")).toBe("mine.db");
    expect(store({ KIBITZ_STORE: "theirs.db" })).toBe("theirs.db");
    expect(store({}, "--store", "")).toBe("");
  });

  it("explains itself", () => expect(parseFlags(["--help"], {})).toBe("help"));
});
