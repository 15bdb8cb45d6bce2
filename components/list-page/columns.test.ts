import { expect, test } from "vitest";
import {
  isField,
  nameWidth,
  parseColumns,
  toggled,
  type ColumnSet,
  type FieldColumn,
} from "./columns";

type Own = "subscription" | "tags" | "createdAt" | "updatedAt";
type Column = Own | FieldColumn;

const people: ColumnSet<Own, FieldColumn> = {
  cookie: "people",
  words: { subscription: "Subscription", tags: "Tags", createdAt: "Added", updatedAt: "Changed" },
  usual: ["subscription", "tags", "createdAt"],
  more: { is: isField, before: ["createdAt", "updatedAt"] },
};
const mails: ColumnSet<"source" | "template" | "opens"> = {
  cookie: "mails",
  words: { source: "Source", template: "Template", opens: "Opens" },
  usual: ["source", "opens"],
};

const parse = (value: string | undefined) => parseColumns(people, value);
const toggle = (columns: readonly Column[], column: Column) => toggled(people, columns, column);

test("columns are the usual ones unless a cookie names others that there are", () => {
  expect(parse(undefined)).toEqual(people.usual);
  for (const broken of [
    "",
    "[",
    "{}",
    '"tags"',
    '["nonsense"]',
    '["constructor"]',
    '["data."]',
    "[1]",
  ]) {
    expect(parse(broken)).toEqual(people.usual);
  }
  expect(parse("[]")).toEqual([]);
  expect(parse('["updatedAt","data.plan","tags","data.plan","data.a,b \\"c\\""]')).toEqual([
    ...["tags", "data.plan", 'data.a,b "c"', "updatedAt"],
  ]);
});

test("a column comes and goes, fields between a person's own and the times, five at most", () => {
  let columns: readonly Column[] = people.usual;
  for (const key of ["e", "d", "c", "b", "a"]) columns = toggle(columns, `data.${key}`) ?? [];
  const fields = ["data.e", "data.d", "data.c", "data.b", "data.a"];
  expect(columns).toEqual(["subscription", "tags", ...fields, "createdAt"]);
  expect(toggle(columns, "data.f")).toBeNull();
  expect(toggle(columns, "data.c")).not.toContain("data.c");
  expect(toggle(columns, "updatedAt")?.at(-1)).toBe("updatedAt");
});

test("names that no cookie holds are not taken", () => {
  const long = (n: number): Column => `data.${String(n)}${"ж".repeat(99)}`;
  let columns: readonly Column[] = [];
  let taken = 0;
  for (let n = 0; n < 5; n++) {
    const more = toggle(columns, long(n));
    if (more) [columns, taken] = [more, taken + 1];
  }
  // Six bytes for each letter.
  expect(taken).toBe(5);
  expect(toggle([], `data.${"字".repeat(400)}`)).toBeNull();
});

test("a list whose rows have no fields of the project's knows only its own columns, in their order", () => {
  const { usual } = mails;
  expect(parseColumns(mails, '["data.plan"]')).toEqual(usual);
  expect(parseColumns(mails, '["opens","template"]')).toEqual(["template", "opens"]);
  expect(toggled(mails, usual, "template")).toEqual(["source", "template", "opens"]);
});

test("the column that names a row has a width of its own beside more than the usual columns", () => {
  expect(nameWidth(mails, ["opens"])).toBe("");
  expect(nameWidth(mails, ["opens", "template"])).not.toBe("");
});
