// TLS on both sides of the gateway: towards the server, and towards browsers.

import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";

/** How the server is called; the names are those of files in PEM. */
export interface ServerTls {
  /** Who may have signed its certificate; without it, whom Node trusts. */
  ca?: string;
  /** Our own certificate and its key, for a server that wants one. */
  clientCert?: string;
  clientKey?: string;
  /** The name that its certificate must have, if not that of its address. */
  serverName?: string;
}

/** The files of the certificate that browsers see. */
export interface ListenTls {
  cert: string;
  key: string;
}

const RENEWAL_POLL_MS = 5_000;

function read(what: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`the ${what} ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Throws, with the names of the files, what OpenSSL has against them. No error quotes them. */
function check(options: SecureContextOptions, files: string): void {
  try {
    createSecureContext(options);
  } catch (error) {
    throw new Error(`${files} cannot be used for TLS: ${(error as Error).message}`);
  }
}

/** What Node needs to call the server by. */
export function serverOptions(tls: ServerTls): SecureContextOptions & { servername?: string } {
  const options: SecureContextOptions & { servername?: string } = {};
  if (tls.ca) {
    options.ca = read("CA file", tls.ca);
    if (!options.ca.includes("-----BEGIN CERTIFICATE-----")) {
      throw new Error(`the CA file ${tls.ca} holds no certificate in PEM`);
    }
  }
  if (tls.clientCert) options.cert = read("client's certificate", tls.clientCert);
  if (tls.clientKey) options.key = read("client's private key", tls.clientKey);
  check(options, [tls.ca, tls.clientCert, tls.clientKey].filter((file) => file).join(", "));
  if (tls.serverName) options.servername = tls.serverName;
  return options;
}

/** The certificate that browsers see, with its key. */
export function listenOptions(tls: ListenTls): { cert: string; key: string } {
  const options = { cert: read("certificate", tls.cert), key: read("private key", tls.key) };
  check(options, `${tls.cert} and ${tls.key}`);
  return options;
}

/** Tells of each new certificate in the files until the function that is returned is called. A bad one is only logged. */
export function watchCertificate(tls: ListenTls, renew: (options: { cert: string; key: string }) => void): () => void {
  const changed = () => {
    try {
      renew(listenOptions(tls));
    } catch (error) {
      console.error(`kibitz web: the certificate stays as it was: ${(error as Error).message}`);
    }
  };
  const files = [tls.cert, tls.key];
  for (const file of files) watchFile(file, { interval: RENEWAL_POLL_MS, persistent: false }, changed);
  return () => files.forEach((file) => unwatchFile(file, changed));
}
