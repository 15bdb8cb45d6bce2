import { describe, expect, it } from "vitest";
import { arrivalOf, rateOf } from "./arrival";

const handed = (sent: number, delivered: number, inferred = 0, bounced = 0) =>
  arrivalOf({ sent, delivered, inferred, bounced });

describe("what rates are a share of", () => {
  it("is what was accepted where nobody but readers says that mail arrived", () => {
    expect(handed(1_000, 300, 300, 20)).toEqual({
      confirmed: false,
      arrived: 980,
      deliveryRate: 0.98,
    });
    // Everybody read it: still no report.
    expect(handed(1, 1, 1)).toMatchObject({ confirmed: false, arrived: 1 });
  });

  it("is what was delivered where reports tell of it", () => {
    expect(handed(1_000, 960, 2, 20)).toEqual({
      confirmed: true,
      arrived: 960,
      deliveryRate: 0.96,
    });
    // Stragglers are not delivered.
    expect(handed(1_000, 700, 10, 20)).toMatchObject({ confirmed: true, arrived: 700 });
  });

  it("is what was accepted where only some of the servers report", () => {
    expect(handed(1_000, 1)).toMatchObject({ confirmed: false, arrived: 1_000 });
    expect(handed(1_000, 400, 0, 10)).toMatchObject({ confirmed: false, arrived: 990 });
    // Six of ten are reported, and three of ten are read where nobody reports.
    expect(handed(1_000, 720, 120)).toMatchObject({ confirmed: false, arrived: 1_000 });
  });

  it("is what was accepted where mail left through two servers and the smaller one does not report", () => {
    // Of its four hundred a tenth was read: they did arrive.
    expect(handed(1_000, 640, 40)).toEqual({ confirmed: false, arrived: 1_000, deliveryRate: 1 });
    expect(handed(1_000, 905, 5)).toMatchObject({ confirmed: true });
    // Read before their report came, or stuck on the way: nobody reads the rest.
    expect(handed(1_000, 998, 9)).toMatchObject({ confirmed: true, arrived: 998 });
    expect(handed(1_000, 604, 4)).toMatchObject({ confirmed: true, arrived: 604 });
  });

  it("is nothing while nothing was sent, and where all of it bounced", () => {
    expect(handed(0, 0)).toEqual({ confirmed: false, arrived: 0, deliveryRate: 0 });
    expect(handed(10, 0, 0, 10)).toEqual({ confirmed: false, arrived: 0, deliveryRate: 0 });
  });

  it("is never more than all, whatever came first", () => {
    // A report of what was sent before the hours that are looked at.
    expect(handed(0, 4)).toMatchObject({ confirmed: true, arrived: 4 });
    expect(handed(3, 4).deliveryRate).toBe(1);
    expect(handed(2, 0, 0, 5).arrived).toBe(0);
    expect(rateOf(4, 3)).toBe(1);
    expect(rateOf(4, 0)).toBe(0);
  });
});
