// The board: shows the game or the position being set up, and takes moves by pointer and keyboard.

import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";

import type { AppState } from "../app_state.ts";
import { SQUARES } from "../game/fen_fields.ts";
import { BoardCursor } from "./board_cursor.ts";
import { BoardView } from "./board_view.ts";
import { targetsFrom } from "./move_choice.ts";
import { kingInCheck, lastMove, movableSide, shownArrows, shownPlacement } from "./shown_position.ts";

const WHEEL_PAUSE_MS = 60;

const HELP =
  "Chess board. Arrow keys go from square to square, Enter picks a piece up and puts it down, Escape lets it go. " +
  "While a position is set up, letters put pieces on the square.";

function createView(app: AppState, host: HTMLElement): BoardView {
  const settingUp = () => app.setup.fields.value !== undefined;
  return new BoardView(
    host,
    {
      targetsFrom: (square) => (settingUp() ? [...SQUARES] : targetsFrom(app.game.facts.value, square)),
      mayMove: (from, to) => settingUp() || app.mayMove(from, to),
      moved: (from, to) => (settingUp() ? app.setup.move(from, to) : app.moveBetween(from, to)),
    },
    app.flipped.value,
  );
}

/** Keeps the view in step with the game. */
function useBoardView(app: AppState, cursor: BoardCursor, host: RefObject<HTMLElement | null>): void {
  const view = useRef<BoardView | undefined>(undefined);
  useEffect(() => {
    view.current = createView(app, host.current!);
    return () => view.current?.destroy();
  }, [app]);
  useSignalEffect(() => {
    const placement = shownPlacement(app);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches || app.setup.fields.value !== undefined;
    if (placement) view.current?.show(placement, !still);
  });
  useSignalEffect(() => view.current?.setFlipped(app.flipped.value));
  useSignalEffect(() => view.current?.setArrows(app.setup.fields.value ? [] : shownArrows(app)));
  useSignalEffect(() => view.current?.allowMoves(movableSide(app)));
  useSignalEffect(() => {
    const picked = cursor.picked.value;
    const square = cursor.focused.value ? cursor.square.value : undefined;
    const targets = picked && !app.setup.fields.value ? targetsFrom(app.game.facts.value, picked) : [];
    view.current?.setMarks({ lastMove: lastMove(app), check: kingInCheck(app), cursor: square, picked }, targets);
  });
  useSignalEffect(() => {
    if (app.takenBack.value > 0) view.current?.restore();
  });
}

/** The wheel over the board goes through the game. */
function useWheel(app: AppState): (event: WheelEvent) => void {
  const last = useRef(0);
  return (event) => {
    if (event.ctrlKey || event.deltaY === 0 || app.setup.fields.value) return;
    event.preventDefault();
    if (event.timeStamp - last.current < WHEEL_PAUSE_MS) return;
    last.current = event.timeStamp;
    if (event.deltaY > 0) app.game.forward();
    else app.game.back();
  };
}

export function Board({ app }: { app: AppState }) {
  const host = useRef<HTMLDivElement>(null);
  const cursor = useMemo(() => new BoardCursor(app), [app]);
  const onWheel = useWheel(app);
  useBoardView(app, cursor, host);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !cursor.press(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerDown(event: PointerEvent): void {
    const square = (event.target as Element).getAttribute("data-square");
    if (!square || event.button !== 0) return;
    cursor.square.value = square;
    if (app.setup.fields.value) app.setup.apply(square);
  }

  return (
    <div
      ref={host}
      class={app.analysis.threat.value ? "board threat" : "board"}
      data-testid="board"
      tabIndex={0}
      role="application"
      aria-roledescription="chess board"
      aria-label={HELP}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onWheel={onWheel}
      onFocus={(event) => (cursor.focused.value = event.currentTarget.matches(":focus-visible"))}
      onBlur={() => (cursor.focused.value = false)}
    />
  );
}
