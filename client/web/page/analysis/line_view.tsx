// One line of play: its score and its moves, each of which can be looked at and played.

import type { Line } from "../../generated/kibitz/v1/analysis_pb.ts";
import type { AppState } from "../app_state.ts";
import { moveNumber } from "../pgn/pgn_writer.ts";
import { goAlong } from "../shell/go_along.ts";
import type { Subject } from "./analysis.ts";
import { evaluate, formatEvaluation } from "./score.ts";

const SHOWN_MOVES = 16;

interface Props {
  app: AppState;
  subject: Subject;
  line: Line;
  /** Shows the position after the first moves of the line beside the element; nothing: hides it. */
  preview: (moves: string[] | undefined, anchor?: HTMLElement) => void;
}

export function LineView({ app, subject, line, preview }: Props) {
  const evaluation = evaluate(line.score, subject.whiteToMove);
  const ahead = evaluation?.mate ? evaluation.mate.by === "white" : (evaluation?.centipawns ?? 0) >= 0;

  function play(count: number): void {
    preview(undefined);
    const moves = line.pvUci.slice(0, count).map((uci, index) => ({ uci, san: line.pvSan[index]! }));
    app.game.playLine(subject.node, moves);
  }

  return (
    <li class="line" onKeyDown={goAlong}>
      <span class={`line-score ${ahead ? "white" : "black"}`}>{evaluation && formatEvaluation(evaluation)}</span>
      <span class="line-moves">
        {line.pvSan.slice(0, SHOWN_MOVES).map((san, index) => (
          <LineMove
            key={index}
            number={moveNumber(app.game.tree.value, subject.node.ply + index + 1, index === 0)}
            san={san}
            first={index === 0}
            // A threat is no line of the game: the other side would have had to pass.
            play={subject.threat ? undefined : () => play(index + 1)}
            preview={(anchor) => preview(anchor && line.pvUci.slice(0, index + 1), anchor)}
          />
        ))}
      </span>
    </li>
  );
}

interface MoveProps {
  number: string;
  san: string;
  first: boolean;
  play?: () => void;
  preview: (anchor?: HTMLElement) => void;
}

function LineMove({ number, san, first, play, preview }: MoveProps) {
  return (
    <>
      {number && <span class="move-number">{number}</span>}
      <button
        type="button"
        class="plain line-move"
        tabIndex={first ? 0 : -1}
        disabled={!play}
        onClick={play}
        onPointerEnter={(event) => event.pointerType === "mouse" && preview(event.currentTarget)}
        onPointerLeave={() => preview()}
        onFocus={(event) => preview(event.currentTarget)}
        onBlur={() => preview()}
      >
        {san}
      </button>
    </>
  );
}
