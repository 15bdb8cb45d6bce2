import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { recordVisits } from "./record";

const database = useTestDatabase();
const emailId = newUnownedId();
const visitor = { userAgent: "Mozilla/5.0 Firefox/140.0", address: "203.0.113.7" };
const click = (links: number) => ({
  emailId,
  link: { id: 1n, url: "https://a.test", links },
  visitor,
});

test("visits are written by the statements that stand beside this test", async () => {
  const text = await recordStatements(database.url, async (db) => {
    await recordVisits(db, [{ emailId, link: null, visitor }, click(1)]);
    // One of many links may be a machine's burst.
    await recordVisits(db, [click(3)]);
  });
  await expect(text).toMatchFileSnapshot("./record.sql");
});
