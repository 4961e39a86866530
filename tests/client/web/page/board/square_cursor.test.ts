import { describe, expect, it } from "vitest";

import { namePiece, namePieces, nameSquare, stepSquare } from "../../../../../client/web/page/board/square_cursor.ts";

describe("SquareCursor", () => {
  it("steps as the board is seen", () => {
    expect(stepSquare("e4", "ArrowUp", false)).toBe("e5");
    expect(stepSquare("e4", "ArrowUp", true)).toBe("e3");
    expect(stepSquare("e4", "ArrowLeft", false)).toBe("d4");
    expect(stepSquare("e4", "ArrowLeft", true)).toBe("f4");
  });

  it("stays on the board", () => {
    expect(stepSquare("h8", "ArrowUp", false)).toBe("h8");
    expect(stepSquare("h8", "ArrowRight", false)).toBe("h8");
    expect(stepSquare("h8", "ArrowDown", true)).toBe("h8");
  });

  it("leaves other keys alone", () => expect(stepSquare("e4", "a", false)).toBeUndefined());

  it("names squares and pieces", () => {
    expect(namePiece("n")).toBe("black knight");
    expect(nameSquare("f3", new Map([["f3", "N"]]))).toBe("f3, white knight");
    expect(nameSquare("f4", new Map())).toBe("f4, empty");
    expect(
      namePieces(
        new Map([
          ["e8", "k"],
          ["f3", "N"],
          ["e1", "K"],
        ]),
      ),
    ).toBe("White: knight f3, king e1. Black: king e8.");
  });
});
