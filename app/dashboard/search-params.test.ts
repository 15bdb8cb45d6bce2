import { expect, test } from "vitest";
import { emailQuery } from "@/lib/domain/emails/schema";
import { readQuery } from "./search-params";

test("what the schema does not know, or refuses, is left out of a page's query", async () => {
  const asked = { status: "SENT", source: "NOWHERE", search: "", utm_source: "mail", limit: "5" };
  expect(await readQuery(emailQuery, Promise.resolve(asked))).toEqual({ status: "SENT", limit: 5 });
});
