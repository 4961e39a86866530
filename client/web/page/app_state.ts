// The parts of the page and how they are tied together.

import { computed, effect, signal, untracked } from "@preact/signals";

import { Color, type Move, Variant } from "../generated/kibitz/v1/position_pb.ts";
import { Analysis } from "./analysis/analysis.ts";
import type { AnalyzeCall } from "./analysis/analyzer.ts";
import { Evaluations } from "./analysis/evaluations.ts";
import { evaluateEnd } from "./analysis/score.ts";
import { movesBetween } from "./board/move_choice.ts";
import { Game } from "./game/game.ts";
import { GameFile } from "./game/game_file.ts";
import { GameImport } from "./game/game_import.ts";
import { Positions } from "./game/positions.ts";
import { gameOver } from "./game/status.ts";
import { Opponent } from "./play/opponent.ts";
import { Lesson } from "./review/lesson.ts";
import { Review } from "./review/review.ts";
import { Connection } from "./rpc/connection.ts";
import type { Service } from "./rpc/service.ts";
import { Setup } from "./setup/setup.ts";
import { announceAnalysis, announceGame, announceLesson, announceReview } from "./shell/announcements.ts";
import { Announcer } from "./shell/announcer.ts";
import { takeDroppedFiles } from "./shell/file_drop.ts";
import { followAddress, followGame } from "./shell/page_address.ts";
import { LOAD_INTERVAL_MS } from "./shell/server_load.tsx";

export class AppState {
  readonly announcer = new Announcer();
  /** Apart, so that news of the analysis never cuts off a move. */
  readonly analysisAnnouncer = new Announcer();
  readonly evaluations = new Evaluations();
  readonly setup = new Setup();
  readonly flipped = signal(false);
  /** The moves among which the player has to choose: a pawn's promotions. */
  readonly promotion = signal<Move[]>([]);
  /** Counts the moves that were begun on the board and came to nothing. */
  readonly takenBack = signal(0);
  readonly connection: Connection;
  readonly positions: Positions;
  readonly game: Game;
  readonly gameImport: GameImport;
  readonly gameFile: GameFile;
  readonly analysis: Analysis;
  readonly review: Review;
  readonly lesson: Lesson;
  readonly opponent: Opponent;

  constructor(readonly service: Service) {
    const analyze: AnalyzeCall = (request, signal) => service.analyze(request, { signal });
    this.connection = new Connection(() => service.getServerInfo({}, { timeoutMs: 5000 }));
    this.positions = new Positions((position, signal) => service.legalMoves({ position }, { signal, timeoutMs: 5000 }));
    this.game = new Game(this.positions, () => this.connection.reportGone());
    this.gameImport = new GameImport(this.game, this.positions);
    this.gameFile = new GameFile((text) => this.load(text));
    this.analysis = new Analysis(analyze, this.game, this.connection, this.evaluations);
    this.review = new Review(
      (request, signal) => service.analyzeGame(request, { signal }),
      this.game,
      this.evaluations,
      () => this.connection.reportGone(),
    );
    this.lesson = new Lesson(analyze, this.game, this.review);
    this.opponent = new Opponent(analyze, this.game);
  }

  /** Begins to work: asks the server, shows what the address says, follows the game. */
  start(): void {
    void this.connection.establish();
    takeDroppedFiles(this);
    announceGame(this.game, this.announcer);
    announceAnalysis(this.analysis, this.analysisAnnouncer);
    announceReview(this.review, this.announcer);
    announceLesson(this.lesson, this.announcer);
    const loaded = signal(false);
    void followAddress(this).then(() => {
      followGame(this);
      loaded.value = true;
    });
    const visible = signal(!document.hidden);
    document.addEventListener("visibilitychange", () => (visible.value = !document.hidden));
    effect(() => {
      const playing = this.opponent.playing.value !== undefined;
      const reviewing = this.review.running.value || this.lesson.asking.value;
      const busy = playing || this.setup.fields.value !== undefined || reviewing;
      this.analysis.suspended.value = busy || !visible.value || !loaded.value;
    });
    // How busy the server is, is asked while somebody looks.
    effect(() => {
      if (!visible.value) return;
      const timer = setInterval(() => void this.connection.refresh(), LOAD_INTERVAL_MS);
      return () => clearInterval(timer);
    });
    // The end of a game needs no search to be scored.
    effect(() => {
      const facts = this.game.facts.value;
      const end = facts && evaluateEnd(facts.status, facts.sideToMove === Color.WHITE);
      untracked(() => this.evaluations.record(this.game.current.value, end, 0));
    });
    // A server that is back is asked at once for what is missing.
    effect(() => {
      if (this.connection.state.value.kind === "ready") untracked(() => this.game.retry());
    });
  }

  /** The side whose pieces may be moved now. */
  readonly mover = computed<"w" | "b" | "none">(() => {
    const facts = this.game.facts.value;
    const playing = this.opponent.playing.value;
    if (!facts || gameOver(facts.status) || (playing && playing.human !== facts.sideToMove)) return "none";
    return facts.sideToMove === Color.WHITE ? "w" : "b";
  });

  mayMove(from: string, to: string): boolean {
    return this.mover.value !== "none" && movesBetween(this.game.facts.value, from, to).length > 0;
  }

  /** Plays the move between two squares, or asks what the pawn shall become. */
  moveBetween(from: string, to: string): void {
    const moves = movesBetween(this.game.facts.value, from, to);
    if (moves.length === 1) this.play(moves[0]!);
    else this.promotion.value = moves;
  }

  cancelPromotion(): void {
    if (this.promotion.value.length === 0) return;
    this.promotion.value = [];
    this.takenBack.value++;
  }

  play(move: Move): void {
    this.promotion.value = [];
    if (this.mover.value === "none") return;
    if (!this.lesson.onBoard.value) return this.game.play(move.uci, move.san);
    void this.lesson.judge(move);
    this.takenBack.value++;
  }

  /** Puts a FEN or a PGN on the board, whatever was going on there. */
  async load(text: string, variant = Variant.STANDARD): Promise<void> {
    this.opponent.end();
    this.setup.end();
    await this.gameImport.load(text, variant);
  }

  /** Gives the board to somebody else. What the review has found stays. */
  endReview(): void {
    this.review.cancel();
    this.lesson.leave();
  }

  startOver(): void {
    this.opponent.end();
    this.setup.end();
    this.gameImport.reset();
  }
}
