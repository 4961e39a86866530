// The moves of the game, variations in parentheses.

import { useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

import type { AppState } from "../app_state.ts";
import { moveNumber } from "../pgn/pgn_writer.ts";
import { markOf } from "../review/judgements.ts";
import type { GameNode } from "./game_tree.ts";

const NAGS: Record<number, string> = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

function Move({ app, node, numbered }: { app: AppState; node: GameNode; numbered: boolean }) {
  const number = moveNumber(app.game.tree.value, node.ply, numbered);
  const shown = app.game.current.value === node;
  const glyphs = node.nags.map((nag) => NAGS[nag] ?? "").join("");
  const mark = markOf(app.review.of(node));
  return (
    <>
      {number && <span class="move-number">{number}</span>}
      <button
        type="button"
        class={`plain move${shown ? " shown" : ""}`}
        aria-current={shown ? "step" : undefined}
        aria-label={mark && `${node.san}, ${mark.name}`}
        tabIndex={shown ? 0 : -1}
        onClick={() => app.game.goTo(node)}
      >
        {node.san}
        {glyphs}
        {mark && mark.glyph !== glyphs && (
          <span class={`glyph ${mark.style}`} title={mark.name}>
            {mark.glyph}
          </span>
        )}
      </button>
      {node.comment && <span class="comment">{node.comment}</span>}
    </>
  );
}

/** What follows a node: the main move, its alternatives, then what follows the main move. */
function continuation(app: AppState, from: GameNode, first: boolean): ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let numbered = first;
  for (let node = from; node.children.length > 0; node = node.children[0]!) {
    const [main, ...others] = node.children as [GameNode, ...GameNode[]];
    parts.push(<Move key={main.id} app={app} node={main} numbered={numbered} />);
    numbered = main.comment !== "";
    for (const other of others) {
      parts.push(
        <span key={`variation-${other.id}`} class="variation">
          <Move app={app} node={other} numbered />
          {continuation(app, other, other.comment !== "")}
        </span>,
      );
      numbered = true;
    }
  }
  return parts;
}

export function MoveList({ app }: { app: AppState }) {
  const list = useRef<HTMLDivElement>(null);
  void app.game.revision.value;
  const root = app.game.tree.value.root;
  const current = app.game.current.value;

  useSignalEffect(() => {
    void app.game.current.value;
    // Only the list scrolls, never the page.
    requestAnimationFrame(() => {
      const box = list.current;
      const shown = box?.querySelector<HTMLElement>(".shown");
      if (box && shown) box.scrollTop = shown.offsetTop - box.clientHeight / 2;
    });
  });

  return (
    <section class="panel moves" aria-label="Moves">
      <header>
        <h2>Moves</h2>
        <div class="buttons">
          <button type="button" disabled={!current.parent} onClick={() => app.game.promote(current)}>
            Make main line
          </button>
          <button type="button" disabled={!current.parent} onClick={() => app.game.remove(current)}>
            Delete from here
          </button>
        </div>
      </header>
      <div class="move-list" ref={list} data-testid="moves" tabIndex={0} role="group" aria-label="Move list">
        {root.comment && <span class="comment">{root.comment}</span>}
        {root.children.length === 0 ? <span class="hint">No moves yet</span> : continuation(app, root, true)}
      </div>
    </section>
  );
}
