import { expect, test } from "vitest";
import { Throttle } from "./throttle";

/** Begins as much as may be begun, every 100 ms from `from` on; `take` is the server's answer. */
function drive(throttle: Throttle, from: number, seconds: number, take: (now: number) => boolean) {
  const begun: number[] = [];
  for (let now = from; now < from + seconds * 1000; now += 100) {
    for (let left = Math.min(10, throttle.allowance(now)); left > 0; left--) {
      begun.push(now);
      throttle.begin();
      if (take(now)) throttle.accepted(now);
      else throttle.refused("451 slow down", now);
    }
  }
  return begun;
}

test("a server that refuses all of it is tried ever more slowly, once a minute at last", () => {
  const throttle = new Throttle();
  const begun = drive(throttle, 0, 3_600, () => false);
  expect(begun.length).toBeLessThan(100);
  expect(throttle.state).toMatchObject({ words: "451 slow down", rate: 1 / 60 });
});

test("is given all again within minutes once it accepts", () => {
  const throttle = new Throttle();
  drive(throttle, 0, 600, () => false);
  drive(throttle, 600_000, 300, () => true);
  expect(throttle.state).toBeNull();
  expect(throttle.allowance(900_000)).toBe(Infinity);
});

test("a server that takes 20 a second gets close to that, and few more than it takes", () => {
  const throttle = new Throttle();
  let second = 0;
  let taken = 0;
  let refused = 0;
  drive(throttle, 0, 300, (now) => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      taken = 0;
    }
    if (taken++ < 20) return true;
    refused++;
    return false;
  });
  const begun = drive(throttle, 300_000, 60, (now) => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      taken = 0;
    }
    return taken++ < 20;
  });
  expect(begun.length / 60).toBeGreaterThan(8);
  expect(refused).toBeLessThan(1_000);
});

test("single refusals among accepted mail change nothing", () => {
  const throttle = new Throttle();
  let count = 0;
  drive(throttle, 0, 60, () => count++ % 4 === 0);
  expect(throttle.state).toBeNull();
});
