import { expect, test } from "vitest";
import { Wake } from "./wake";

const never = new AbortController().signal;
const long = 60_000;

test("a call while nobody waits ends the next wait at once, and only that one", async () => {
  const wake = new Wake();
  wake.notify();
  wake.notify();
  await wake.wait(long, never);
  const started = performance.now();
  await wake.wait(20, never);
  expect(performance.now() - started).toBeGreaterThan(15);
});

test("a call ends the wait under way", async () => {
  const wake = new Wake();
  const waiting = wake.wait(long, never);
  wake.notify();
  await waiting;
});

test("an abort ends the wait, before and during it", async () => {
  const wake = new Wake();
  const controller = new AbortController();
  const waiting = wake.wait(long, controller.signal);
  controller.abort();
  await waiting;
  await wake.wait(long, controller.signal);
});
