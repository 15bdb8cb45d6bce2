import { describe, expect, test } from "vitest";
import { countryName, postalAddress } from "./postal-address";

describe("a list's postal address", () => {
  test("reads countries by alpha-2 and by number, and leaves what it does not know", () => {
    expect(countryName("DE")).toBe("Germany");
    expect(countryName("gb")).toBe("United Kingdom");
    expect(countryName("276")).toBe("Germany");
    expect(countryName("4")).toBe("Afghanistan");
    expect(countryName("Atlantis")).toBe("Atlantis");
    expect(countryName("999")).toBe("999");
    expect(countryName("")).toBe("");
  });

  test("writes the lines that are given, and none for a country alone", () => {
    expect(
      postalAddress({
        company: "Acme",
        address_1: "1 Main Street",
        address_2: "",
        zip: "10115",
        city: "Berlin",
        country_id: "276",
        phone: "+49 30 1",
      }),
    ).toEqual(["Acme", "1 Main Street", "10115 Berlin", "Germany"]);
    expect(postalAddress({ country_id: "US" })).toEqual([]);
    expect(postalAddress({})).toEqual([]);
  });
});
