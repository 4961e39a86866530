// One analysis at a time: starting another cancels the one before at once. A server that is gone is tried again, and
// what it had found stays on show meanwhile.

import {
  type AnalysisUpdate,
  type AnalyzeRequest,
  type AnalyzeResponse,
  StopReason,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import { Code, ConnectError } from "@connectrpc/connect";

import { backoffMs, wait } from "../rpc/backoff.ts";
import { describeFailure, type Failure, worthRetrying } from "../rpc/failure.ts";
import { Pacer } from "./pacer.ts";

export type AnalysisPhase =
  | { kind: "idle" }
  | { kind: "starting" }
  | { kind: "queued"; place: number }
  | { kind: "searching" }
  | { kind: "finished"; reason: StopReason }
  | { kind: "retrying"; failure: Failure }
  | { kind: "refused"; failure: Failure };

/** What there is to show of the analysis of a subject. */
export interface AnalysisView<Subject> {
  subject: Subject;
  phase: AnalysisPhase;
  update?: AnalysisUpdate;
}

export type AnalyzeCall = (request: AnalyzeRequest, signal: AbortSignal) => AsyncIterable<AnalyzeResponse>;

/** Ten redraws a second are enough to look live, and leave the page time for all else. */
const REDRAW_INTERVAL_MS = 100;

export class Analyzer<Subject> {
  readonly #pacer: Pacer<AnalysisView<Subject>>;
  #abort?: AbortController;
  #view?: AnalysisView<Subject>;

  constructor(
    private readonly call: AnalyzeCall,
    show: (view: AnalysisView<Subject>) => void,
    private readonly onGone: () => void = () => {},
  ) {
    this.#pacer = new Pacer(REDRAW_INTERVAL_MS, show);
  }

  start(subject: Subject, request: AnalyzeRequest): void {
    this.#abort?.abort();
    this.#abort = new AbortController();
    this.#pacer.drop();
    this.#view = { subject, phase: { kind: "starting" } };
    this.#pacer.offer(this.#view);
    void this.#run(request, this.#abort.signal);
  }

  /** Cancels the analysis; what it found stays on show. */
  stop(): void {
    if (!this.#abort) return;
    this.#abort.abort();
    this.#abort = undefined;
    this.#show({ kind: "idle" });
  }

  #show(phase: AnalysisPhase, update = this.#view?.update): void {
    if (!this.#view) return;
    this.#view = { ...this.#view, phase, update };
    this.#pacer.offer(this.#view);
  }

  async #run(request: AnalyzeRequest, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        for await (const { event } of this.call(request, signal)) {
          if (signal.aborted) return;
          attempt = 0;
          if (event.case === "queued") this.#show({ kind: "queued", place: event.value.place });
          if (event.case === "update") this.#show({ kind: "searching" }, event.value);
          if (event.case !== "final") continue;
          const { stopReason: reason, result } = event.value;
          if (reason === StopReason.SHUTDOWN) break;
          return this.#show({ kind: "finished", reason }, result);
        }
        throw new ConnectError("the stream broke off", Code.Unavailable);
      } catch (error) {
        if (signal.aborted) return;
        const failure = describeFailure(error);
        if (!worthRetrying(failure)) return this.#show({ kind: "refused", failure });
        if (failure.kind === "gone") this.onGone();
        this.#show({ kind: "retrying", failure });
        await wait(backoffMs(attempt, failure.retryMs), signal).catch(() => {});
      }
    }
  }
}
