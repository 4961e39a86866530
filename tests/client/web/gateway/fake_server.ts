// A stand-in for kibitzd that remembers what it was asked.

import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { once } from "node:events";
import { createSecureServer, createServer, type Http2SecureServer, type Http2Server } from "node:http2";
import type { SecureServerOptions, ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";

import { BadRequestSchema } from "../../../../client/web/generated/google/rpc/error_details_pb.ts";
import { AnalysisService } from "../../../../client/web/generated/kibitz/v1/analysis_pb.ts";

export class FakeServer {
  readonly keys: (string | null)[] = [];
  readonly positionKeys: (string | null)[] = [];
  /** Resolves when an analysis was cancelled. */
  readonly cancelled: Promise<void>;
  #cancel = () => {};
  readonly #http: Http2Server | Http2SecureServer;
  readonly #sessions = new Set<ServerHttp2Session>();

  /** With `tls` it speaks TLS. A key other than the one that it wants is refused. */
  constructor(tls?: SecureServerOptions, wantedKey?: string) {
    this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
    const fake = this;
    const check = (headers: Headers, fen?: string) => {
      const key = headers.get("authorization");
      fake.keys.push(key);
      fake.positionKeys.push(headers.get("x-position-key"));
      if (wantedKey && key !== `Bearer ${wantedKey}`)
        throw new ConnectError("there is no such key", Code.Unauthenticated);
      if (fen !== "bad") return;
      const fieldViolations = [{ field: "position.fen", description: "no king" }];
      const detail = { desc: BadRequestSchema, value: create(BadRequestSchema, { fieldViolations }) };
      throw new ConnectError("position.fen: no king", Code.InvalidArgument, undefined, [detail]);
    };
    const adapter = connectNodeAdapter({
      routes: (router) =>
        router.service(AnalysisService, {
          legalMoves(request, context) {
            check(context.requestHeader, request.position?.fen);
            return { fen: "start", moves: [{ uci: "e2e4", san: "e4" }] };
          },
          async *analyze(request, context) {
            check(context.requestHeader, request.position?.fen);
            yield { event: { case: "update", value: { depth: 1 } } };
            if (request.limits?.depth) return yield { event: { case: "final", value: { bestMove: "e2e4" } } };
            await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
            fake.#cancel();
          },
          getServerInfo: () => ({ version: "fake" }),
        }),
    });
    this.#http = tls ? createSecureServer(tls, adapter) : createServer(adapter);
    this.#http.on("session", (session: ServerHttp2Session) => this.#sessions.add(session));
  }

  async start(): Promise<{ host: string; port: number }> {
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return { host: "127.0.0.1", port: (this.#http.address() as AddressInfo).port };
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#http.close(resolve));
  }
}
