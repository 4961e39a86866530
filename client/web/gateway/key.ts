// The key that the gateway shows to the server.

import { readFileSync } from "node:fs";

/** Reads a file, or else takes KIBITZ_KEY; undefined where there is neither. No error quotes a key. */
export function readKey(file: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const key = environment.KIBITZ_KEY;
  if (file) return checkKey(readKeyFile(file), `the key file ${file}`);
  return key ? checkKey(key, "KIBITZ_KEY") : undefined;
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`the key file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A header must be able to carry it. */
function checkKey(key: string, source: string): string {
  if (key === "") throw new Error(`${source} is empty`);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`${source} holds something that no key has: a space or no ASCII`);
  return key;
}
