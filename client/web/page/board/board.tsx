// The board: shows the game or the position being set up, and takes moves by pointer and keyboard.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import type { AppState } from "../app_state.ts";
import { parseFen, parsePlacement } from "../game/fen_fields.ts";
import { nameMan, nameSquare, stepSquare } from "./square_cursor.ts";
import { targetsFrom } from "./move_choice.ts";
import { type BoardArrow, BoardView } from "./board_view.ts";

const WHEEL_PAUSE_MS = 60;

const HELP =
  "Chess board. Arrow keys go from square to square, Enter picks a man up and puts it down, Escape lets it go. " +
  "While a position is set up, letters put men on the square.";

/** The men on show, as a placement; undefined until the server has answered. */
function shownPlacement(app: AppState): string | undefined {
  return app.setup.fields.value?.placement ?? app.game.facts.value?.fen.split(" ", 1)[0];
}

function shownArrows(app: AppState): BoardArrow[] {
  const view = app.analysis.view.value;
  const hidden = !app.analysis.settings.value.arrows || !app.analysis.settings.value.on || app.analysis.suspended.value;
  if (hidden || !view || view.subject.node !== app.game.current.value) return [];
  if (view.subject.threat !== app.analysis.threat.value) return [];
  return (view.update?.lines ?? []).flatMap(({ rank, pvUci: [uci] }) =>
    uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), rank: Math.min(rank, 5) }] : [],
  );
}

function kingInCheck(app: AppState): string | undefined {
  const facts = app.game.facts.value;
  if (!facts?.inCheck) return undefined;
  const { placement, side } = parseFen(facts.fen);
  const king = side === "w" ? "K" : "k";
  return [...parsePlacement(placement)].find(([, man]) => man === king)?.[0];
}

function createView(app: AppState, host: HTMLElement): BoardView {
  const settingUp = () => app.setup.fields.value !== undefined;
  const anySquare = [..."abcdefgh"].flatMap((file) => [..."12345678"].map((rank) => file + rank));
  return new BoardView(
    host,
    {
      targetsFrom: (square) => (settingUp() ? anySquare : targetsFrom(app.game.facts.value, square)),
      mayMove: (from, to) => settingUp() || app.mayMove(from, to),
      moved: (from, to) => (settingUp() ? app.setup.move(from, to) : app.moveBetween(from, to)),
    },
    app.flipped.value,
  );
}

export function Board({ app }: { app: AppState }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<BoardView | undefined>(undefined);
  const cursor = useSignal("e2");
  const picked = useSignal<string | undefined>(undefined);
  const focused = useSignal(false);

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
  useSignalEffect(() => {
    const settingUp = app.setup.fields.value !== undefined;
    view.current?.allowMoves(settingUp ? (app.setup.tool.value === "move" ? "both" : "none") : app.mover.value);
  });
  useSignalEffect(() => {
    const settingUp = app.setup.fields.value !== undefined;
    const { uci } = app.game.current.value;
    view.current?.setMarks(
      {
        lastMove: settingUp || !uci ? [] : [uci.slice(0, 2), uci.slice(2, 4)],
        check: settingUp ? undefined : kingInCheck(app),
        cursor: focused.value ? cursor.value : undefined,
        picked: picked.value,
      },
      picked.value && !settingUp ? targetsFrom(app.game.facts.value, picked.value) : [],
    );
  });
  useSignalEffect(() => {
    if (app.takenBack.value > 0) view.current?.restore();
  });

  const men = () => parsePlacement(shownPlacement(app) ?? "");

  function putDown(square: string): void {
    const source = picked.value;
    picked.value = undefined;
    if (!source) {
      const mayStart = app.setup.fields.value
        ? men().has(square)
        : targetsFrom(app.game.facts.value, square).length > 0;
      if (mayStart && (app.setup.fields.value || app.mover.value !== "none")) picked.value = square;
      app.announcer.say(picked.value ? `${nameSquare(square, men())}, picked up` : "Nothing to move here");
    } else if (app.setup.fields.value) {
      app.setup.move(source, square);
    } else if (app.mayMove(source, square)) {
      app.moveBetween(source, square);
    } else {
      app.announcer.say(source === square ? "Put back" : `Not legal: ${source} to ${square}`);
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = stepSquare(cursor.value, event.key, app.flipped.value);
    if (next) {
      cursor.value = next;
      app.announcer.say(nameSquare(next, men()));
    } else if (event.key === "Enter" || event.key === " ") {
      putDown(cursor.value);
    } else if (event.key === "Escape" && picked.value) {
      picked.value = undefined;
    } else if (app.setup.fields.value && /^[pnbrqk]$/i.test(event.key)) {
      app.setup.put(cursor.value, event.key);
      app.announcer.say(`${nameMan(event.key)} on ${cursor.value}`);
    } else if (app.setup.fields.value && (event.key === "Delete" || event.key === "Backspace")) {
      app.setup.erase(cursor.value);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerDown(event: PointerEvent): void {
    const square = (event.target as Element).getAttribute("data-square");
    if (!square || event.button !== 0) return;
    cursor.value = square;
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
      onFocus={(event: FocusEvent) => (focused.value = (event.target as Element).matches(":focus-visible"))}
      onBlur={() => (focused.value = false)}
      {...useWheel(app)}
    />
  );
}

/** The wheel over the board goes through the game. */
function useWheel(app: AppState) {
  const last = useRef(0);
  return {
    onWheel: (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0 || app.setup.fields.value) return;
      event.preventDefault();
      if (event.timeStamp - last.current < WHEEL_PAUSE_MS) return;
      last.current = event.timeStamp;
      if (event.deltaY > 0) app.game.forward();
      else app.game.back();
    },
  };
}
