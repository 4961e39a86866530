// The HTTP server between browsers and kibitzd: the page, Connect and gRPC-Web calls, and plain JSON for curl.

import { Code, ConnectError } from "@connectrpc/connect";
import { connectNodeAdapter, createGrpcTransport } from "@connectrpc/connect-node";
import { errorToJson } from "@connectrpc/connect/protocol-connect";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import type { AddressInfo } from "node:net";

import { AnalysisService } from "../generated/kibitz/v1/analysis_pb.ts";
import { CallLimiter } from "./call_limiter.ts";
import { clientOf, type TrustedProxies } from "./client_address.ts";
import { type Address, formatAddress } from "./flags.ts";
import { answerInJsonLines, streamAskedInJson } from "./json_lines.ts";
import { relayRoutes, Upstream } from "./relay.ts";
import { hostAllowed, OriginPolicy, securityHeaders } from "./security.ts";
import { SiteFiles } from "./site_files.ts";
import { StreamPipe } from "./stream_pipe.ts";
import { UnaryPipe } from "./unary_pipe.ts";
import { UpstreamSession } from "./upstream_session.ts";
import { type ListenTls, listenOptions, serverOptions, type ServerTls, watchCertificate } from "./tls.ts";

/** A game of 12,000 moves fits twice. */
export const MAX_REQUEST_BYTES = 1024 * 1024;
const MAX_CALLS = 1000;

export interface GatewayOptions {
  listen: Address;
  server: Address;
  /** The folder of the built page. */
  page: string;
  /** The server's key. */
  key?: string;
  /** How the server is called; without it, in plaintext. */
  serverTls?: ServerTls;
  /** The certificate for browsers; without it they are served in plaintext. */
  listenTls?: ListenTls;
  allowOrigins: string[];
  maxCallsPerClient: number;
  trustedProxies: TrustedProxies;
}

export class Gateway {
  readonly #http: Server | SecureServer;
  #stopWatching = () => {};
  readonly #files: SiteFiles;
  readonly #origins: OriginPolicy;
  readonly #limiter: CallLimiter;
  readonly #upstream: Upstream;
  readonly #session: UpstreamSession;
  readonly #streams: StreamPipe;
  readonly #unary: UnaryPipe;
  readonly #connect: (request: IncomingMessage, response: ServerResponse) => void;

  constructor(private readonly options: GatewayOptions) {
    this.#files = new SiteFiles(options.page);
    this.#origins = new OriginPolicy(options.allowOrigins);
    this.#limiter = new CallLimiter(options.maxCallsPerClient, MAX_CALLS);
    const baseUrl = `${options.serverTls ? "https" : "http"}://${formatAddress(options.server)}`;
    const nodeOptions = options.serverTls ? serverOptions(options.serverTls) : {};
    this.#upstream = new Upstream(createGrpcTransport({ baseUrl, nodeOptions }), options.key);
    this.#session = new UpstreamSession(baseUrl, nodeOptions, options.key);
    this.#streams = new StreamPipe(this.#session, MAX_REQUEST_BYTES);
    this.#unary = new UnaryPipe(this.#session, MAX_REQUEST_BYTES);
    this.#connect = connectNodeAdapter({ routes: relayRoutes(this.#upstream), readMaxBytes: MAX_REQUEST_BYTES });
    this.#http = this.#makeServer();
    this.#http.on("request", (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response));
  }

  /** HTTP/1.1 on both: its bounds on time and size are the ones that were tried. */
  #makeServer(): Server | SecureServer {
    const bounds = { requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 };
    const { listenTls } = this.options;
    if (!listenTls) return createServer(bounds);
    const secure = createSecureServer({ ...bounds, handshakeTimeout: 10_000, ...listenOptions(listenTls) });
    this.#stopWatching = watchCertificate(listenTls, (renewed) => secure.setSecureContext(renewed));
    return secure;
  }

  /** Resolves to the address it listens on. */
  async start(): Promise<Address> {
    const { host, port } = this.options.listen;
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", reject);
      this.#http.listen(port, host, resolve);
    });
    return { host, port: (this.#http.address() as AddressInfo).port };
  }

  /** Ends every connection; the calls behind are cancelled by it. */
  async stop(): Promise<void> {
    this.#stopWatching();
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
    this.#session.stop();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value!);
    if (!hostAllowed(this.options.listen.host, request.headers)) {
      return void response.writeHead(421, { "content-type": "text/plain" }).end("no such host here\n");
    }
    const path = (request.url ?? "/").split("?", 1)[0]!;
    if (path.startsWith(`/${AnalysisService.typeName}/`)) this.#call(request, response, path);
    else this.#files.answer(request, response, path);
  }

  #call(request: IncomingMessage, response: ServerResponse, path: string): void {
    if (!this.#origins.allows(request.headers)) {
      return refuse(response, 403, new ConnectError("pages of this origin may not call", Code.PermissionDenied));
    }
    const cors = this.#origins.corsHeaders(request.headers);
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value!);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();

    const client = clientOf(request.socket.remoteAddress, request.headers, this.options.trustedProxies);
    const leave = this.#limiter.enter(client);
    if (!leave) return refuse(response, 429, new ConnectError("too many calls at once", Code.ResourceExhausted));
    response.once("close", leave);

    if (this.#streams.takes(request, path)) return void this.#streams.answer(request, response, path);
    const single = this.#unary.methodOf(request, path);
    if (single) return void this.#unary.answer(single, request, response, path);
    const method = streamAskedInJson(request, path);
    if (method) void answerInJsonLines(this.#upstream, method, request, response, MAX_REQUEST_BYTES);
    else this.#connect(request, response);
  }
}

function refuse(response: ServerResponse, status: number, error: ConnectError): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(errorToJson(error, undefined)) + "\n");
}
