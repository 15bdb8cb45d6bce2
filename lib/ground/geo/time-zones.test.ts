import { expect, test } from "vitest";
import { zonesOfCountries } from "./time-zones";

test("countries have the zone of most of their people, by code and by name", () => {
  const zones = zonesOfCountries();
  expect(["de", "germany", "japan", "us", "in"].map((key) => zones.get(key))).toEqual([
    ...["Europe/Berlin", "Europe/Berlin", "Asia/Tokyo", "America/New_York", "Asia/Calcutta"],
  ]);
  expect(zones.size).toBeGreaterThan(450);
  for (const zone of zones.values()) {
    expect(() => new Intl.DateTimeFormat("en", { timeZone: zone })).not.toThrow();
  }
});
