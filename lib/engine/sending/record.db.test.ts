import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { makeProject } from "@/lib/testing";
import { claimEmails } from "./claim";
import { recordResults } from "./record";
import { capturedResult } from "./result";
import { send } from "@/lib/testing/delivery";

const database = useTestDatabase();

it("what comes of mail whose person was deleted meanwhile is counted, and says nothing of them", async () => {
  const { ctx } = await makeProject(database.db);
  const from = "shop@sandbox.test";
  const to = "bounced+ada@sandbox.test";
  const [id] = await send(ctx, { from, to, subject: "For {{ email }}" });
  const { emails } = await claimEmails(database.db, { limit: 1, leaseSeconds: 60 });
  await deleteContact(ctx, to);
  const results = emails.map((email) => {
    const captured = { envelope: { from, to }, raw: Buffer.from(`To: ${to}`) };
    const result = capturedResult(email, "bounced", captured);
    const events = result.events.map((event) => ({ ...event, data: { response: `<${to}>?` } }));
    return { ...result, events, subject: `For ${to}` };
  });
  expect(await recordResults(database.db, results)).toEqual(new Set([id]));
  const [row] = await database.db.execute(sql`
    select status, subject,
      (select count(*)::int from captured_emails where email_id = emails.id) as captured,
      (select jsonb_object_agg(name, data) from email_events where email_id = emails.id) as events
    from emails where id = ${id ?? null}`);
  expect(row).toEqual({
    status: "BOUNCED",
    subject: null,
    captured: 0,
    events: { bounced: {} },
  });
});

it("results are written by the statement that stands beside this test", async () => {
  const { ctx } = await makeProject(database.db);
  const [from, to] = ["shop@sandbox.test", "ada@sandbox.test"];
  await send(ctx, { from, to });
  const { emails } = await claimEmails(database.db, { limit: 1, leaseSeconds: 60 });
  const captured = { envelope: { from, to }, raw: Buffer.from("Subject: Hello") };
  const results = emails.map((email) => capturedResult(email, "delivered", captured));
  const text = await recordStatements(database.url, (db) => recordResults(db, results));
  await expect(text).toMatchFileSnapshot("./record.sql");
});
