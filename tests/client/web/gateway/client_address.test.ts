import { describe, expect, it } from "vitest";

import { clientOf, TrustedProxies } from "../../../../client/web/gateway/client_address.ts";

function trusting(...networks: string[]): TrustedProxies {
  const proxies = new TrustedProxies();
  for (const network of networks) expect(proxies.add(network)).toBe(true);
  return proxies;
}

const proxies = trusting("127.0.0.1", "10.0.0.0/8", "2001:db8:1::/48");
const client = (peer: string | undefined, forwarded?: string) =>
  clientOf(peer, forwarded === undefined ? {} : { "x-forwarded-for": forwarded }, proxies);

describe("TrustedProxies", () => {
  it.each([
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "::1/129",
    "10.0.0.1/",
    "10.0.0.1/8/8",
    "10.0.0.1/-1",
    "fe80::1%lo",
    "proxy",
  ])("does not take %j for a network", (text) => expect(new TrustedProxies().add(text)).toBe(false));

  it.each([
    ["10.1.2.3", true],
    ["11.0.0.1", false],
    ["2001:db8:1:ffff::1", true],
    ["2001:db8:2::1", false],
  ])("trusts %s: %s", (address, trusted) => expect(proxies.trusts(address)).toBe(trusted));

  it("trusts everybody where /0 says so", () => {
    expect(trusting("0.0.0.0/0").trusts("203.0.113.9")).toBe(true);
  });
});

describe("clientOf", () => {
  it.each([
    ["a peer without a proxy", "203.0.113.9", undefined, "203.0.113.9"],
    ["an untrusted peer, whatever it claims", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["the address that a proxy was called from", "127.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["the right-most untrusted one, not what a caller made up", "127.0.0.1", "1.2.3.4, 203.0.113.9", "203.0.113.9"],
    ["the one before a chain of proxies", "127.0.0.1", "1.2.3.4, 203.0.113.9, 10.0.0.2,10.0.0.1", "203.0.113.9"],
    ["the farthest proxy, where all are trusted", "127.0.0.1", "10.0.0.2, 10.0.0.1", "10.0.0.2"],
    ["a proxy that says nothing", "127.0.0.1", undefined, "127.0.0.1"],
    ["a proxy that says nothing of use", "127.0.0.1", "203.0.113.9, unknown", "127.0.0.1"],
    ["an address with a port", "127.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["IPv4 in the clothes of IPv6, of a peer", "::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["IPv4 in the clothes of IPv6, of a proxy", "::ffff:127.0.0.1", "::ffff:cb00:7109", "203.0.113.9"],
    ["the network of an IPv6 peer", "2001:db8:2:3:4:5:6:7", undefined, "2001:db8:2:3::/64"],
    ["the network of an IPv6 caller behind a proxy", "2001:db8:1::5", "2001:DB8:2::1", "2001:db8:2:0::/64"],
    ["an IPv6 address with a port", "127.0.0.1", "[2001:db8:2::1]:443", "2001:db8:2:0::/64"],
    ["an IPv6 address with a zone", "fe80::1%eth0", undefined, "fe80:0:0:0::/64"],
    ["a peer that has gone", undefined, "203.0.113.9", ""],
  ])("counts %s", (_, peer, forwarded, wanted) => expect(client(peer, forwarded)).toBe(wanted));

  it("counts all addresses of an IPv6 network as one, and those of another as another", () => {
    expect(client("2001:db8:2:3::1")).toBe(client("2001:db8:2:3:ffff::2"));
    expect(client("2001:db8:2:3::1")).not.toBe(client("2001:db8:2:4::1"));
  });
});
