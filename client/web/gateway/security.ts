// Which requests are let in, and what browsers are told to allow.

import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

import { isLoopback } from "./flags.ts";

/** No inline script anywhere. Style attributes are set by the board's library while a piece is dragged. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export const securityHeaders: OutgoingHttpHeaders = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** A foreign name that resolves to this machine must not reach a gateway that listens on loopback only. */
export function hostAllowed(listenHost: string, headers: IncomingHttpHeaders): boolean {
  if (!isLoopback(listenHost)) return true;
  const url = `http://${headers.host ?? ""}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ""));
}

/** Decides by the Origin header. Requests without one, such as curl's, come from no page. */
export class OriginPolicy {
  constructor(private readonly allowed: string[]) {}

  allows(headers: IncomingHttpHeaders): boolean {
    const origin = headers.origin;
    if (origin === undefined || this.allowed.includes(origin)) return true;
    return URL.canParse(origin) && new URL(origin).host === headers.host;
  }

  /** What lets the page of an allowed origin read the answer. */
  corsHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
    const origin = headers.origin;
    if (origin === undefined || !this.allowed.includes(origin)) return {};
    return {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, connect-protocol-version, connect-timeout-ms, x-grpc-web",
      "access-control-expose-headers": "grpc-status, grpc-message, grpc-status-details-bin",
      "access-control-max-age": "7200",
      "cross-origin-resource-policy": "cross-origin",
      vary: "origin",
    };
  }
}
