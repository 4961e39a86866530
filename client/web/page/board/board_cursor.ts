// Moves by keyboard on the board: a cursor that goes from square to square, and the piece that it has picked up.

import { signal } from "@preact/signals";

import type { AppState } from "../app_state.ts";
import { parsePlacement } from "../game/fen_fields.ts";
import { targetsFrom } from "./move_choice.ts";
import { shownPlacement } from "./shown_position.ts";
import { namePiece, nameSquare, stepSquare } from "./square_cursor.ts";

export class BoardCursor {
  readonly square = signal("e2");
  readonly picked = signal<string | undefined>(undefined);
  /** The keyboard is on the board, so that the cursor should be seen. */
  readonly focused = signal(false);

  constructor(private readonly app: AppState) {}

  /** Returns whether the key was meant for the board. */
  press(key: string): boolean {
    const next = stepSquare(this.square.value, key, this.app.flipped.value);
    if (next) {
      this.square.value = next;
      this.app.announcer.say(nameSquare(next, this.#pieces()));
      return true;
    }
    if (key === "Enter" || key === " ") {
      this.#pickOrPut();
      return true;
    }
    if (key === "Escape" && this.picked.value) {
      this.picked.value = undefined;
      return true;
    }
    return this.app.setup.fields.value !== undefined && this.#edit(key);
  }

  #pieces(): Map<string, string> {
    return parsePlacement(shownPlacement(this.app) ?? "");
  }

  /** While a position is set up, letters put pieces on the square. */
  #edit(key: string): boolean {
    const square = this.square.value;
    if (/^[pnbrqk]$/i.test(key)) {
      this.app.setup.put(square, key);
      this.app.announcer.say(`${namePiece(key)} on ${square}`);
      return true;
    }
    if (key !== "Delete" && key !== "Backspace") return false;
    this.app.setup.erase(square);
    return true;
  }

  #pickOrPut(): void {
    const source = this.picked.value;
    this.picked.value = undefined;
    if (source) this.#putDown(source, this.square.value);
    else this.#pickUp(this.square.value);
  }

  #pickUp(square: string): void {
    const { setup, game, mover, announcer } = this.app;
    const movable = setup.fields.value
      ? this.#pieces().has(square)
      : mover.value !== "none" && targetsFrom(game.facts.value, square).length > 0;
    if (movable) this.picked.value = square;
    announcer.say(movable ? `${nameSquare(square, this.#pieces())}, picked up` : "Nothing to move here");
  }

  #putDown(source: string, square: string): void {
    if (this.app.setup.fields.value) this.app.setup.move(source, square);
    else if (this.app.mayMove(source, square)) this.app.moveBetween(source, square);
    else this.app.announcer.say(source === square ? "Put back" : `Not legal: ${source} to ${square}`);
  }
}
