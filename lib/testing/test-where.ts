import { test } from "vitest";

/** `test` where it applies; what does not apply is not generated, so that nothing is reported as skipped. */
export function testWhere(applies: unknown): (name: string, run: () => Promise<void>) => void {
  return applies ? test : () => {};
}
