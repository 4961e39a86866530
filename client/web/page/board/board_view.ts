// cm-chessboard, told what to show. It owns the pictures and the pointer; what a gesture means is decided outside.

import { Arrows } from "cm-chessboard/src/extensions/arrows/Arrows.js";
import { Markers } from "cm-chessboard/src/extensions/markers/Markers.js";
import { type ArrowType, Chessboard, type InputEvent, type MarkerType } from "cm-chessboard/src/Chessboard.js";

import { EMPTY_PLACEMENT, parsePlacement } from "../game/fen_fields.ts";
import { installSprites } from "./sprites.ts";
import { namePieces } from "./square_cursor.ts";

export interface BoardGestures {
  /** The squares that the piece on a square may go to. */
  targetsFrom(square: string): string[];
  mayMove(from: string, to: string): boolean;
  /** The piece was put down on a square that mayMove allowed. */
  moved(from: string, to: string): void;
}

export interface BoardArrow {
  from: string;
  to: string;
  /** 1 is drawn strongest. */
  rank: number;
}

export interface BoardMarks {
  lastMove: string[];
  check?: string;
  cursor?: string;
  picked?: string;
}

const MARKS = {
  lastMove: { class: "marker-last-move", slice: "markerSquare" },
  check: { class: "marker-check", slice: "markerSquare" },
  cursor: { class: "marker-cursor", slice: "markerFrame" },
  picked: { class: "marker-picked", slice: "markerSquare" },
  target: { class: "marker-target", slice: "markerDot", position: "above" },
} satisfies Record<string, MarkerType>;

const ARROWS: ArrowType[] = [1, 2, 3, 4, 5].map((rank) => ({ class: `arrow-rank-${rank}` }));
const ANIMATION_MS = 160;

export class BoardView {
  readonly #board: Chessboard;
  #shown = EMPTY_PLACEMENT;
  #wanted: { placement: string; animated: boolean } | undefined;
  #busy = false;
  #arrows = "";
  #marks = "";

  constructor(
    private readonly host: HTMLElement,
    private readonly gestures: BoardGestures,
    flipped: boolean,
  ) {
    installSprites();
    this.#board = new Chessboard(host, {
      orientation: flipped ? "b" : "w",
      style: { cssClass: "kibitz", animationDuration: ANIMATION_MS },
      extensions: [
        { class: Markers, props: { autoMarkers: null } },
        { class: Arrows, props: { headSize: 5 } },
      ],
    });
  }

  /** Shows pieces. Of many wishes in a short time only the last is carried out: the board draws one after the other. */
  show(placement: string, animated: boolean): void {
    this.#wanted = { placement, animated };
    if (!this.#busy) void this.#carryOut();
  }

  async #carryOut(): Promise<void> {
    this.#setBusy(true);
    while (this.#wanted) {
      const { placement, animated } = this.#wanted;
      this.#wanted = undefined;
      this.#shown = placement;
      this.host.querySelector("svg")?.setAttribute("aria-label", namePieces(parsePlacement(placement)));
      await this.#board.setPosition(placement, animated);
    }
    this.#setBusy(false);
  }

  /** The page's tests wait for the attribute: while it is set the library may drop a gesture. */
  #setBusy(busy: boolean): void {
    this.#busy = busy;
    this.host.dataset.busy = String(busy);
  }

  /** Puts the pieces back where they belong after a gesture that came to nothing. */
  restore(): void {
    this.show(this.#shown, false);
  }

  setFlipped(flipped: boolean): void {
    const color = flipped ? "b" : "w";
    if (this.#board.getOrientation() !== color) void this.#board.setOrientation(color, false);
  }

  /** Lets the pointer move the pieces of one side, of both, or of none. */
  allowMoves(side: "w" | "b" | "both" | "none"): void {
    if (this.#board.isMoveInputEnabled()) this.#board.disableMoveInput();
    if (side !== "none") this.#board.enableMoveInput((event) => this.#input(event), side === "both" ? undefined : side);
  }

  #input(event: InputEvent): boolean | void {
    switch (event.type) {
      case "moveInputStarted": {
        const targets = this.gestures.targetsFrom(event.squareFrom);
        this.#showTargets(targets, event.squareFrom);
        return targets.length > 0;
      }
      case "validateMoveInput":
        // Who moves a piece knows where it went; and while the board animates it takes no other move.
        event.animate = false;
        return this.gestures.mayMove(event.squareFrom, event.squareTo!);
      case "moveInputFinished":
        this.#showTargets([]);
        if (event.legalMove) this.gestures.moved(event.squareFrom, event.squareTo!);
        return;
      case "moveInputCanceled":
        this.#showTargets([]);
        return;
    }
  }

  #showTargets(targets: readonly string[], source?: string): void {
    this.#board.removeMarkers(MARKS.target);
    this.#board.removeMarkers(MARKS.picked);
    if (source && targets.length > 0) this.#board.addMarker(MARKS.picked, source);
    for (const square of targets) this.#board.addMarker(MARKS.target, square);
  }

  setMarks(marks: BoardMarks, targets: readonly string[] = []): void {
    const wanted = JSON.stringify([marks, targets]);
    if (wanted === this.#marks) return;
    this.#marks = wanted;
    this.#board.removeMarkers();
    for (const square of marks.lastMove) this.#board.addMarker(MARKS.lastMove, square);
    if (marks.check) this.#board.addMarker(MARKS.check, marks.check);
    if (marks.picked) this.#board.addMarker(MARKS.picked, marks.picked);
    if (marks.cursor) this.#board.addMarker(MARKS.cursor, marks.cursor);
    for (const square of targets) this.#board.addMarker(MARKS.target, square);
  }

  setArrows(arrows: readonly BoardArrow[]): void {
    const wanted = JSON.stringify(arrows);
    if (wanted === this.#arrows) return;
    this.#arrows = wanted;
    this.#board.removeArrows();
    // The strongest last, so that it lies on top.
    for (const { from, to, rank } of [...arrows].reverse()) this.#board.addArrow(ARROWS[rank - 1]!, from, to);
  }

  destroy(): void {
    this.#board.destroy();
  }
}
