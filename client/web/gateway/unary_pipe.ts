// Single calls in plain JSON, by a shorter way than that of the adapter: the answer's bytes become JSON text at once.

import { type DescMethodUnary, fromJson, type JsonValue, type Message, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { IncomingMessage, ServerResponse } from "node:http";

import { endWithError, readBody } from "./json_lines.ts";
import { jsonText } from "./json_text.ts";
import { positionHeaders } from "./position_key.ts";
import { methods, outwardError, UNARY_TIMEOUT_MS } from "./relay.ts";
import { readTimeout, unframe, type UpstreamSession } from "./upstream_session.ts";

const byPath = new Map<string, DescMethodUnary>();
for (const method of methods()) {
  if (method.methodKind === "unary") byPath.set(`/${method.parent.typeName}/${method.name}`, method as DescMethodUnary);
}

export class UnaryPipe {
  constructor(
    private readonly session: UpstreamSession,
    private readonly maxRequestBytes: number,
  ) {}

  /** The call that a request is for, if it is such a one. */
  methodOf(request: IncomingMessage, path: string): DescMethodUnary | undefined {
    const { headers } = request;
    const type = headers["content-type"]?.split(";", 1)[0]?.trim();
    const plain = (headers["content-encoding"] ?? "identity") === "identity";
    return request.method === "POST" && type === "application/json" && plain ? byPath.get(path) : undefined;
  }

  /** Answers it; an error is an HTTP status with Connect's words. */
  async answer(method: DescMethodUnary, request: IncomingMessage, response: ServerResponse, path: string) {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const chunks: Buffer[] = [];
    try {
      const wait = Math.min(readTimeout(request.headers) ?? UNARY_TIMEOUT_MS, UNARY_TIMEOUT_MS);
      const message = parse(method, await readBody(request, this.maxRequestBytes));
      const bytes = toBinary(method.input, message);
      const headers = positionHeaders(message);
      const error = await this.session.call(path, bytes, wait, headers, gone.signal, (data) => chunks.push(data));
      if (error) throw error;
      const answer = unframe(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
      if (!answer) throw new ConnectError("the server's answer is no message", Code.Internal);
      response.writeHead(200, { "content-type": "application/json" }).end(jsonText(method.output, answer));
    } catch (error) {
      endWithError(response, outwardError(error, gone.signal));
    }
  }
}

function parse(method: DescMethodUnary, body: Buffer): Message {
  try {
    return fromJson(method.input, JSON.parse(body.toString("utf8") || "{}") as JsonValue);
  } catch (error) {
    throw new ConnectError((error as Error).message, Code.InvalidArgument);
  }
}
