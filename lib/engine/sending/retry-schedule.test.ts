import { describe, expect, it } from "vitest";
import { retryAfterLossSeconds, retryAfterSeconds, retryUncertainSeconds } from "./retry-schedule";

describe("tries after a temporary refusal", () => {
  it("come after 1, 5, 15, 30 minutes, 1, 2, then every 4 hours, and end after four days", () => {
    const steps: number[] = [];
    for (let attempt = 1; ; attempt++) {
      const seconds = retryAfterSeconds(attempt, 0);
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
      expect(retryAfterSeconds(1)).toBeGreaterThanOrEqual(60);
      expect(retryAfterSeconds(1)).toBeLessThanOrEqual(66);
    }
  });
  it("come minutes after a message whose answer was lost, and few times", () => {
    const tries = [1, 2, 3, 4].map((attempts) => retryUncertainSeconds(attempts, 0));
    expect(tries).toEqual([300, 1_200, 3_600, null]);
  });
  it("come soon after a lost connection, once", () => {
    expect(retryAfterLossSeconds(1)).toBe(5);
    expect(retryAfterLossSeconds(2)).toBeGreaterThanOrEqual(60);
  });
});
