// Streams for pages, byte by byte: Connect frames its messages as gRPC does, so what the server sends goes on to the
// browser as it came. Reading and writing every message would cost forty times as much.

import { type DescMethod, fromBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { endStreamFlag, errorToJson } from "@connectrpc/connect/protocol-connect";
import type { IncomingMessage, ServerResponse } from "node:http";

import { readBody } from "./json_lines.ts";
import { positionHeaders } from "./position_key.ts";
import { methods, outwardError } from "./relay.ts";
import { frame, FRAME_HEAD_BYTES, readTimeout, unframe, type UpstreamSession } from "./upstream_session.ts";

const streams = new Map<string, DescMethod>(
  methods()
    .filter((method: DescMethod) => method.methodKind === "server_streaming")
    .map((method) => [`/${method.parent.typeName}/${method.name}`, method]),
);

export class StreamPipe {
  constructor(
    private readonly session: UpstreamSession,
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
      const message = unframe(await readBody(request, this.maxRequestBytes + FRAME_HEAD_BYTES));
      if (!message) throw new ConnectError("the request is not one plain message", Code.InvalidArgument);
      const headers = headersFor(streams.get(path)!, message);
      const wait = readTimeout(request.headers);
      error = await this.session.call(path, message, wait, headers, gone.signal, (data, stream) => {
        begin(response);
        if (response.write(data)) return;
        stream.pause();
        response.once("drain", () => stream.resume());
      });
    } catch (thrown) {
      error = thrown;
    }
    if (response.destroyed) return;
    begin(response);
    const end = error === undefined ? {} : { error: errorToJson(outwardError(error, gone.signal), undefined) };
    response.end(frame(endStreamFlag, Buffer.from(JSON.stringify(end))));
  }
}

/** What is no message is for the server to refuse. */
function headersFor(method: DescMethod, message: Buffer): Record<string, string> {
  try {
    return positionHeaders(fromBinary(method.input, message));
  } catch {
    return {};
  }
}

function begin(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "application/connect+proto" });
}
