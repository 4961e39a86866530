// The built page, held in memory and compressed once.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

interface SiteFile {
  type: string;
  etag: string;
  /** Vite names these by their contents: they never change. */
  immutable: boolean;
  bodies: Record<"br" | "gzip" | "identity", Buffer>;
}

function readSiteFile(folder: string, path: string): SiteFile {
  const plain = readFileSync(path);
  return {
    type: TYPES[extname(path)] ?? "application/octet-stream",
    etag: `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`,
    immutable: relative(folder, path).startsWith(`assets${sep}`),
    bodies: {
      br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      gzip: gzipSync(plain),
      identity: plain,
    },
  };
}

export class SiteFiles {
  readonly #files = new Map<string, SiteFile>();

  /** Only what is in the folder now can ever be asked for. */
  constructor(folder: string) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      this.#files.set("/" + relative(folder, path).split(sep).join("/"), readSiteFile(folder, path));
    }
  }

  answer(request: IncomingMessage, response: ServerResponse, path: string): void {
    const file = this.#files.get(path === "/" ? "/index.html" : path);
    if (!file) return void response.writeHead(404, { "content-type": "text/plain" }).end("not found\n");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    }
    response.setHeader("etag", file.etag);
    response.setHeader("cache-control", file.immutable ? "public, max-age=31536000, immutable" : "no-cache");
    response.setHeader("vary", "accept-encoding");
    if (request.headers["if-none-match"] === file.etag) return void response.writeHead(304).end();
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const encoding = (["br", "gzip"] as const).find((name) => accepted.includes(name)) ?? "identity";
    const body = file.bodies[encoding];
    if (encoding !== "identity") response.setHeader("content-encoding", encoding);
    response.writeHead(200, { "content-type": file.type, "content-length": body.length });
    response.end(request.method === "HEAD" ? undefined : body);
  }
}
