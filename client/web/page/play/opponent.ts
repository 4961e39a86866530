// The engine as an opponent: it answers as soon as it is its turn.

import { create } from "@bufbuild/protobuf";
import { effect, signal, untracked } from "@preact/signals";

import { type AnalyzeRequest, AnalyzeRequestSchema } from "../../generated/kibitz/v1/analysis_pb.ts";
import { Color } from "../../generated/kibitz/v1/position_pb.ts";
import type { AnalyzeCall } from "../analysis/analyzer.ts";
import type { Game } from "../game/game.ts";
import { movesTo } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { gameOver } from "../game/status.ts";
import { backoffMs, wait } from "../rpc/backoff.ts";
import { describeFailure, worthRetrying } from "../rpc/failure.ts";

export interface PlaySettings {
  human: Color.WHITE | Color.BLACK;
  /** 0: full strength. */
  elo: number;
  seconds: number;
}

/** The range that the service knows. */
export const MIN_ELO = 1000;
export const MAX_ELO = 3000;

export type OpponentState = { kind: "thinking" } | { kind: "waiting" } | { kind: "stuck"; message: string };

export class Opponent {
  /** Undefined while nobody plays. */
  readonly playing = signal<PlaySettings | undefined>(undefined);
  readonly state = signal<OpponentState>({ kind: "waiting" });
  /** What the player should know, such as that the strength cannot be limited. */
  readonly notice = signal("");
  #abort = new AbortController();

  constructor(
    private readonly call: AnalyzeCall,
    private readonly game: Game,
  ) {
    effect(() => this.#follow());
  }

  begin(settings: PlaySettings): void {
    this.notice.value = "";
    this.playing.value = settings;
  }

  end(): void {
    this.playing.value = undefined;
  }

  #follow(): void {
    const settings = this.playing.value;
    const facts = this.game.facts.value;
    this.#abort.abort();
    this.state.value = { kind: "waiting" };
    if (!settings || !facts || gameOver(facts.status) || facts.sideToMove === settings.human) return;
    // Where the game went on already, somebody is only looking back.
    if (this.game.current.value.children.length > 0) return;
    this.#abort = new AbortController();
    const stop = this.#abort.signal;
    untracked(() => void this.#answer(settings, stop).catch(() => {}));
  }

  async #answer(settings: PlaySettings, stop: AbortSignal): Promise<void> {
    this.state.value = { kind: "thinking" };
    const node = this.game.current.value;
    for (let attempt = 0; !stop.aborted; attempt++) {
      try {
        const uci = await this.#bestMove(settings, stop);
        const move = this.game.facts.value?.moves.find((legal) => legal.uci === uci);
        if (!stop.aborted && move && this.game.current.value === node) this.game.play(move.uci, move.san);
        return;
      } catch (error) {
        if (stop.aborted) return;
        const failure = describeFailure(error);
        if (failure.kind === "unsupported" && settings.elo > 0) {
          this.notice.value = "This server cannot limit its strength: the engine plays as well as it can.";
          this.playing.value = { ...settings, elo: 0 };
          return;
        }
        this.state.value = { kind: "stuck", message: failure.message };
        if (!worthRetrying(failure)) return;
        await wait(backoffMs(attempt, failure.retryMs), stop);
      }
    }
  }

  #request(settings: PlaySettings): AnalyzeRequest {
    return create(AnalyzeRequestSchema, {
      position: toPosition(this.game.tree.value.start, movesTo(this.game.current.value)),
      limits: { movetime: { seconds: BigInt(settings.seconds) } },
      strengthElo: settings.elo,
    });
  }

  async #bestMove(settings: PlaySettings, stop: AbortSignal): Promise<string> {
    for await (const { event } of this.call(this.#request(settings), stop)) {
      if (event.case === "final") return event.value.bestMove;
    }
    return "";
  }
}
