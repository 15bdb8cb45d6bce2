import { expect, it } from "vitest";
import { LaneWeights } from "./lane-weights";

it("keeps nothing for campaigns until other mail has left them no room for five seconds", () => {
  const weights = new LaneWeights();
  weights.noteClaim(false, 0);
  weights.noteClaim(false, 4_000);
  expect(weights.keptForCampaigns(200, 4_999)).toBe(0);
  expect(weights.takeTurn(4_999)).toBe(false);
  expect(weights.keptForCampaigns(200, 5_000)).toBe(25);
});

it("gives campaigns one start in eight while the flood lasts, and no longer", () => {
  const weights = new LaneWeights();
  weights.noteClaim(false, 0);
  const turns = Array.from({ length: 80 }, () => weights.takeTurn(6_000));
  expect(turns.filter(Boolean)).toHaveLength(10);
  weights.noteClaim(true, 7_000);
  expect(weights.keptForCampaigns(200, 20_000)).toBe(0);
  weights.noteClaim(false, 20_000);
  expect(weights.keptForCampaigns(200, 24_000)).toBe(0);
});
