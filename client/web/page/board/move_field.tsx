// Moves by text, for keyboards and screen readers: SAN or UCI.

import { useSignal } from "@preact/signals";

import type { AppState } from "../app_state.ts";
import { explainMismatch, matchTypedMove } from "../game/san_match.ts";

export function MoveField({ app }: { app: AppState }) {
  const text = useSignal("");
  const problem = useSignal("");

  function submit(event: Event): void {
    event.preventDefault();
    if (text.value.trim() === "") return;
    if (app.mover.value === "none") return void (problem.value = "It is not your move");
    const result = matchTypedMove(text.value, app.game.facts.value?.moves ?? []);
    problem.value = "move" in result ? "" : explainMismatch(text.value.trim(), result);
    if (!("move" in result)) return;
    text.value = "";
    app.play(result.move);
  }

  return (
    <form class="buttons move-field" onSubmit={submit}>
      <label for="move-text">Move</label>
      <input
        id="move-text"
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
        placeholder="Nf3 or g1f3"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        aria-describedby="move-problem"
        aria-invalid={problem.value !== ""}
      />
      <button type="submit">Play</button>
      <span id="move-problem" class="problem" role="alert">
        {problem.value}
      </span>
    </form>
  );
}
