// The score of the game so far. A click goes to the move; the moves themselves are in the list for all others. What a
// review has judged is marked, and can be reached by keyboard.

import type { AppState } from "../app_state.ts";
import { type GameNode, lineThrough } from "../game/game_tree.ts";
import { moveNumber } from "../pgn/pgn_writer.ts";
import { markOf } from "../review/judgements.ts";
import { goAlong } from "../shell/go_along.ts";
import { formatEvaluation, whiteShare } from "./score.ts";

const WIDTH = 300;
const HEIGHT = 60;

interface Point {
  node: GameNode;
  x: number;
  y: number;
}

/** The points of the nodes whose score is known. */
function graphPoints(app: Pick<AppState, "evaluations">, nodes: readonly GameNode[]): Point[] {
  const step = WIDTH / Math.max(nodes.length - 1, 1);
  return nodes.flatMap((node, index) => {
    const evaluation = app.evaluations.of(node);
    return evaluation ? [{ node, x: index * step, y: HEIGHT * (1 - whiteShare(evaluation)) }] : [];
  });
}

function areaUnder(points: readonly Point[]): string {
  if (points.length === 0) return "";
  const line = points.map(({ x, y }) => `L${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return `M${points[0]!.x.toFixed(1)} ${HEIGHT}${line}L${points.at(-1)!.x.toFixed(1)} ${HEIGHT}Z`;
}

/** The moves that were judged, as buttons on the graph: one stop of the Tab key for all of them. */
function Marks({ app, points }: { app: AppState; points: readonly Point[] }) {
  const current = app.game.current.value;
  const marked = points.flatMap((point) => {
    const mark = markOf(app.review.of(point.node));
    return mark ? [{ ...point, mark }] : [];
  });
  if (marked.length === 0) return null;
  const stop = (marked.find(({ node }) => node === current) ?? marked[0]!).node;
  return (
    <div class="graph-marks" role="group" aria-label="Marked moves" onKeyDown={goAlong}>
      {marked.map(({ node, x, y, mark }) => (
        <button
          key={node.id}
          type="button"
          class={`graph-mark ${mark.style}`}
          style={{ left: `${(100 * x) / WIDTH}%`, top: `${(100 * y) / HEIGHT}%` }}
          tabIndex={node === stop ? 0 : -1}
          aria-label={`${moveNumber(app.game.tree.value, node.ply, true)} ${node.san}, ${mark.name}`}
          aria-current={node === current ? "step" : undefined}
          onClick={() => app.game.goTo(node)}
        />
      ))}
    </div>
  );
}

export function ScoreGraph({ app }: { app: AppState }) {
  void app.evaluations.revision.value;
  void app.game.revision.value;
  const current = app.game.current.value;
  const nodes = [app.game.tree.value.root, ...lineThrough(current)];
  const points = graphPoints(app, nodes);
  const here = (WIDTH / Math.max(nodes.length - 1, 1)) * current.ply;
  const known = app.evaluations.of(current);
  const spoken = known ? `; here ${formatEvaluation(known)}` : "";

  function onClick(event: MouseEvent): void {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (nodes.length - 1));
    app.game.goTo(nodes[Math.min(Math.max(index, 0), nodes.length - 1)]!);
  }

  return (
    <section class="panel graph" aria-label="Score graph">
      <header>
        <h2>Score</h2>
      </header>
      <div class="graph-box">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Scores of ${points.length} of ${nodes.length} positions${spoken}`}
          onClick={onClick}
        >
          <rect class="graph-black" width={WIDTH} height={HEIGHT} />
          <path class="graph-white" d={areaUnder(points)} />
          <line class="graph-middle" x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          <line class="graph-here" x1={here} x2={here} y1="0" y2={HEIGHT} />
          {points.length === 1 && <circle class="graph-point" cx={points[0]!.x} cy={points[0]!.y} r="3" />}
        </svg>
        <Marks app={app} points={points} />
      </div>
    </section>
  );
}
