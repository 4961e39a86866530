// What the static evaluation is made of: a bar for each term.

import { useSignal, useSignalEffect } from "@preact/signals";

import {
  type EvaluateResponse,
  type EvaluateResponse_NetValue as NetValue,
  type EvaluateResponse_NetValue_Piece as NetPiece,
  type EvaluateResponse_Term as Term,
  EvaluateResponse_TermKind as TermKind,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import { Color, PieceType } from "../../generated/kibitz/v1/position_pb.ts";
import { formatEvaluation } from "../analysis/score.ts";
import type { AppState } from "../app_state.ts";
import { movesTo } from "../game/game_tree.ts";
import { toPosition } from "../game/positions.ts";
import { gameOver } from "../game/status.ts";
import { describeFailure } from "../rpc/failure.ts";

const NAMES: Record<TermKind, string> = {
  [TermKind.UNSPECIFIED]: "Other",
  [TermKind.MATERIAL]: "Material",
  [TermKind.PIECE_SQUARES]: "Places of the pieces",
  [TermKind.PAWNS]: "Pawn structure",
  [TermKind.PASSED_PAWNS]: "Passed pawns",
  [TermKind.MOBILITY]: "Mobility",
  [TermKind.PIECES]: "Pieces",
  [TermKind.KING_SAFETY]: "King safety",
  [TermKind.THREATS]: "Threats",
  [TermKind.SPACE]: "Space",
  [TermKind.TEMPO]: "Right to move",
  [TermKind.ENDGAME]: "Known endgames",
  [TermKind.FIFTY_MOVES]: "Fifty-move rule",
};

/** Half the width of a bar, in hundredths of a pawn, unless a term is larger. */
const LEAST_SCALE = 100;

/** The scale on which every bar fits. */
export function scaleOf(terms: readonly Pick<Term, "value">[]): number {
  return Math.max(LEAST_SCALE, ...terms.map(({ value }) => Math.abs(value)));
}

const formatLead = (value: number) => formatEvaluation({ centipawns: Math.round(value) });

function TermBar({ value, scale }: { value: number; scale: number }) {
  return (
    <div class="term-bar" aria-hidden="true">
      {Math.round(value) !== 0 && (
        <div class={value > 0 ? "white" : "black"} style={{ width: `${(50 * Math.abs(value)) / scale}%` }} />
      )}
    </div>
  );
}

function TermTable({ terms, sum }: EvaluateResponse) {
  const scale = scaleOf(terms);
  return (
    <table class="terms" data-testid="terms">
      <thead>
        <tr>
          <th scope="col">Term</th>
          <th scope="col" colSpan={2}>
            Lead of White
          </th>
        </tr>
      </thead>
      <tbody>
        {terms.map(({ kind, value }) => (
          <tr key={kind}>
            <th scope="row">{NAMES[kind] ?? NAMES[TermKind.UNSPECIFIED]}</th>
            <td>{formatLead(value)}</td>
            <td>
              <TermBar value={value} scale={scale} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum</th>
          <td>{formatLead(sum)}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

const LETTERS: Record<PieceType, string> = {
  [PieceType.UNSPECIFIED]: "",
  [PieceType.PAWN]: "",
  [PieceType.KNIGHT]: "N",
  [PieceType.BISHOP]: "B",
  [PieceType.ROOK]: "R",
  [PieceType.QUEEN]: "Q",
  [PieceType.KING]: "K",
};

/** The pieces of a side, what counts most first. */
export function piecesOf(pieces: readonly NetPiece[], color: Color): NetPiece[] {
  const sign = color === Color.WHITE ? 1 : -1;
  return pieces.filter((piece) => piece.color === color).sort((a, b) => sign * (b.value - a.value));
}

function NetPieces({ pieces, color }: { pieces: readonly NetPiece[]; color: Color }) {
  return (
    <p class="net-pieces">
      <b>{color === Color.WHITE ? "White" : "Black"}</b>
      {piecesOf(pieces, color).map(({ square, piece, value }) => (
        <span key={square}>
          {LETTERS[piece] ?? ""}
          {square} {formatLead(value)}
        </span>
      ))}
    </p>
  );
}

/** What the net of the searches says, which has no terms. */
function NetPanel({ net }: { net: NetValue }) {
  return (
    <div data-testid="net">
      <h4>The net, without search: {formatLead(net.lead)}</h4>
      <p class="hint">{net.evaluation}, by which searches here go. What White's lead would lose without a piece:</p>
      <NetPieces pieces={net.pieces} color={Color.WHITE} />
      <NetPieces pieces={net.pieces} color={Color.BLACK} />
    </div>
  );
}

export function EvaluationPanel({ app }: { app: AppState }) {
  const answer = useSignal<EvaluateResponse | undefined>(undefined);
  const problem = useSignal("");

  useSignalEffect(() => {
    const abort = new AbortController();
    const position = toPosition(app.game.tree.value.start, movesTo(app.game.current.value));
    app.service.evaluate({ position }, { signal: abort.signal }).then(
      (response) => ((answer.value = response), (problem.value = "")),
      (error: unknown) => {
        if (!abort.signal.aborted) problem.value = describeFailure(error).message;
      },
    );
    return () => abort.abort();
  });

  const shown = answer.value;
  return (
    <section class="stack" aria-label="Evaluation">
      <h3>Evaluation, without search</h3>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {shown && <TermTable {...shown} />}
      {shown && (
        <p class="hint">
          {Math.round(shown.phase / 10)} % middlegame; {shown.evaluation} evaluation
          {shown.inCheck ? "; in check it means little" : ""}
          {gameOver(shown.status) ? "; the game is over" : ""}
        </p>
      )}
      {shown?.net && <NetPanel net={shown.net} />}
    </section>
  );
}
