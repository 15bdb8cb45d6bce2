import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Heartbeat } from "./heartbeat";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("counts the time without a gap, and begins anew after a failure", async () => {
  let away = false;
  const heartbeat = new Heartbeat(() =>
    away ? Promise.reject(new Error("away")) : Promise.resolve(),
  );
  expect(heartbeat.seconds).toBe(0);
  const end = heartbeat.keep();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(heartbeat.seconds).toBe(9);
  away = true;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(heartbeat.seconds).toBe(0);
  away = false;
  await vi.advanceTimersByTimeAsync(4_500);
  expect(heartbeat.seconds).toBe(3);
  end();
});

test("a process that slept has not seen the database meanwhile", async () => {
  const heartbeat = new Heartbeat(() => Promise.resolve());
  await heartbeat.beat();
  vi.advanceTimersByTime(60_000);
  expect(heartbeat.seconds).toBe(0);
  await heartbeat.beat();
  vi.advanceTimersByTime(1_000);
  await heartbeat.beat();
  expect(heartbeat.seconds).toBe(1);
});

test("a database that is silent counts as away", async () => {
  const heartbeat = new Heartbeat(() => new Promise(() => {}));
  const end = heartbeat.keep();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(heartbeat.seconds).toBe(0);
  end();
});
