// Who is calling: the address that a client's calls are counted under.

import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";

/** Addresses of proxies whose word on where a call came from is believed. */
export class TrustedProxies {
  readonly #networks = new BlockList();

  /** Adds ADDRESS or ADDRESS/BITS; returns false where the text is neither. */
  add(text: string): boolean {
    const [, host = "", bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const kind = isIP(host);
    const maxBits = kind === 6 ? 128 : 32;
    if (kind === 0 || host.includes("%") || Number(bits ?? 0) > maxBits) return false;
    this.#networks.addSubnet(host, Number(bits ?? maxBits), kind === 6 ? "ipv6" : "ipv4");
    return true;
  }

  trusts(address: string): boolean {
    return this.#networks.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
}

/** What a call is counted under. Each proxy appends the address that it was called from to X-Forwarded-For, so it is
 * read from the right for as long as it was a trusted proxy that wrote; whatever stands before may be made up. */
export function clientOf(peer: string | undefined, headers: IncomingHttpHeaders, proxies: TrustedProxies): string {
  let client = readAddress(peer ?? "");
  const hops = String(headers["x-forwarded-for"] ?? "").split(",");
  while (client && proxies.trusts(client)) {
    const before = readAddress(hops.pop() ?? "");
    if (!before) break;
    client = before;
  }
  return client ? networkOf(client) : "";
}

/** An address without port, brackets and zone, and IPv4 as such where it is written as IPv6; undefined if it is none. */
function readAddress(text: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = (bracketed ?? withPort ?? text.trim()).replace(/%.*$/, "");
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return address;
  return groups.slice(6).flatMap(bytesOf).join(".");
}

/** A household or a server has 2^64 addresses of IPv6 or more: what it calls from is its network of 64 bits. */
function networkOf(address: string): string {
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head, tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [before, after] = [head, tail].map((part) => (part ? part.split(":") : []));
  return [...before!, ...Array<string>(8 - before!.length - after!.length).fill("0"), ...after!];
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}
