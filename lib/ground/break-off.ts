import { Readable } from "node:stream";

/**
 * Lets a stream that is read later break off before that: without a listener its error would end the
 * process. Whoever reads it then gets the error.
 */
export function mayBreakOff(source: unknown): void {
  if (source instanceof Readable) source.on("error", () => {});
}
