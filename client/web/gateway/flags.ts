// The command line of `./kibitz web`.

import { isIPv4 } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { TrustedProxies } from "./client_address.ts";
import type { ListenTls, ServerTls } from "./tls.ts";

export interface Address {
  host: string;
  port: number;
}

export interface Flags {
  listen: Address;
  /** A running server; without one the gateway starts its own. */
  server?: Address;
  /** The program to start then. */
  kibitzd?: string;
  /** Where that one stores its results; empty: nowhere. */
  store: string;
  /** How that running server is called; without it, in plaintext. */
  serverTls?: ServerTls;
  /** The file of the server's key. */
  keyFile?: string;
  /** Whether the key may go to another machine in plaintext. */
  insecure: boolean;
  /** The certificate for browsers; without it they are served in plaintext. */
  listenTls?: ListenTls;
  /** The folder of the built page. */
  page: string;
  /** Other origins whose pages may call. */
  allowOrigins: string[];
  /** Calls at once from one client. */
  maxCallsPerClient: number;
  /** The proxies in front, if any. */
  trustedProxies: TrustedProxies;
}

export class UsageError extends Error {}

export const usage = `usage: ./kibitz web [--listen HOST:PORT] [--server HOST:PORT]
       ./kibitz web measure        what the page costs on this machine, against its budgets
       ./kibitz web screenshots    draws the README's pictures again

Starts the analysis board for the browser, with a server of its own unless one is named, and prints its address.
Ctrl-C ends all of it.

  --listen HOST:PORT        where the page is served; port 0 takes a free one (default 127.0.0.1:8080)
  --server HOST:PORT        a running kibitzd to ask, also by KIBITZ_SERVER; otherwise one is started
  --store FILE              where a server of its own stores what it found, for the next time, also by KIBITZ_STORE;
                            "" for nowhere (default ~/.local/share/kibitz/results.db)
  --tls-cert FILE, --tls-key FILE
                            serve the page by TLS with this certificate; both are read again when they change
  --key-file FILE           the server's key, also by KIBITZ_KEY_FILE, or else KIBITZ_KEY itself
  --tls-ca FILE             call the server by TLS, and trust who is in the file (KIBITZ_TLS_CA)
  --tls                     call the server by TLS, and trust whom Node trusts (KIBITZ_TLS=true)
  --tls-client-cert FILE, --tls-client-key FILE
                            show the server this certificate (KIBITZ_TLS_CLIENT_CERT, KIBITZ_TLS_CLIENT_KEY)
  --tls-server-name NAME    the name that the server's certificate must have (KIBITZ_TLS_SERVER_NAME)
  --insecure                send the key without TLS to another machine, for all on the way to read
  --allow-origin ORIGIN     another origin whose pages may call, such as https://example.org; may be repeated
  --max-calls-per-client N  calls at once from one client: an IPv4 address or an IPv6 /64 (default 32)
  --trust-proxy ADDRESS[/BITS],...
                            proxies in front, whose X-Forwarded-For tells who is calling; may be repeated

Browsers never see the key. A server of its own is called on this machine, and wants neither key nor TLS.
`;

/** Reads HOST:PORT, with an IPv6 host in brackets. */
export function parseAddress(text: string): Address {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65535) throw new UsageError(`'${text}' is not HOST:PORT`);
  return { host: match[1] ?? match[2]!, port };
}

export function formatAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** By the name alone: what other names mean is somebody else's word. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

function parseCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--${name} wants a number above 0, not '${text}'`);
  return Number(text);
}

function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin !== text) throw new UsageError(`'${text}' is not an origin such as https://example.org`);
  return origin;
}

function parseProxies(lists: string[]): TrustedProxies {
  const proxies = new TrustedProxies();
  for (const text of lists.flatMap((list) => list.split(","))) {
    if (!proxies.add(text.trim())) throw new UsageError(`'${text}' is not ADDRESS or ADDRESS/BITS`);
  }
  return proxies;
}

/** Two files that go together: both or neither. */
function parsePair(name: string, cert?: string, key?: string): ListenTls | undefined {
  if (!cert !== !key) throw new UsageError(`--${name}-cert and --${name}-key go together`);
  return cert && key ? { cert, key } : undefined;
}

/** Where programs keep what their user would miss, by the XDG convention. */
function defaultStore(environment: NodeJS.ProcessEnv): string {
  const folder = environment.XDG_DATA_HOME || join(homedir(), ".local", "share");
  return join(folder, "kibitz", "results.db");
}

/** Returns "help" where that was asked for. `page` and `kibitzd` come from the front door. */
export function parseFlags(args: string[], environment: NodeJS.ProcessEnv): Flags | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        help: { type: "boolean", short: "h" },
        listen: { type: "string", default: "127.0.0.1:8080" },
        server: { type: "string", default: environment.KIBITZ_SERVER },
        kibitzd: { type: "string" },
        store: { type: "string", default: environment.KIBITZ_STORE ?? defaultStore(environment) },
        "key-file": { type: "string", default: environment.KIBITZ_KEY_FILE },
        tls: { type: "boolean", default: environment.KIBITZ_TLS === "true" },
        "tls-ca": { type: "string", default: environment.KIBITZ_TLS_CA },
        "tls-client-cert": { type: "string", default: environment.KIBITZ_TLS_CLIENT_CERT },
        "tls-client-key": { type: "string", default: environment.KIBITZ_TLS_CLIENT_KEY },
        "tls-server-name": { type: "string", default: environment.KIBITZ_TLS_SERVER_NAME },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
        insecure: { type: "boolean", default: false },
        page: { type: "string", default: "" },
        "allow-origin": { type: "string", multiple: true, default: [] },
        "max-calls-per-client": { type: "string", default: "32" },
        "trust-proxy": { type: "string", multiple: true, default: [] },
      },
    }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  if (values.help) return "help";
  if (!values.server && !values.kibitzd) throw new UsageError("neither --server nor --kibitzd is given");
  const client = parsePair("tls-client", values["tls-client-cert"], values["tls-client-key"]);
  const serverTls = { ca: values["tls-ca"], clientCert: client?.cert, clientKey: client?.key };
  const usesTls = values.tls || Boolean(values["tls-ca"]) || client !== undefined;
  return {
    listen: parseAddress(values.listen),
    serverTls: usesTls && values.server ? { ...serverTls, serverName: values["tls-server-name"] } : undefined,
    keyFile: values["key-file"],
    insecure: values.insecure,
    listenTls: parsePair("tls", values["tls-cert"], values["tls-key"]),
    server: values.server ? parseAddress(values.server) : undefined,
    kibitzd: values.kibitzd,
    store: values.store,
    page: values.page,
    allowOrigins: values["allow-origin"].map(parseOrigin),
    maxCallsPerClient: parseCount("max-calls-per-client", values["max-calls-per-client"]),
    trustedProxies: parseProxies(values["trust-proxy"]),
  };
}
