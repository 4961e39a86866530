// Forwards every call of the analysis service to the server behind.

import type { DescMessage, DescMethod, DescMethodServerStreaming, DescMethodUnary } from "@bufbuild/protobuf";
import type { MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import {
  type CallOptions,
  type Client,
  Code,
  ConnectError,
  type ConnectRouter,
  createClient,
} from "@connectrpc/connect";
import type { HandlerContext, Transport } from "@connectrpc/connect";

import { AnalysisService } from "../generated/kibitz/v1/analysis_pb.ts";
import { positionHeaders } from "./position_key.ts";

export const UNARY_TIMEOUT_MS = 10_000;

type Unary = (request: MessageShape<DescMessage>, options: CallOptions) => Promise<MessageInitShape<DescMessage>>;
type Stream = (request: MessageShape<DescMessage>, options: CallOptions) => AsyncIterable<MessageShape<DescMessage>>;

/** The calls of the service by name. Those that stream both ways need HTTP/2, which browsers do not offer: left out. */
export function methods(): DescMethod[] {
  return AnalysisService.methods.filter((method) => method.methodKind !== "bidi_streaming");
}

/** How a lost connection shows, unless it was us who gave up: a server that is killed leaves cancelled streams. */
const LOST = [Code.Unavailable, Code.Internal, Code.Aborted, Code.Canceled, Code.Unknown];

/** How the server says that it is the gateway whom it does not let in. */
const SHUT_OUT = [Code.Unauthenticated, Code.PermissionDenied];

const LOG_INTERVAL_MS = 10_000;
let lastLog = -LOG_INTERVAL_MS;

/** For the operator: browsers are not told of keys, certificates and addresses. */
function log(words: string): void {
  if (performance.now() - lastLog < LOG_INTERVAL_MS) return;
  lastLog = performance.now();
  console.error(`kibitz web: ${words}`);
}

/** What the browser is told about a failure of the server behind: its own words, but nothing of our network. */
export function outwardError(error: unknown, signal: AbortSignal): ConnectError {
  const known = ConnectError.from(error);
  if (SHUT_OUT.includes(known.code)) {
    log(`the server does not accept the key of this gateway: ${known.rawMessage}`);
    return new ConnectError("the analysis server does not let this gateway in", Code.Unavailable);
  }
  const saidByServer = known.details.length > 0;
  if (!saidByServer && !signal.aborted && LOST.includes(known.code)) {
    log(`the server cannot be reached: ${known.rawMessage}`);
    return new ConnectError("the analysis server cannot be reached", Code.Unavailable);
  }
  return new ConnectError(known.rawMessage, known.code, undefined, known.details as never);
}

/** The server behind, with the key that only the gateway knows. */
export class Upstream {
  readonly #client: Client<typeof AnalysisService>;
  readonly #headers: Record<string, string>;

  constructor(transport: Transport, key?: string) {
    this.#client = createClient(AnalysisService, transport);
    this.#headers = key ? { authorization: `Bearer ${key}` } : {};
  }

  #headersFor(request: object): Record<string, string> {
    return { ...this.#headers, ...positionHeaders(request) };
  }

  async unary(method: DescMethodUnary, request: MessageShape<DescMessage>, signal: AbortSignal, timeoutMs?: number) {
    const call = this.#client[method.localName as never] as Unary;
    const wait = Math.min(timeoutMs ?? UNARY_TIMEOUT_MS, UNARY_TIMEOUT_MS);
    try {
      return await call(request, { signal, timeoutMs: wait, headers: this.#headersFor(request) });
    } catch (error) {
      throw outwardError(error, signal);
    }
  }

  async *stream(
    method: DescMethodServerStreaming,
    request: MessageShape<DescMessage>,
    signal: AbortSignal,
    timeoutMs?: number,
  ) {
    const call = this.#client[method.localName as never] as Stream;
    try {
      yield* call(request, { signal, timeoutMs, headers: this.#headersFor(request) });
    } catch (error) {
      throw outwardError(error, signal);
    }
  }
}

/** Routes for Connect, gRPC-Web and plain JSON. */
export function relayRoutes(upstream: Upstream): (router: ConnectRouter) => void {
  return (router) => {
    for (const method of methods()) {
      if (method.methodKind === "unary") {
        router.rpc(method as DescMethodUnary, (request: MessageShape<DescMessage>, context: HandlerContext) =>
          upstream.unary(method as DescMethodUnary, request, context.signal, context.timeoutMs()),
        );
      } else {
        router.rpc(method as DescMethodServerStreaming, (request: MessageShape<DescMessage>, context: HandlerContext) =>
          upstream.stream(method as DescMethodServerStreaming, request, context.signal, context.timeoutMs()),
        );
      }
    }
  };
}
