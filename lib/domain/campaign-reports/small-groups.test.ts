import { expect, test } from "vitest";
import { fewestPeople, withoutSmallGroups } from "./small-groups";

const provider = (name: string, recipients: number, opened = 0) => ({
  ...{ name, recipients, sent: recipients, delivered: recipients, opened, clicked: 0 },
  ...{ bounced: 0, complained: 0, openRate: opened / recipients, clickRate: 0, bounceRate: 0 },
  ...{ complaintRate: 0, health: { bounces: null, complaints: null } },
});
const told = (...rows: ReturnType<typeof provider>[]) =>
  withoutSmallGroups(rows, true).map(({ name, recipients, opened }) => [name, recipients, opened]);

test("providers with few recipients are one row", () => {
  expect(
    told(
      provider("Google", 40, 12),
      provider("Microsoft", 10, 3),
      provider("one.example", 9, 9),
      provider("two.example", 1, 1),
    ),
  ).toEqual([
    ["Google", 40, 12],
    ["Microsoft", 10, 3],
    [null, 10, 10],
  ]);
});

test("that row is no person's either: the smallest of the others goes with them", () => {
  expect(
    told(provider("Google", 40), provider("Microsoft", 12, 5), provider("ada.example", 1, 1)),
  ).toEqual([
    ["Google", 40, 0],
    [null, 13, 6],
  ]);
});

test("what is left out of the providers stays the last row, and is never less than few", () => {
  expect(told(provider("Google", 40), provider("All others", 30, 2))).toEqual([
    ["Google", 40, 0],
    [null, 30, 2],
  ]);
  expect(told(provider("Google", 40), provider("All others", 3, 2))).toEqual([]);
  expect(told(provider("Google", 9), provider("ada.example", 1))).toEqual([]);
  expect(told(provider("Google", fewestPeople))).toEqual([["Google", 10, 0]]);
  expect(told()).toEqual([]);
});

test("rates of the row are those of its sums", () => {
  const rows = [provider("Google", 40), provider("a.example", 5, 5), provider("b.example", 5, 0)];
  expect(withoutSmallGroups(rows, true).at(-1)).toMatchObject({ name: null, openRate: 0.5 });
});
