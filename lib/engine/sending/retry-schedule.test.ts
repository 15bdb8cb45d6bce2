import { describe, expect, it } from "vitest";
import {
  retryAfterLossSeconds,
  retryAfterSeconds,
  retryRefusedSeconds,
  retryUncertainSeconds,
} from "./retry-schedule";

const after = (attempts: number, interrupted = 0) => ({ attempts, interrupted });

describe("tries after a temporary refusal", () => {
  it("come after 1, 5, 15, 30 minutes, 1, 2, then every 4 hours, and end after four days", () => {
    const steps: number[] = [];
    for (let attempt = 1; ; attempt++) {
      const seconds = retryAfterSeconds(after(attempt), 0);
      if (seconds === null) break;
      steps.push(seconds);
    }
    expect(steps.slice(0, 8).map((seconds) => seconds / 60)).toEqual([
      1, 5, 15, 30, 60, 120, 240, 240,
    ]);
    const days = steps.reduce((sum, seconds) => sum + seconds, 0) / 86_400;
    expect(days).toBeGreaterThan(3.9);
    expect(days).toBeLessThan(4.2);
  });
  it("are spread by at most a tenth", () => {
    for (let run = 0; run < 100; run++) {
      expect(retryAfterSeconds(after(1))).toBeGreaterThanOrEqual(60);
      expect(retryAfterSeconds(after(1))).toBeLessThanOrEqual(66);
    }
  });
  it("come minutes after a message whose answer was lost, and few times", () => {
    const tries = [1, 2, 3, 4].map((attempts) => retryUncertainSeconds(after(attempts), 0));
    expect(tries).toEqual([300, 1_200, 3_600, null]);
  });
  it("come twice more within about an hour after a message that was refused for good", () => {
    const tries = [1, 2, 3, 4].map((attempts) => retryRefusedSeconds(after(attempts), 0));
    expect(tries).toEqual([300, 3_600, null, null]);
    expect(retryRefusedSeconds(after(3, 2), 0)).toBe(300);
  });
  it("come soon after a lost connection, once", () => {
    expect(retryAfterLossSeconds(after(1))).toBe(5);
    expect(retryAfterLossSeconds(after(2))).toBeGreaterThanOrEqual(60);
  });
  it("come no later for workers that died, while they end no later either", () => {
    expect(retryAfterSeconds(after(3, 2), 0)).toBe(60);
    expect(retryUncertainSeconds(after(3, 2), 0)).toBe(300);
    expect(retryAfterLossSeconds(after(3, 2))).toBe(5);
    expect(retryAfterSeconds(after(31, 20), 0)).toBeNull();
    expect(retryAfterLossSeconds(after(32, 20))).toBeNull();
    // A message whose answers are lost and that four workers died with is perhaps what they died of.
    expect(retryUncertainSeconds(after(5, 4), 0)).toBeNull();
  });
});
