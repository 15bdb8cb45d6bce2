import { expect, test } from "vitest";
import type { Contact } from "@/lib/domain/contacts/schema";
import { fieldText, parseColumns, toggled, usualColumns, type Column } from "./columns";

test("columns are the usual ones unless a cookie names others that there are", () => {
  expect(parseColumns(undefined)).toEqual(usualColumns);
  for (const broken of ["", "[", "{}", '"tags"', '["nonsense"]', '["data."]', "[1]"]) {
    expect(parseColumns(broken)).toEqual(usualColumns);
  }
  expect(parseColumns("[]")).toEqual([]);
  expect(parseColumns('["updatedAt","data.plan","tags","data.plan","data.a,b \\"c\\""]')).toEqual([
    ...["tags", "data.plan", 'data.a,b "c"', "updatedAt"],
  ]);
});

test("a column comes and goes, fields between a person's own and the times, five at most", () => {
  let columns: readonly Column[] = usualColumns;
  for (const key of ["e", "d", "c", "b", "a"]) columns = toggled(columns, `data.${key}`) ?? [];
  const fields = ["data.e", "data.d", "data.c", "data.b", "data.a"];
  expect(columns).toEqual(["subscription", "tags", ...fields, "createdAt"]);
  expect(toggled(columns, "data.f")).toBeNull();
  expect(toggled(columns, "data.c")).not.toContain("data.c");
  expect(toggled(columns, "updatedAt")?.at(-1)).toBe("updatedAt");
});

test("names that no cookie holds are not taken", () => {
  const long = (n: number): Column => `data.${String(n)}${"ж".repeat(99)}`;
  let columns: readonly Column[] = [];
  let taken = 0;
  for (let n = 0; n < 5; n++) {
    const more = toggled(columns, long(n));
    if (more) [columns, taken] = [more, taken + 1];
  }
  // Six bytes for each letter.
  expect(taken).toBe(5);
  expect(toggled([], `data.${"字".repeat(400)}`)).toBeNull();
});

test("a field's value reads as what it is", () => {
  const data = {
    ...{ plan: "pro", orders: 12_345.5, vip: true, away: false, none: null, empty: "" },
    ...{ last: "2026-11-03", at: "2026-11-03T23:30:00Z", odd: "2026-11-03 or so", teas: ["a"] },
  };
  const contact = { data } as unknown as Contact;
  const text = (key: string) => fieldText(contact, key);
  expect(["plan", "orders", "vip", "away"].map(text)).toEqual(["pro", "12,345.5", "yes", "no"]);
  expect(["none", "empty", "toString", "absent"].map(text)).toEqual(["–", "–", "–", "–"]);
  expect(["last", "at", "odd", "teas"].map(text)).toEqual([
    ...["3 Nov 2026", "3 Nov 2026", "2026-11-03 or so", '["a"]'],
  ]);
});
