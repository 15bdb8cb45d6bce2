import { expect, test } from "vitest";
import type { Contact } from "@/lib/domain/contacts/schema";
import { fieldText } from "./columns";

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
