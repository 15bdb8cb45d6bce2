import { describe, expect, test } from "vitest";
import { postalAddress } from "./postal-address";

describe("a list's postal address", () => {
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
    expect(postalAddress({ city: "Atlantis", country_id: "Sea" })).toEqual(["Atlantis", "Sea"]);
    expect(postalAddress({ country_id: "US" })).toEqual([]);
    expect(postalAddress({})).toEqual([]);
  });
});
