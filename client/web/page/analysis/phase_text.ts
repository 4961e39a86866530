// Where an analysis stands, in a few words.

import { StopReason } from "../../generated/kibitz/v1/analysis_pb.ts";
import type { AnalysisPhase } from "./analyzer.ts";

const REASONS: Partial<Record<StopReason, string>> = {
  [StopReason.DEPTH]: "Depth reached",
  [StopReason.NODES]: "Nodes searched",
  [StopReason.TIME]: "Time used",
  [StopReason.MATE]: "Mate found",
  [StopReason.NO_LEGAL_MOVES]: "No legal moves",
  [StopReason.QUOTA]: "Quota used up",
};

export function describePhase(phase: AnalysisPhase | undefined): string {
  switch (phase?.kind) {
    case undefined:
    case "idle":
      return "Stopped";
    case "starting":
      return "Starting…";
    case "queued":
      return `Queued, place ${phase.place}`;
    case "searching":
      return "Searching";
    case "finished":
      return REASONS[phase.reason] ?? "Finished";
    case "retrying":
      return phase.failure.kind === "full" ? "The server is full; trying again…" : "Server gone; trying again…";
    case "refused":
      return `Refused: ${phase.failure.message}`;
  }
}
