import { describe, expect, it } from "vitest";
import { arrivalOf } from "@/lib/ground/counters/arrival";
import { judgeBounces, judgeComplaints } from "./thresholds";

describe("bounces of a week", () => {
  it.each([
    [{ sent: 199, bounced: 199 }, null],
    [{ sent: 200, bounced: 9 }, "healthy"],
    [{ sent: 200, bounced: 10 }, "high"],
    [{ sent: 200, bounced: 15 }, "high"],
    [{ sent: 200, bounced: 16 }, "tooHigh"],
    [{ sent: 1_000, bounced: 39 }, "healthy"],
    [{ sent: 1_000, bounced: 40 }, "high"],
    [{ sent: 1_000, bounced: 80 }, "tooHigh"],
  ])("%o are %s", (week, verdict) => expect(judgeBounces(week)).toBe(verdict));
});

describe("complaints of a week", () => {
  it.each([
    [{ sent: 199, delivered: 100, bounced: 0, complained: 99 }, null],
    [{ sent: 200, delivered: 200, bounced: 0, complained: 1 }, "healthy"],
    [{ sent: 200, delivered: 200, bounced: 0, complained: 2 }, "healthy"],
    [{ sent: 200, delivered: 200, bounced: 0, complained: 3 }, "tooHigh"],
    [{ sent: 2_000, delivered: 2_000, bounced: 0, complained: 3 }, "high"],
    [{ sent: 4_000, delivered: 4_000, bounced: 0, complained: 3 }, "healthy"],
    // A server that reports no deliveries.
    [{ sent: 4_000, delivered: 0, bounced: 0, complained: 3 }, "healthy"],
    [{ sent: 4_000, delivered: 0, bounced: 3_500, complained: 3 }, "tooHigh"],
  ])("%o are %s", (week, verdict) =>
    expect(judgeComplaints(week, arrivalOf({ inferred: 0, ...week }).arrived)).toBe(verdict),
  );
});
