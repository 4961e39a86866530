// What the user wants of an analysis, kept within the server's bounds and remembered by the browser.

import { create } from "@bufbuild/protobuf";

import {
  type AnalyzeRequest,
  AnalyzeRequestSchema,
  type GetServerInfoResponse_Caps as Caps,
} from "../../generated/kibitz/v1/analysis_pb.ts";
import type { Position } from "../../generated/kibitz/v1/position_pb.ts";

export type LimitKind = "infinite" | "time" | "depth";

export interface AnalysisSettings {
  on: boolean;
  /** How many lines, 1 to 5. */
  lines: number;
  /** 0: the server chooses. */
  threads: number;
  limit: LimitKind;
  seconds: number;
  depth: number;
  arrows: boolean;
}

const MAX_LINES = 5;
const MAX_SECONDS = 120;
const MAX_DEPTH = 60;

export const DEFAULT_SETTINGS: AnalysisSettings = {
  on: true,
  lines: 3,
  threads: 0,
  limit: "infinite",
  seconds: 10,
  depth: 20,
  arrows: true,
};

export interface Bounds {
  lines: number;
  threads: number;
  seconds: number;
  depth: number;
}

/** What the sliders may offer. Before the server has said anything: little. */
export function boundsOf(caps: Caps | undefined): Bounds {
  return {
    lines: Math.min(MAX_LINES, caps?.maxMultiPv ?? 1),
    threads: Math.max(1, caps?.maxThreads ?? 1),
    seconds: Math.min(MAX_SECONDS, Number(caps?.maxSearchTime?.seconds ?? 60n) || 1),
    depth: Math.min(MAX_DEPTH, caps?.maxDepth ?? MAX_DEPTH),
  };
}

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

export function withinBounds(settings: AnalysisSettings, bounds: Bounds): AnalysisSettings {
  return {
    ...settings,
    lines: clamp(settings.lines, 1, bounds.lines),
    threads: clamp(settings.threads, 0, bounds.threads),
    seconds: clamp(settings.seconds, 1, bounds.seconds),
    depth: clamp(settings.depth, 1, bounds.depth),
  };
}

export function toRequest(position: Position, settings: AnalysisSettings): AnalyzeRequest {
  const limits = {
    infinite: { infinite: true },
    time: { movetime: { seconds: BigInt(settings.seconds) } },
    depth: { depth: settings.depth },
  }[settings.limit];
  return create(AnalyzeRequestSchema, { position, limits, multiPv: settings.lines, threads: settings.threads });
}

/** Reads what was stored; anything odd in it is replaced by the default. */
export function readSettings(stored: string | null): AnalysisSettings {
  const settings: AnalysisSettings = { ...DEFAULT_SETTINGS };
  try {
    const values = JSON.parse(stored ?? "{}") as Record<string, unknown>;
    for (const [name, fallback] of Object.entries(DEFAULT_SETTINGS)) {
      if (typeof values?.[name] === typeof fallback) Object.assign(settings, { [name]: values[name] });
    }
  } catch {
    return { ...DEFAULT_SETTINGS };
  }
  if (!["infinite", "time", "depth"].includes(settings.limit)) settings.limit = DEFAULT_SETTINGS.limit;
  for (const name of ["lines", "threads", "seconds", "depth"] as const) {
    if (!Number.isInteger(settings[name])) settings[name] = DEFAULT_SETTINGS[name];
  }
  return settings;
}
