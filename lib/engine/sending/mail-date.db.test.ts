import { sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { capturedEmails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getEmailContent } from "@/lib/domain/emails/content";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";

const database = useTestDatabase();

test("mail that waited for weeks is dated, and says the day, when it goes out", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, {
    from: "shop@sandbox.test",
    subject: "{{ 'now' | date: '%Y-%m-%d' }}",
    text: "{{ word }}",
    data: { word: "Hello" },
  });
  await database.db.execute(sql`update emails set created_at = created_at - interval '20 days'`);
  const begun = Date.now();
  await dispatchDue({ db: database.db, transport: null });
  const [captured] = await database.db.select({ raw: capturedEmails.raw }).from(capturedEmails);
  const { date, subject, headers } = await PostalMime.parse(captured?.raw ?? "");
  const sent = Date.parse(date ?? "");
  expect(sent).toBeGreaterThan(begun - 2_000);
  expect(sent).toBeLessThan(Date.now() + 2_000);
  expect(subject).toBe(new Date(sent).toISOString().slice(0, 10));
  const signature = headers.find(({ key }) => key === "dkim-signature")?.value ?? "";
  expect(Number(/t=(\d+)/.exec(signature)?.[1])).toBe(Math.floor(sent / 1000));
  await database.db.delete(capturedEmails);
  const { message } = await getEmailContent(ctx, encodeId("email", id));
  expect(message?.subject).toBe(subject);
});
