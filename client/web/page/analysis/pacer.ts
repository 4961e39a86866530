// Passes values on at a bounded rate: the first at once, then the latest, never more often than the interval.

export class Pacer<T> {
  #waiting: { value: T } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly intervalMs: number,
    private readonly deliver: (value: T) => void,
  ) {}

  offer(value: T): void {
    if (this.#timer !== undefined) {
      this.#waiting = { value };
      return;
    }
    this.deliver(value);
    this.#timer = setTimeout(() => this.#elapsed(), this.intervalMs);
  }

  /** Forgets what waits. The pace stays. */
  drop(): void {
    this.#waiting = undefined;
  }

  #elapsed(): void {
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) this.offer(waiting.value);
  }
}
