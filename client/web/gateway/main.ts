// `./kibitz web` as a program. Flags, signals and words; all else is in the modules beside it.

import { type Flags, formatAddress, isLoopback, parseFlags, usage, UsageError } from "./flags.ts";
import { Gateway } from "./gateway.ts";
import { readKey } from "./key.ts";
import { ServerProcess } from "./server_process.ts";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

function fail(message: string, code: number): never {
  console.error(`kibitz web: ${message}`);
  process.exit(code);
}

function readFlags(): Flags {
  try {
    const flags = parseFlags(process.argv.slice(2), process.env);
    if (flags !== "help") return flags;
  } catch (error) {
    if (error instanceof UsageError) fail(`${error.message}; ./kibitz web --help tells more`, EXIT_USAGE);
    throw error;
  }
  process.stdout.write(usage);
  process.exit(0);
}

/** The key, unless it would leave this machine in plaintext. */
function keyFor(flags: Flags): string | undefined {
  const key = readKey(flags.keyFile, process.env);
  const { server, serverTls, insecure } = flags;
  if (key && server && !serverTls && !insecure && !isLoopback(server.host)) {
    throw new Error(
      `the key would go to ${formatAddress(server)} in plaintext, for all on the way to read: name the server's CA by ` +
        "--tls-ca FILE, or say --insecure if nobody else is on the way",
    );
  }
  return key;
}

async function run(flags: Flags): Promise<void> {
  const own = flags.server
    ? undefined
    : new ServerProcess(flags.kibitzd!, flags.store, (reason) => fail(reason, EXIT_FAILED));
  let gateway: Gateway | undefined;
  const stop = async () => {
    await gateway?.stop();
    await own?.stop();
    process.exit(0);
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  try {
    const key = keyFor(flags);
    const server = flags.server ?? (await own!.start());
    gateway = new Gateway({ ...flags, server, key });
    console.log(`${flags.listenTls ? "https" : "http"}://${formatAddress(await gateway.start())}/`);
    console.error(`kibitz web: asking kibitzd at ${formatAddress(server)}; Ctrl-C ends`);
  } catch (error) {
    await own?.stop();
    fail((error as Error).message, EXIT_FAILED);
  }
}

await run(readFlags());
