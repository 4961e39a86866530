// The connection to the server for calls that are passed on without reading every message: gRPC on HTTP/2, as it is.

import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import type { IncomingHttpHeaders } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { SecureContextOptions } from "node:tls";

export const FRAME_HEAD_BYTES = 5;
/** What one browser that does not read may hold up, and all of them together. */
const STREAM_WINDOW_BYTES = 64 * 1024;
const SESSION_WINDOW_BYTES = 64 * 1024 * 1024;

export class UpstreamSession {
  #session?: ClientHttp2Session;

  constructor(
    private readonly origin: string,
    private readonly tls: SecureContextOptions & { servername?: string },
    private readonly key: string | undefined,
  ) {}

  /**
   * Makes a call with one request, and gives its answer's bytes to `onData` as they come. Resolves at the end to what the
   * server said was wrong, if anything; rejects where the server was not reached, or was lost.
   */
  call(
    path: string,
    request: Uint8Array,
    timeoutMs: number | undefined,
    headers: Record<string, string>,
    gone: AbortSignal,
    onData: (data: Buffer, stream: ClientHttp2Stream) => void,
  ): Promise<ConnectError | undefined> {
    return new Promise((resolve, reject) => {
      const stream = this.#open(path, timeoutMs, headers);
      const leave = () => stream.close(constants.NGHTTP2_CANCEL);
      gone.addEventListener("abort", leave, { once: true });
      let said: ConnectError | undefined | null = null;
      const hear = (headers: IncomingHttpHeaders) => {
        if (headers["grpc-status"] !== undefined) said = findTrailerError(webHeaders(headers));
      };
      stream.on("response", (headers) => {
        hear(headers as IncomingHttpHeaders);
        if (headers[":status"] !== 200) reject(lost(`HTTP status ${headers[":status"]}`));
      });
      stream.on("trailers", (headers) => hear(headers as IncomingHttpHeaders));
      stream.on("data", (data: Buffer) => onData(data, stream));
      stream.on("error", (error) => reject(lost(error.message)));
      stream.on("close", () => {
        gone.removeEventListener("abort", leave);
        if (said === null) reject(lost("the stream broke off"));
        else resolve(said);
      });
      stream.end(frame(0, request));
    });
  }

  stop(): void {
    this.#session?.destroy();
  }

  #open(path: string, timeoutMs: number | undefined, headers: Record<string, string>): ClientHttp2Stream {
    return this.#connected().request({
      ...headers,
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc+proto",
      te: "trailers",
      ...(timeoutMs === undefined ? {} : { "grpc-timeout": `${timeoutMs}m` }),
      ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
    });
  }

  /** One connection for all; after its loss the next call makes another. */
  #connected(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.origin, { ...this.tls, settings: { initialWindowSize: STREAM_WINDOW_BYTES } });
    session.once("connect", () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
    session.once("goaway", () => session.close());
    // Each call is told by itself.
    session.on("error", () => {});
    this.#session = session;
    return session;
  }
}

/** A message as gRPC and Connect frame it. */
export function frame(flags: number, message: Uint8Array): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head[0] = flags;
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The message of a whole frame that is not compressed. */
export function unframe(bytes: Buffer): Buffer | undefined {
  const whole = bytes.length >= FRAME_HEAD_BYTES && bytes.readUInt32BE(1) === bytes.length - FRAME_HEAD_BYTES;
  return whole && bytes[0] === 0 ? bytes.subarray(FRAME_HEAD_BYTES) : undefined;
}

/** For how long the browser wants to wait. */
export function readTimeout(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["connect-timeout-ms"];
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(String(text))) {
    throw new ConnectError("connect-timeout-ms is not a number of at most ten digits", Code.InvalidArgument);
  }
  // gRPC has eight digits.
  return Math.min(Number(text), 99_999_999);
}

function lost(why: string): ConnectError {
  return new ConnectError(why, Code.Unavailable);
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const copy = new Headers();
  for (const name of ["grpc-status", "grpc-message", "grpc-status-details-bin"]) {
    const value = headers[name];
    if (value !== undefined) copy.set(name, String(value));
  }
  return copy;
}
