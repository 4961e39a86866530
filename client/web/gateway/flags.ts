// The command line of `./kibitz web`.

import { parseArgs } from "node:util";

import { TrustedProxies } from "./client_address.ts";

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
  --allow-origin ORIGIN     another origin whose pages may call, such as https://example.org; may be repeated
  --max-calls-per-client N  calls at once from one client: an IPv4 address or an IPv6 /64 (default 32)
  --trust-proxy ADDRESS[/BITS],...
                            proxies in front, whose X-Forwarded-For tells who is calling; may be repeated

The server's key, where it wants one, comes from the file that the environment variable KIBITZ_KEY_FILE names,
or else from KIBITZ_KEY itself; browsers never see it.
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

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host);
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
  return {
    listen: parseAddress(values.listen),
    server: values.server ? parseAddress(values.server) : undefined,
    kibitzd: values.kibitzd,
    page: values.page,
    allowOrigins: values["allow-origin"].map(parseOrigin),
    maxCallsPerClient: parseCount("max-calls-per-client", values["max-calls-per-client"]),
    trustedProxies: parseProxies(values["trust-proxy"]),
  };
}
