// How long to wait before trying again: half a second at first, doubled up to five.

const FIRST_MS = 500;
const LAST_MS = 5000;

export function backoffMs(attempt: number, askedFor?: number): number {
  return Math.max(askedFor ?? 0, Math.min(FIRST_MS * 2 ** attempt, LAST_MS));
}

/** Resolves after the time; rejects with the signal's reason as soon as it aborts. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
