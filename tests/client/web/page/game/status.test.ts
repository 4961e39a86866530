import { describe, expect, it } from "vitest";

import { GameStatus } from "../../../../../client/web/generated/kibitz/v1/position_pb.ts";
import { describeStatus, gameOver } from "../../../../../client/web/page/game/status.ts";
import { facts } from "../legal_moves.ts";

const standing = (status: GameStatus, side = "w", inCheck = false) => ({ ...facts(`x ${side}`), status, inCheck });

describe("describeStatus", () => {
  it.each([
    [standing(GameStatus.ONGOING), "White to move"],
    [standing(GameStatus.ONGOING, "b", true), "Black to move; check"],
    [standing(GameStatus.CHECKMATE, "w", true), "Checkmate: Black wins"],
    [standing(GameStatus.STALEMATE), "Draw by stalemate"],
    [standing(GameStatus.THREEFOLD_REPETITION), "White to move; a draw by threefold repetition can be claimed"],
    [standing(GameStatus.DEAD_POSITION), "Draw: neither side can mate"],
  ])("tells %#", (position, words) => expect(describeStatus(position)).toBe(words));

  it("does not end a game by a draw that nobody has claimed", () => {
    expect(gameOver(GameStatus.FIFTY_MOVES)).toBe(false);
    expect(gameOver(GameStatus.SEVENTY_FIVE_MOVES)).toBe(true);
    expect(gameOver(GameStatus.CHECKMATE)).toBe(true);
  });
});
