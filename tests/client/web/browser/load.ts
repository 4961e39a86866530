// `./kibitz web load [--json]`: what the gateway takes of the processor. LegalMoves in JSON through it, against the
// same calls over gRPC to the server behind; and streams for five hundred browsers at ten updates a second.

import { create, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type ClientRequest, request } from "node:http";
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";

import {
  AnalysisService,
  AnalyzeRequestSchema,
  AnalyzeResponseSchema,
} from "../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { startGateway, stopProcess, TestServer } from "./world.ts";

const CALLS_AT_ONCE = 32;
const CALLS = 10_000;
const WARM_UP_CALLS = 4_000;
const STREAMS = 500;
const UPDATES_A_SECOND = 10;
const STREAMS_MS = 10_000;
const FEN = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
const TICKS_A_SECOND = 100;

/** Seconds of processor time that a process has taken so far. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Calls, some at once; returns calls for each second of the process's own processor time. */
async function rateOf(pid: number, call: () => Promise<void>): Promise<number> {
  const run = (calls: number) => {
    const caller = async () => {
      while (calls-- > 0) await call();
    };
    return Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller));
  };
  await run(WARM_UP_CALLS); // what is compiled and connected once does not count
  const before = processorTime(pid);
  await run(CALLS);
  return CALLS / (processorTime(pid) - before);
}

const agent = new Agent({ keepAlive: true, maxSockets: CALLS_AT_ONCE });

async function legalMovesInJson(url: string): Promise<void> {
  const body = JSON.stringify({ position: { fen: FEN } });
  const headers = { "content-type": "application/json", "content-length": body.length };
  const call = request(`${url}kibitz.v1.AnalysisService/LegalMoves`, { method: "POST", agent, headers });
  call.end(body);
  const [response] = (await once(call, "response")) as [import("node:http").IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`LegalMoves answered ${response.statusCode}`);
  response.resume();
  await once(response, "end");
}

async function measureCalls() {
  const server = await TestServer.start();
  const gateway = await startGateway(["--server", server.address, "--max-calls-per-client", "1000"]);
  try {
    const client = createClient(AnalysisService, createGrpcTransport({ baseUrl: `http://${server.address}` }));
    const grpc = await rateOf(server.pid, async () => void (await client.legalMoves({ position: { fen: FEN } })));
    const json = await rateOf(gateway.child.pid!, () => legalMovesInJson(gateway.url));
    return { grpc, json };
  } finally {
    await stopProcess(gateway.child);
    await server.stop();
  }
}

/** A server that streams the same update of five lines to everybody, at no cost worth speaking of. */
class Streamer {
  readonly #http: Http2Server = createServer();
  readonly #streams = new Set<ServerHttp2Stream>();
  #timer?: NodeJS.Timeout;

  readonly frame = this.#frame();

  async start(): Promise<string> {
    this.#http.on("stream", (stream: ServerHttp2Stream) => {
      stream.respond({ ":status": 200, "content-type": "application/grpc+proto" });
      this.#streams.add(stream);
      stream.on("error", () => {}).once("close", () => this.#streams.delete(stream));
    });
    this.#timer = setInterval(() => {
      for (const stream of this.#streams) stream.write(this.frame);
    }, 1000 / UPDATES_A_SECOND);
    this.#http.listen(0, "127.0.0.1");
    await once(this.#http, "listening");
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const stream of this.#streams) stream.destroy();
    this.#http.close();
  }

  #frame(): Buffer {
    const moves = ["e1g1", "b8c6", "f3e5", "d8b6", "d2f3", "c5c4", "d3c2", "b6b2", "d1e1", "c6e5", "f4e5", "f6d7"];
    const line = (rank: number) => ({
      rank,
      score: { value: { case: "centipawns" as const, value: 20 - rank } },
      wdl: { win: 300, draw: 500, loss: 200 },
      pvUci: moves,
      pvSan: moves,
    });
    const update = { depth: 18, seldepth: 30, nodes: 1_000_000n, nps: 500_000n, lines: [1, 2, 3, 4, 5].map(line) };
    const message = create(AnalyzeResponseSchema, { event: { case: "update", value: update } });
    return envelope(toBinary(AnalyzeResponseSchema, message));
  }
}

function envelope(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** What the page asks: a stream by Connect's own protocol. */
function openStream(url: string, heard: (bytes: number) => void): ClientRequest {
  const call = request(`${url}kibitz.v1.AnalysisService/Analyze`, {
    method: "POST",
    headers: { "content-type": "application/connect+proto", "connect-protocol-version": "1" },
  });
  call.on("response", (response) => response.on("data", (data: Buffer) => heard(data.length)).on("error", () => {}));
  call.on("error", () => {});
  call.end(envelope(toBinary(AnalyzeRequestSchema, create(AnalyzeRequestSchema, { limits: { infinite: true } }))));
  return call;
}

async function measureStreams() {
  const streamer = new Streamer();
  const gateway = await startGateway(["--server", await streamer.start(), "--max-calls-per-client", "1000"]);
  let bytes = 0;
  const calls = Array.from({ length: STREAMS }, () => openStream(gateway.url, (more) => (bytes += more)));
  try {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const before = { time: processorTime(gateway.child.pid!), bytes };
    await new Promise((resolve) => setTimeout(resolve, STREAMS_MS));
    const updates = (bytes - before.bytes) / streamer.frame.length;
    // A machine that has other things to do gets fewer through: what one costs counts.
    return { updates, each: (processorTime(gateway.child.pid!) - before.time) / updates };
  } finally {
    for (const call of calls) call.destroy();
    streamer.stop();
    await stopProcess(gateway.child as ChildProcess);
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000;
const { grpc, json } = await measureCalls();
const streams = await measureStreams();
agent.destroy();
const cores = streams.each * STREAMS * UPDATES_A_SECOND;
console.log(`LegalMoves, for each second of processor time: ${Math.round(grpc)} over gRPC by the server,`);
console.log(`${Math.round(json)} in JSON by the gateway: ${rounded(json / grpc)} of it`);
console.log(`${STREAMS} streams at ${UPDATES_A_SECOND} updates a second: ${rounded(cores)} cores of the gateway,`);
console.log(`by ${Math.round(streams.updates)} updates of ${rounded(streams.each * 1e6)} us`);
if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ json_legal_moves_ratio: rounded(json / grpc), streams_500_cores: rounded(cores) }));
}
