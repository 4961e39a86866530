// A game against the engine.

import { useSignal } from "@preact/signals";

import { Color } from "../../generated/kibitz/v1/position_pb.ts";
import type { AppState } from "../app_state.ts";
import { Slider } from "../shell/slider.tsx";
import { MIN_ELO, MAX_ELO } from "./opponent.ts";

const STATES = { thinking: "The engine thinks…", waiting: "Your move." };

function RunningGame({ app }: { app: AppState }) {
  const state = app.opponent.state.value;
  const settings = app.opponent.playing.value!;
  const strength = settings.elo === 0 ? "at full strength" : `at about ${settings.elo}`;
  return (
    <>
      <p data-testid="opponent">
        You play {settings.human === Color.WHITE ? "White" : "Black"} against the engine {strength}.{" "}
        {app.mover.value === "none" && state.kind === "waiting"
          ? "The game is over."
          : state.kind === "stuck"
            ? state.message
            : STATES[state.kind]}
      </p>
      <div class="buttons">
        <button type="button" onClick={() => app.opponent.end()}>
          End the game and analyse
        </button>
      </div>
    </>
  );
}

export function PlayPanel({ app }: { app: AppState }) {
  const human = useSignal<"white" | "black">("white");
  const full = useSignal(false);
  const elo = useSignal(1500);
  const seconds = useSignal(1);

  function begin(): void {
    app.endReview();
    app.setup.end();
    app.flipped.value = human.value === "black";
    app.opponent.begin({
      human: human.value === "white" ? Color.WHITE : Color.BLACK,
      elo: full.value ? 0 : elo.value,
      seconds: seconds.value,
    });
  }

  return (
    <div class="stack play">
      {app.opponent.notice.value && (
        <p class="notice" role="status">
          {app.opponent.notice.value}
        </p>
      )}
      {app.opponent.playing.value ? (
        <RunningGame app={app} />
      ) : (
        <>
          <label class="choice">
            You play
            <select
              value={human.value}
              onChange={(event) => (human.value = event.currentTarget.value as "white" | "black")}
            >
              <option value="white">White</option>
              <option value="black">Black</option>
            </select>
          </label>
          <label>
            <input
              type="checkbox"
              checked={full.value}
              onChange={(event) => (full.value = event.currentTarget.checked)}
            />
            Full strength
          </label>
          {!full.value && (
            <Slider
              label="Strength"
              min={MIN_ELO}
              max={MAX_ELO}
              step={50}
              value={elo.value}
              text={`about ${elo.value}`}
              onChange={(value) => (elo.value = value)}
            />
          )}
          <Slider
            label="Time a move"
            min={1}
            max={10}
            value={seconds.value}
            text={`${seconds.value} s`}
            onChange={(value) => (seconds.value = value)}
          />
          <div class="buttons">
            <button type="button" class="primary" onClick={begin}>
              Play from here
            </button>
          </div>
        </>
      )}
    </div>
  );
}
