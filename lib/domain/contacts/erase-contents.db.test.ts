import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { getEmailContent } from "@/lib/domain/emails/content";
import { claimEmails } from "@/lib/engine/sending/claim";
import { encodeId } from "@/lib/ground/ids/ids";
import { MessageContents } from "@/lib/mail/content/message-contents";
import { makeProject } from "@/lib/testing";
import { send } from "@/lib/testing/delivery";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { findContactRow } from "./contacts";
import { deleteContact, eraseContact } from "./delete";

/* What was said to a person alone goes with them; what others got as well stays until the last of them is gone. */

const database = useTestDatabase();
const ada = "ada@example.com";
const grace = "grace@example.com";
const receipt = {
  from: "hello@sandbox.test",
  subject: "Ada, your order",
  body: "<p>To {{ street }}</p>",
  text: "To {{ street }}",
  data: { street: "12 St James's Square" },
  metadata: { customer: "ada-17" },
  replyTo: "ada-17@shop.example",
  attachments: [{ filename: "ada.txt", content: Buffer.from("Ada's").toString("base64") }],
};

async function stored(emailId: string) {
  const [row] = await database.db.execute(sql`
    select m.subject, m.html, m.text, m.data, m.metadata, m.reply_to, m.content_deleted_at is not null as gone,
      (select count(*)::int from message_attachments a where a.message_id = m.id) as files
    from messages m join emails e on e.message_id = m.id where e.id = ${emailId}`);
  return row;
}
const nothing = {
  ...{ subject: "", html: null, text: null, data: null, metadata: null, reply_to: null },
  ...{ gone: true, files: 0 },
};

test("mail to one person alone loses what it said, files and variables too", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { ...receipt, to: ada });
  const [other = ""] = await send(ctx, { ...receipt, to: grace });
  await deleteContact(ctx, ada);
  expect(await stored(id)).toEqual(nothing);
  expect(await stored(other)).toMatchObject({ html: receipt.body, gone: false, files: 1 });
  expect(await getEmailContent(ctx, encodeId("email", id))).toMatchObject({
    problem: "The contact was deleted for good, and with it what the email said.",
  });
});

test("what others got too stays for them, and goes with the last", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { ...receipt, to: [ada, grace] });
  await deleteContact(ctx, ada);
  expect(await stored(id)).toMatchObject({ html: receipt.body, data: receipt.data, files: 1 });
  await deleteContact(ctx, grace);
  expect(await stored(id)).toEqual(nothing);
});

test("two who shared a mail and are deleted at once leave nothing of it", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { ...receipt, to: [ada, grace] });
  const { done } = await database.db.transaction(async (tx) => {
    await eraseContact(tx, ctx, await findContactRow(tx, ctx, ada, sql`for update`));
    const begun = deleteContact(ctx, grace);
    await untilBlocked(database.db);
    return { done: begun };
  });
  await done;
  expect(await stored(id)).toEqual(nothing);
});

test("mail that a worker holds is not sent without what it said", async () => {
  const { ctx } = await makeProject(database.db);
  const [id = ""] = await send(ctx, { ...receipt, to: ada });
  const { emails } = await claimEmails(database.db, { limit: 1_000, leaseSeconds: 60 });
  const held = emails.find((email) => email.id === id);
  await deleteContact(ctx, ada);
  expect(held).toBeDefined();
  expect(await new MessageContents(database.db).get(held?.messageId ?? "")).toBeNull();
});

test("only mail of the same instant is looked at for others", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  for (let n = 0; n < 5; n++) await send(ctx, { ...receipt, to: ada });
  await database.db.execute(sql`
    with message as (
      insert into messages (id, project_id, from_email, subject)
      values (new_id(${projectId}::uuid), ${projectId}, 'news@sandbox.test', 'Other') returning id
    ) insert into emails (id, project_id, message_id, contact_id, recipient, source, status, created_at)
    select new_id(${projectId}::uuid), ${projectId}, message.id, gen_random_uuid(),
      'p' || n || '@example.org', 'TRANSACTIONAL', 'SENT', app_now() - make_interval(secs => n)
    from message, generate_series(1, 5000) n`);
  const db = connect(database.url, { max: 1 });
  try {
    const work = () => deleteContact({ ...ctx, db }, ada);
    expect(await rowsRead(db, ["emails", "messages", "message_attachments"], work)).toBeLessThan(
      200,
    );
  } finally {
    await db.$client.end({ timeout: 5 });
  }
});
