// When a server that died is started again, and when no more.

export interface RestartLimits {
  /** Deaths in a row, none of them after a time of health, that end it all when one more follows. */
  maxRestarts: number;
  /** Before the first restart; doubled before each further one, up to maxDelayMs. */
  minDelayMs: number;
  maxDelayMs: number;
  /** A server that listened for so long was in health: its death is counted as the first. */
  healthyMs: number;
}

const LIMITS: RestartLimits = { maxRestarts: 5, minDelayMs: 500, maxDelayMs: 8000, healthyMs: 60_000 };

export class RestartPolicy {
  readonly #limits: RestartLimits;
  #deaths = 0;
  #listeningSince: number | undefined;

  constructor(
    limits: Partial<RestartLimits> = {},
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** The server listens. */
  listening(): void {
    this.#listeningSince = this.now();
  }

  /** The server died, listening or on the way there. Returns how long to wait before the next start, or undefined. */
  died(): number | undefined {
    const { maxRestarts, minDelayMs, maxDelayMs, healthyMs } = this.#limits;
    const since = this.#listeningSince;
    this.#listeningSince = undefined;
    if (since !== undefined && this.now() - since >= healthyMs) this.#deaths = 0;
    if (++this.#deaths > maxRestarts) return undefined;
    return Math.min(minDelayMs * 2 ** (this.#deaths - 1), maxDelayMs);
  }

  /** The deaths in a row, in words. */
  describe(): string {
    return `${this.#deaths} times in a row, never up for ${this.#limits.healthyMs / 1000} s`;
  }
}
