import { expect, test } from "vitest";
import { columnsQuery, guessColumns, guessKinds, isReadable, mappingFaults } from "./mapping";

test("columns are guessed by their names, a second one for a field becomes an attribute", () => {
  const choices = guessColumns(["E-Mail", "First Name", "mail", "City, country", "createdAt", ""]);
  expect(columnsQuery(choices)).toBe("email,firstName,data.mail,data.City_country,skip,skip");
  expect(mappingFaults(choices).size).toBe(0);
});

test("no address, two columns for one field, and an attribute without a key are faults", () => {
  const choices = guessColumns(["plan", "Plan", "tags"]);
  expect([...mappingFaults(choices).keys()]).toEqual([-1]);
  choices[1] = { target: "data", key: "plan", kind: null };
  expect(mappingFaults(choices).get(1)).toMatch(/already/);
  choices[1] = { target: "data", key: " ", kind: null };
  expect(mappingFaults(choices).get(1)).toMatch(/key/);
});

test("what a column holds is recognised in the sample, and what somebody chose goes along", () => {
  const choices = guessColumns(["email", "Seats", "since", "Active", "Phone", "note", "empty"]);
  const rows = [
    ["a@example.com", "12", "2026-03-31", "true", "4420", "3", ""],
    ["b@example.com", " 3.5 ", "2025-01-01", "false", "4421", "n/a", ""],
  ];
  expect(guessKinds(choices, rows)).toEqual([
    "text",
    "number",
    "date",
    "boolean",
    "text",
    "text",
    "text",
  ]);
  const [email, seats, ...rest] = choices;
  if (!email || !seats) throw new Error("Columns are missing.");
  expect(columnsQuery([email, { ...seats, kind: "text" }, ...rest])).toBe(
    "email,data.Seats:text,data.since,data.Active,data.Phone,data.note,data.empty",
  );
});

test("a heading with a blank gets a key that a placeholder can name; an export's keys stay", () => {
  const [, colour] = guessColumns(["email", "Favourite colour"]);
  expect(colour).toMatchObject({ target: "data", key: "Favourite_colour" });
  expect(isReadable("Favourite_colour")).toBe(true);
  expect(isReadable("Favourite colour")).toBe(false);
  const exported = guessColumns(["email", "subscribed", "createdAt", "Favourite colour"]);
  expect(exported[3]?.key).toBe("Favourite colour");
});

test("German headings are proposed as fields, except in our own export", () => {
  const choices = guessColumns(["E-Mail-Adresse", "Vorname", "Nachname", "Stadt"]);
  expect(columnsQuery(choices)).toBe("email,firstName,lastName,data.Stadt");
  const exported = guessColumns(["email", "subscribed", "createdAt", "Vorname"]);
  expect(exported[3]).toMatchObject({ target: "data", key: "Vorname" });
});

test("a heading that objects have by themselves is an attribute like any other", () => {
  const [column] = guessColumns(["Constructor"]);
  expect(column).toMatchObject({ target: "data", key: "Constructor" });
});
