import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiError } from "@/lib/doors/http/client";
import {
  faultElsewhere,
  faultsOfAnswer,
  faultsOfSchema,
  faultWithin,
  placeOf,
  withoutFaults,
} from "./faults";
import { changedFields, changedPart } from "./changed";

const refusal = (...details: { path: string; message: string }[]) =>
  new ApiError(400, "VALIDATION_ERROR", "The request is not valid.", details, undefined);

describe("faults of a form", () => {
  test("a place is written as the API writes it", () => {
    expect(placeOf(["filter", "and", 0, "value"])).toBe("filter.and[0].value");
    expect(placeOf([])).toBe("");
  });

  test("a schema's first fault of each place becomes a sentence there", () => {
    const schema = z.object({
      name: z.string().min(1, "is required"),
      to: z.array(z.string().regex(/@/, "is not an address")),
    });
    const { error } = schema.safeParse({ name: "", to: ["a@b", "c"] });
    expect(error && faultsOfSchema(error)).toEqual({
      name: "This is required.",
      "to[1]": "This is not an address.",
    });
  });

  test("the server's details go to their fields, also those inside of a field", () => {
    const error = refusal(
      { path: "to[1]", message: "is not an address" },
      { path: "name", message: "is required" },
    );
    expect(faultsOfAnswer(error, ["name", "to"])).toEqual({
      faults: { "to[1]": "This is not an address.", name: "This is required." },
      whole: null,
    });
  });

  test("what belongs to no field of the form is said for the form as a whole", () => {
    const details = [
      { path: "name", message: "is required" },
      { path: "total", message: "is too high" },
    ];
    expect(faultsOfAnswer(refusal(...details), ["name", "to"])).toEqual({
      faults: { name: "This is required." },
      whole: "The request is not valid.",
    });
    expect(faultsOfAnswer(refusal(), ["name"]).whole).toBe("The request is not valid.");
    expect(faultElsewhere({ "": "Choose one." }, ["name"])).toBe("Choose one.");
    expect(faultElsewhere({ total: "This is too high." }, ["to"])).toBe("total: This is too high.");
    expect(faultElsewhere({ "to[0]": "This is wrong." }, ["to"])).toBeNull();
  });

  test("a field's faults go when it changes, and no other's", () => {
    const faults = { "filter.and[0].value": "A value is missing.", filterName: "Too long." };
    expect(faultWithin(faults, "filter")).toBe("A value is missing.");
    expect(withoutFaults(faults, ["filter"])).toEqual({ filterName: "Too long." });
    expect(withoutFaults(faults, ["name"])).toBe(faults);
  });
});

test("what was changed is found by content, and sent alone", () => {
  const base = { name: "A", tags: ["x"], contact: { city: "Bonn" } };
  expect(changedFields(base, { ...base, tags: ["x"], contact: { city: "Bonn" } })).toEqual([]);
  expect(changedPart(base, { name: "B", tags: ["x"], contact: { city: "Köln" } })).toEqual({
    name: "B",
    contact: { city: "Köln" },
  });
});
