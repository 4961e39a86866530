// A position that is being set up by hand. The server judges it at the end.

import { signal } from "@preact/signals";

import { Variant } from "../../generated/kibitz/v1/position_pb.ts";
import {
  EMPTY_PLACEMENT,
  type FenFields,
  formatFen,
  formatPlacement,
  parseFen,
  parsePlacement,
  START_FEN,
} from "../game/fen_fields.ts";

/** A FEN letter, or what takes pieces off or moves them. */
export type Tool = string | "erase" | "move";

export class Setup {
  /** Undefined while no position is being set up. */
  readonly fields = signal<FenFields | undefined>(undefined);
  readonly tool = signal<Tool>("move");
  readonly variant = signal(Variant.STANDARD);
  readonly problem = signal("");

  begin(fen: string, variant: Variant): void {
    this.variant.value = variant;
    this.problem.value = "";
    this.fields.value = parseFen(fen);
  }

  end(): void {
    this.fields.value = undefined;
  }

  change(wish: Partial<FenFields>): void {
    if (!this.fields.value) return;
    this.problem.value = "";
    this.fields.value = { ...this.fields.value, ...wish };
  }

  clear(): void {
    this.change({ ...parseFen(""), placement: EMPTY_PLACEMENT });
  }

  reset(): void {
    this.change(parseFen(START_FEN));
  }

  #edit(edit: (pieces: Map<string, string>) => void): void {
    if (!this.fields.value) return;
    const pieces = parsePlacement(this.fields.value.placement);
    edit(pieces);
    this.change({ placement: formatPlacement(pieces), enPassant: "-" });
  }

  /** Puts a piece on a square; the same piece again takes it off. */
  put(square: string, letter: string): void {
    this.#edit((pieces) => (pieces.get(square) === letter ? pieces.delete(square) : pieces.set(square, letter)));
  }

  erase(square: string): void {
    this.#edit((pieces) => pieces.delete(square));
  }

  move(from: string, to: string): void {
    this.#edit((pieces) => {
      const piece = pieces.get(from);
      if (!piece || from === to) return;
      pieces.delete(from);
      pieces.set(to, piece);
    });
  }

  /** What a click on a square does with the chosen tool. */
  apply(square: string): void {
    const tool = this.tool.value;
    if (tool === "erase") this.erase(square);
    else if (tool !== "move") this.put(square, tool);
  }

  toggleCastling(right: string): void {
    const rights = this.fields.value?.castling.replace("-", "") ?? "";
    const wanted = [..."KQkq"].filter((letter) => rights.includes(letter) !== (letter === right));
    this.change({ castling: wanted.join("") || "-" });
  }

  fen(): string {
    return this.fields.value ? formatFen(this.fields.value) : "";
  }
}
