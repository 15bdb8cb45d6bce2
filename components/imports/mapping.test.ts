import { expect, test } from "vitest";
import { columnsQuery, guessColumns, mappingFaults } from "./mapping";

test("columns are guessed by their names, a second one for a field becomes an attribute", () => {
  const choices = guessColumns(["E-Mail", "First Name", "mail", "City, country", "createdAt", ""]);
  expect(columnsQuery(choices)).toBe("email,firstName,data.mail,data.City_country,skip,skip");
  expect(mappingFaults(choices).size).toBe(0);
});

test("no address, two columns for one field, and an attribute without a key are faults", () => {
  const choices = guessColumns(["plan", "Plan", "tags"]);
  expect([...mappingFaults(choices).keys()]).toEqual([-1]);
  choices[1] = { target: "data", key: "plan" };
  expect(mappingFaults(choices).get(1)).toMatch(/already/);
  choices[1] = { target: "data", key: " " };
  expect(mappingFaults(choices).get(1)).toMatch(/key/);
});
