import { expect, test } from "vitest";
import { countryCode, countryName } from "./countries";

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
