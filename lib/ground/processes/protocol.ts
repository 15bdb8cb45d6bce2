/** How many shared values a process keeps, and its pool knows it keeps: the oldest goes first. */
export const keptShared = 4;

/** What a pool asks of a process: one job for several inputs, answered one by one, in order. */
export interface Batch {
  job: string;
  /** What the inputs have in common, by number; sent along once, then the process has it. */
  sharedId: number;
  shared?: { value: unknown };
  inputs: unknown[];
}

export type Answer =
  /** Started, with what that took of the processor. */
  | { kind: "ready"; processorMilliseconds: number }
  /** The input being worked on turns out to be worth this much more time. */
  | { kind: "more"; milliseconds: number }
  | { kind: "result"; value: unknown; processorMilliseconds: number }
  | { kind: "error"; error: SentError; processorMilliseconds: number };

/** An error on its way between processes; `code` only for errors that are meant for a caller. */
export interface SentError {
  message: string;
  code?: string;
  details?: unknown;
}
