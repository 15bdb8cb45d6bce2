import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTurn } from "./turns";

const frames: (() => void)[] = [];
beforeEach(() => vi.stubGlobal("requestAnimationFrame", (run: () => void) => frames.push(run)));
afterEach(() => {
  expect(frames).toEqual([]);
  vi.unstubAllGlobals();
});

it("does one thing a frame, in order, and not what was called off", () => {
  const done: string[] = [];
  inTurn(() => done.push("first"));
  const cancel = inTurn(() => done.push("second"));
  inTurn(() => {
    done.push("third");
    inTurn(() => done.push("fourth"));
  });
  cancel();
  const after: string[][] = [];
  while (frames.length > 0) {
    frames.shift()?.();
    after.push([...done]);
  }
  expect(done).toEqual(["first", "third", "fourth"]);
  expect(after).toHaveLength(4);
});

it("goes on after what fails", () => {
  const done: string[] = [];
  inTurn(() => {
    throw new Error("A mail that cannot be read.");
  });
  inTurn(() => done.push("next"));
  expect(() => frames.shift()?.()).toThrow("cannot be read");
  frames.shift()?.();
  expect(done).toEqual(["next"]);
});
