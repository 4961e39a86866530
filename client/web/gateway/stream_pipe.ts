// Streams for pages, byte by byte: Connect frames its messages as gRPC does, so what the server sends goes on to the
// browser as it came. Reading and writing every message would cost twenty times as much.

import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { endStreamFlag, errorToJson } from "@connectrpc/connect/protocol-connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { SecureContextOptions } from "node:tls";

import { readBody } from "./json_lines.ts";
import { methods, outwardError } from "./relay.ts";

const FRAME_HEAD_BYTES = 5;
/** What one browser that does not read may hold up, and all of them together. */
const STREAM_WINDOW_BYTES = 64 * 1024;
const SESSION_WINDOW_BYTES = 64 * 1024 * 1024;

const streams = new Set<string>(
  methods()
    .filter((method: DescMethod) => method.methodKind === "server_streaming")
    .map((method) => `/${method.parent.typeName}/${method.name}`),
);

export class StreamPipe {
  #session?: ClientHttp2Session;

  constructor(
    private readonly origin: string,
    private readonly tls: SecureContextOptions & { servername?: string },
    private readonly key: string | undefined,
    private readonly maxRequestBytes: number,
  ) {}

  /** Whether a request is for such a stream: as our page asks, in the binary form, not compressed. */
  takes(request: IncomingMessage, path: string): boolean {
    const { headers } = request;
    return (
      request.method === "POST" &&
      headers["content-type"] === "application/connect+proto" &&
      headers["connect-protocol-version"] === "1" &&
      (headers["connect-content-encoding"] ?? "identity") === "identity" &&
      streams.has(path)
    );
  }

  /** Answers it. Errors, too, come at the end of a stream that began well: so Connect has it. */
  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    let error: unknown;
    try {
      const body = await readBody(request, this.maxRequestBytes + FRAME_HEAD_BYTES);
      checkFrame(body);
      error = await this.#relay(path, body, readTimeout(request.headers), response, gone.signal);
    } catch (thrown) {
      error = thrown;
    }
    if (response.destroyed) return;
    begin(response);
    response.end(endFrame(error === undefined ? undefined : outwardError(error, gone.signal)));
  }

  stop(): void {
    this.#session?.destroy();
  }

  /** Resolves to what the server said was wrong, if anything, at the end of the stream. */
  #relay(path: string, body: Buffer, timeoutMs: number | undefined, response: ServerResponse, gone: AbortSignal) {
    return new Promise<ConnectError | undefined>((resolve, reject) => {
      const stream = this.#open(path, timeoutMs);
      gone.addEventListener("abort", () => stream.close(constants.NGHTTP2_CANCEL), { once: true });
      let said: ConnectError | undefined | null = null;
      const hear = (headers: IncomingHttpHeaders) => {
        if (headers["grpc-status"] !== undefined) said = findTrailerError(webHeaders(headers));
      };
      stream.on("response", (headers) => {
        hear(headers as IncomingHttpHeaders);
        if (headers[":status"] !== 200) reject(lost(`HTTP status ${headers[":status"]}`));
      });
      stream.on("trailers", (headers) => hear(headers as IncomingHttpHeaders));
      stream.on("data", (data: Buffer) => {
        begin(response);
        if (response.write(data)) return;
        stream.pause();
        response.once("drain", () => stream.resume());
      });
      stream.on("error", (error) => reject(lost(error.message)));
      stream.on("close", () => (said === null ? reject(lost("the stream broke off")) : resolve(said)));
      stream.end(body);
    });
  }

  #open(path: string, timeoutMs: number | undefined): ClientHttp2Stream {
    return this.#connected().request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc+proto",
      te: "trailers",
      ...(timeoutMs === undefined ? {} : { "grpc-timeout": `${timeoutMs}m` }),
      ...(this.key ? { authorization: `Bearer ${this.key}` } : {}),
    });
  }

  /** One connection for all streams; after its loss the next stream makes another. */
  #connected(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.origin, { ...this.tls, settings: { initialWindowSize: STREAM_WINDOW_BYTES } });
    session.once("connect", () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
    session.once("goaway", () => session.close());
    // Each stream is told by itself.
    session.on("error", () => {});
    this.#session = session;
    return session;
  }
}

function lost(why: string): ConnectError {
  return new ConnectError(why, Code.Unavailable);
}

function begin(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "application/connect+proto" });
}

/** A request is one message, not compressed. */
function checkFrame(body: Buffer): void {
  const whole = body.length >= FRAME_HEAD_BYTES && body.readUInt32BE(1) === body.length - FRAME_HEAD_BYTES;
  if (!whole || body[0] !== 0) throw new ConnectError("the request is not one plain message", Code.InvalidArgument);
}

function readTimeout(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["connect-timeout-ms"];
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(String(text))) {
    throw new ConnectError("connect-timeout-ms is not a number of at most ten digits", Code.InvalidArgument);
  }
  // gRPC has eight digits.
  return Math.min(Number(text), 99_999_999);
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const copy = new Headers();
  for (const name of ["grpc-status", "grpc-message", "grpc-status-details-bin"]) {
    const value = headers[name];
    if (value !== undefined) copy.set(name, String(value));
  }
  return copy;
}

function endFrame(error: ConnectError | undefined): Buffer {
  const text = Buffer.from(JSON.stringify(error ? { error: errorToJson(error, undefined) } : {}));
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head[0] = endStreamFlag;
  head.writeUInt32BE(text.length, 1);
  return Buffer.concat([head, text]);
}
