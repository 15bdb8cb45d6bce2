import { expect, test } from "vitest";
import { countries, countryCode, countryName } from "./countries";

test("a country is named by letters or digits, whatever their case and leading zeros", () => {
  const same = ["DE", "de", "276", "GB", "826", "4", "004", "AF", "840"];
  expect(same.map(countryCode)).toEqual(["DE", "DE", "DE", "GB", "GB", "AF", "AF", "AF", "US"]);
});

test("what is no country is none", () => {
  const none = ["", "999", "000", "001", "150", "ZZ", "EU", "QQ", "DEU", "1234", "d e", "%%"];
  expect(none.map(countryCode)).toEqual(none.map(() => null));
});

test("names are English", () => {
  expect(["DE", "US", "CI"].map(countryName)).toEqual([
    "Germany",
    "United States",
    "Côte d’Ivoire",
  ]);
});

test("the countries to choose from are ISO 3166-1's, each once", () => {
  const all = countries();
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  expect(all.length).toBeGreaterThanOrEqual(249);
  expect(all.length).toBeLessThanOrEqual(251);
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Germany", "United States", "Côte d’Ivoire"]),
  );
  expect(all.map(({ code }) => code)).not.toContain("EU");
});
