import { describe, expect, it } from "vitest";
import { formatRelative } from "./relative-time";

const now = new Date("2026-11-21T12:00:00Z");

describe("relative time", () => {
  it.each([
    ["2026-11-21T11:59:31Z", "just now"],
    ["2026-11-21T11:57:00Z", "3 minutes ago"],
    ["2026-11-21T14:00:00Z", "in 2 hours"],
    ["2026-11-20T12:00:00Z", "yesterday"],
    ["2026-11-21T12:00:29Z", "in a moment"],
    ["2025-11-01T12:00:00Z", "last year"],
  ])("says of %s %s", (instant, text) => {
    expect(formatRelative(new Date(instant), now)).toBe(text);
  });
});
