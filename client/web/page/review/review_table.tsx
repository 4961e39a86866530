// How both sides played, in figures.

import type {
  AnalyzeGameResponse_Side as Side,
  AnalyzeGameResponse_Summary as Summary,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import { MARKS } from "./judgements.ts";
import { formatAccuracy } from "./review_text.ts";

type Figure = [name: string, format: (side: Side | undefined) => string];

const FIGURES: Figure[] = [
  ["Accuracy", formatAccuracy],
  ["Average centipawn loss", (side) => (side ? String(Math.round(side.averageCentipawnLoss)) : "–")],
  ...MARKS.map(({ judgement, plural }): Figure => {
    const count = (side: Side) => side.judgements.find((entry) => entry.judgement === judgement)?.count ?? 0;
    return [plural, (side) => (side ? String(count(side)) : "–")];
  }),
];

export function ReviewTable({ summary }: { summary: Summary }) {
  return (
    <table class="review-table">
      <caption class="unseen">How both sides played</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">White</th>
          <th scope="col">Black</th>
        </tr>
      </thead>
      <tbody>
        {FIGURES.map(([name, format]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{format(summary.white)}</td>
            <td>{format(summary.black)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
