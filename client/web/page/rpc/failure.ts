// What went wrong with a call, in terms that the page acts on.

import { Code, ConnectError } from "@connectrpc/connect";

import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "../../generated/google/rpc/error_details_pb.ts";

export type FailureKind =
  | "gone" // nobody answers: worth trying again
  | "full" // no room just now: worth trying again
  | "unsupported" // the server cannot do it
  | "refused"; // the request itself is at fault

export interface Failure {
  kind: FailureKind;
  /** For people, without a field's path. */
  message: string;
  /** The path of the field at fault, such as "position.fen". */
  field?: string;
  /** The server's stable name for it, such as "INVALID_FEN". */
  reason?: string;
  /** When to try again, if the server said so. */
  retryMs?: number;
}

const KINDS: Partial<Record<Code, FailureKind>> = {
  [Code.Canceled]: "gone", // who cancels a call does not ask what became of it
  [Code.Unavailable]: "gone",
  [Code.Unknown]: "gone",
  [Code.DeadlineExceeded]: "gone",
  [Code.ResourceExhausted]: "full",
  [Code.Unimplemented]: "unsupported",
};

export function describeFailure(error: unknown): Failure {
  const known = ConnectError.from(error);
  const violation = known.findDetails(BadRequestSchema)[0]?.fieldViolations[0];
  const delay = known.findDetails(RetryInfoSchema)[0]?.retryDelay;
  const kind = KINDS[known.code] ?? "refused";
  return {
    kind,
    message: kind === "gone" ? "The analysis server does not answer." : violation?.description || known.rawMessage,
    field: violation?.field || undefined,
    reason: known.findDetails(ErrorInfoSchema)[0]?.reason,
    retryMs: delay ? Number(delay.seconds) * 1000 + delay.nanos / 1e6 : undefined,
  };
}

/** Whether the same call may succeed later. */
export function worthRetrying(failure: Failure): boolean {
  return failure.kind === "gone" || failure.kind === "full";
}
