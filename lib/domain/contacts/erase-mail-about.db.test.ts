import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getEmail } from "@/lib/domain/emails/read";
import { getEmailContent } from "@/lib/domain/emails/content";
import { addSubscriber, unsubscribe } from "@/lib/domain/lists/change-subscribers";
import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue } from "@/lib/testing/delivery";
import { makeList } from "@/lib/testing/opt-outs";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

/* Mail that tells the owner of a list who has left says so no more once that person is deleted for good. */

const database = useTestDatabase();
const keeper = "keeper@example.com";

/** Ada and Grace have left a list; the ids of the mails that say so. */
async function left(ctx: Context): Promise<{ ada: string; grace: string }> {
  const list = await makeList(ctx, { unsubscribeNotification: true, contact: { email: keeper } });
  for (const name of ["Ada", "Grace"]) {
    const email = `${name.toLowerCase()}@example.com`;
    const person = { email, firstName: name, source: "api" } as const;
    await unsubscribe(ctx, (await addSubscriber(ctx, list.id, person)).id);
  }
  const mails = await database.db.execute<{ id: string; subject: string }>(sql`
    select emails.id, messages.subject from emails join messages on messages.id = emails.message_id
    where emails.project_id = ${ctx.projectId} and emails.recipient = ${keeper}`);
  const idOf = (name: string) => mails.find(({ subject }) => subject.startsWith(name))?.id ?? "";
  return { ada: idOf("ada@"), grace: idOf("grace@") };
}

/** Where the database still has the address; mail to the list's owner alone may have it. */
async function named(projectId: string, name: string): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(sql`
    select ((select count(*) from messages m where project_id = ${projectId} and m::text ilike ${`%${name}%`})
      + (select count(*) from emails e where project_id = ${projectId} and e::text ilike ${`%${name}%`})
      + (select count(*) from captured_emails where project_id = ${projectId}
        and convert_from(raw, 'UTF8') ilike ${`%${name}%`}))::int as count`);
  return row?.count ?? 0;
}

test("mail that was sent loses its subject and contents, and others' keeps them", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const mails = await left(ctx);
  await dispatchDue({ db: database.db, transport: null });
  expect(await named(projectId, "ada")).toBeGreaterThan(0);
  await deleteContact(ctx, "ada@example.com");
  expect(await named(projectId, "ada")).toBe(0);
  const id = encodeId("email", mails.ada);
  expect(await getEmail(ctx, id)).toMatchObject({ subject: "", status: "DELIVERED" });
  expect(await getEmailContent(ctx, id)).toMatchObject({
    message: null,
    problem: "The contact was deleted for good, and with it what the email said.",
  });
  const other = await getEmailContent(ctx, encodeId("email", mails.grace));
  expect(other.message?.text).toContain("Grace");
});

test("mail that waits is not sent", async () => {
  const { ctx } = await makeProject(database.db);
  const mails = await left(ctx);
  await deleteContact(ctx, "ada@example.com");
  const status = async (id: string) => (await getEmail(ctx, encodeId("email", id))).status;
  expect([await status(mails.ada), await status(mails.grace)]).toEqual(["FAILED", "PENDING"]);
});

test("so it is for somebody who was merged into another since", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await left(ctx);
  const kept = await upsertContact(ctx, { email: "lovelace@example.com" });
  const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
  await mergeContacts(ctx, kept.contact.id, { other: contact.id });
  await deleteContact(ctx, kept.contact.id);
  expect(await named(projectId, "ada@")).toBe(0);
});

test("mail from before this was recorded is found by the member that it names", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await left(ctx);
  const recorded = () =>
    database.db.execute(sql`
      select * from mail_about_contacts where project_id = ${projectId} order by message_id`);
  const before = [...(await recorded())];
  expect(before).toHaveLength(2);
  await database.db.execute(sql`delete from mail_about_contacts where project_id = ${projectId}`);
  const file = new URL(
    "../../../db/migrations/0096_mail_about_contacts_backfill.sql",
    import.meta.url,
  );
  await database.db.execute(sql.raw(await readFile(file, "utf8")));
  expect([...(await recorded())]).toEqual(before);
});
