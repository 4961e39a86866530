// Streams for curl: a streaming call that is asked in plain JSON answers with one JSON object a line.

import { fromJson, toJson, type DescMethod, type DescMethodServerStreaming, type JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJson } from "@connectrpc/connect/protocol-connect";
import type { IncomingMessage, ServerResponse } from "node:http";

import { methods, type Upstream } from "./relay.ts";

const byPath = new Map<string, DescMethod>(
  methods().map((method) => [`/${method.parent.typeName}/${method.name}`, method]),
);

/** The streaming call that a plain JSON request asks for, if it is one. */
export function streamAskedInJson(request: IncomingMessage, path: string): DescMethodServerStreaming | undefined {
  const method = byPath.get(path);
  const type = request.headers["content-type"]?.split(";")[0]?.trim();
  if (request.method !== "POST" || method?.methodKind !== "server_streaming" || type !== "application/json") return;
  return method as DescMethodServerStreaming;
}

/** All of a request's body, if it is not too large. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ConnectError(`the request is larger than ${maxBytes} bytes`, Code.ResourceExhausted);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseRequest(method: DescMethodServerStreaming, body: string) {
  try {
    return fromJson(method.input, JSON.parse(body || "{}") as JsonValue);
  } catch (error) {
    throw new ConnectError((error as Error).message, Code.InvalidArgument);
  }
}

/** Answers the call. An error before the first line is an HTTP status; after it, a last line {"error": ...}. */
export async function answerInJsonLines(
  upstream: Upstream,
  method: DescMethodServerStreaming,
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<void> {
  const abort = new AbortController();
  response.once("close", () => abort.abort());
  try {
    const message = parseRequest(method, (await readBody(request, maxBytes)).toString("utf8"));
    for await (const event of upstream.stream(method, message, abort.signal)) {
      if (!response.headersSent) response.writeHead(200, { "content-type": "application/x-ndjson" });
      const line = JSON.stringify(toJson(method.output, event)) + "\n";
      if (!response.write(line)) await drained(response, abort.signal);
    }
    response.end();
  } catch (error) {
    endWithError(response, ConnectError.from(error));
  }
}

/** An HTTP status, or, where lines went before it, a last line. */
export function endWithError(response: ServerResponse, error: ConnectError): void {
  if (response.destroyed) return;
  const body = errorToJson(error, undefined);
  if (response.headersSent) {
    response.end(JSON.stringify({ error: body }) + "\n");
  } else {
    response.writeHead(codeToHttpStatus(error.code), { "content-type": "application/json" });
    response.end(JSON.stringify(body) + "\n");
  }
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return;
  await new Promise<void>((resolve) => {
    response.once("drain", resolve);
    gone.addEventListener("abort", () => resolve(), { once: true });
  });
}
