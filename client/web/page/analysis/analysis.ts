// Keeps the analysis on the position shown: whatever changes, the old search is cancelled and the right one started.

import { computed, effect, signal, untracked } from "@preact/signals";

import { passMove } from "../game/fen_fields.ts";
import type { Game } from "../game/game.ts";
import { type GameNode, movesTo, whiteToMoveAt } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import type { Connection } from "../rpc/connection.ts";
import { type AnalysisView, type AnalyzeCall, Analyzer } from "./analyzer.ts";
import type { Evaluations } from "./evaluations.ts";
import { evaluate } from "./score.ts";
import { type AnalysisSettings, boundsOf, readSettings, toRequest, withinBounds } from "./settings.ts";

export interface Subject {
  node: GameNode;
  /** The search is about what the opponent would do if the mover passed. */
  threat: boolean;
  whiteToMove: boolean;
}

const STORAGE_KEY = "kibitz.analysis";

export class Analysis {
  readonly settings = signal<AnalysisSettings>(readSettings(localStorage.getItem(STORAGE_KEY)));
  readonly threat = signal(false);
  /** Somebody else has the board: a link that is read, a game against the engine, the set-up, nobody. */
  readonly suspended = signal(true);
  readonly view = signal<AnalysisView<Subject> | undefined>(undefined);
  readonly bounds = computed(() => boundsOf(this.connection.info.value?.caps));
  readonly #analyzer: Analyzer<Subject>;

  constructor(
    call: AnalyzeCall,
    private readonly game: Game,
    private readonly connection: Connection,
    private readonly evaluations: Evaluations,
  ) {
    this.#analyzer = new Analyzer(
      call,
      (view) => this.#show(view),
      () => connection.reportGone(),
    );
    effect(() => localStorage.setItem(STORAGE_KEY, JSON.stringify(this.settings.value)));
    effect(() => this.#follow());
  }

  change(wish: Partial<AnalysisSettings>): void {
    this.settings.value = withinBounds({ ...this.settings.value, ...wish }, this.bounds.value);
  }

  toggle(): void {
    this.change({ on: !this.settings.value.on });
  }

  /** Until the server has said what it allows, the user's wishes are tried as they are. */
  #allowed(): AnalysisSettings {
    const settings = this.settings.value;
    return this.connection.info.value ? withinBounds(settings, this.bounds.value) : settings;
  }

  /** All that a running search depends on, so that nothing else restarts it. */
  readonly #wish = computed(() => {
    const { on, lines, threads, limit, seconds, depth } = this.#allowed();
    const running = on && !this.suspended.value;
    const bound = limit === "time" ? seconds : limit === "depth" ? depth : 0;
    return JSON.stringify([running, lines, threads, limit, bound]);
  });

  #follow(): void {
    const [running] = JSON.parse(this.#wish.value) as [boolean];
    const node = this.game.current.value;
    const start = this.game.tree.value.start;
    const threat = this.threat.value;
    const fen = threat ? this.game.facts.value?.fen : undefined;
    if (!running || (threat && (!fen || this.game.facts.value?.inCheck))) return this.#analyzer.stop();
    untracked(() => {
      const position = fen ? toPosition({ ...start, fen: passMove(fen) }, []) : toPosition(start, movesTo(node));
      const whiteToMove = whiteToMoveAt(this.game.tree.value, node) !== threat;
      this.#analyzer.start({ node, threat, whiteToMove }, toRequest(position, this.#allowed()));
    });
  }

  #show(view: AnalysisView<Subject>): void {
    this.view.value = view;
    const { node, threat, whiteToMove } = view.subject;
    const best = view.update?.lines[0];
    if (best && !threat) this.evaluations.record(node, evaluate(best.score, whiteToMove), view.update!.depth);
  }
}
