import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { contacts, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { encodeId } from "@/lib/ground/ids/ids";
import { send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { makeList } from "@/lib/testing/opt-outs";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);
const to = "ada@example.org";

/** A server that answers each recipient with what is set. */
async function stand() {
  const { ctx, domain } = await sender();
  const says: { refusal: string | null } = { refusal: null };
  const server = await mailServer({
    onRcptTo(_, __, callback) {
      const { refusal } = says;
      callback(refusal ? smtpError(Number(refusal.slice(0, 3)), refusal.slice(4)) : null);
    },
  });
  const write = async (refusal: string | null, address = to) => {
    says.refusal = refusal;
    const [id = ""] = await send(ctx, { from: `shop@${domain}`, to: address });
    await dispatch(server.url);
    return (await storedEmail(database.db, id)).status;
  };
  const suppressed = () =>
    database.db
      .select({ reason: suppressions.reason, response: suppressions.response })
      .from(suppressions)
      .where(eq(suppressions.projectId, ctx.projectId));
  return { ctx, write, suppressed };
}

const full = "552 5.2.2 Mailbox full";

test("an address whose mailbox is full five times in a row is suppressed, with what the server said", async () => {
  const { ctx, write, suppressed } = await stand();
  const list = await makeList(ctx);
  const member = await addSubscriber(ctx, list.id, { email: to, source: "added" });
  for (let nth = 1; nth <= 4; nth++) expect(await write(full)).toBe("BOUNCED");
  expect(await suppressed()).toEqual([]);
  expect(await write(full)).toBe("BOUNCED");
  expect(await suppressed()).toMatchObject([
    { reason: "hard_bounce", response: expect.stringContaining("Mailbox full") as string },
  ]);
  expect((await getSubscriber(ctx, member.id)).status).toBe("bounced");
  expect(await write(null)).toBe("FAILED");
});

test("mail that is taken in between starts anew, and what servers have against the sender does not count", async () => {
  const { ctx, write, suppressed } = await stand();
  expect(await write(null)).toBe("SENT");
  for (let nth = 1; nth <= 4; nth++) await write(full);
  expect(await write(null)).toBe("SENT");
  // Taken last, though it was written first: it had been scheduled.
  await database.db.execute(sql`
    update emails set created_at = created_at - interval '10 days' where id = (
      select id from emails where project_id = ${ctx.projectId} and status = 'SENT' order by sent_at desc limit 1)`);
  for (let nth = 1; nth <= 4; nth++) await write(full);
  for (let nth = 1; nth <= 5; nth++) await write("550 5.7.1 Message refused by policy");
  for (let nth = 1; nth <= 5; nth++) await write("550 5.7.1 Daily sending quota exceeded");
  expect(await suppressed()).toEqual([]);
  await write(full);
  expect(await suppressed()).toHaveLength(1);
});

test("a new address does not answer for the one before", async () => {
  const { ctx, write, suppressed } = await stand();
  for (let nth = 1; nth <= 4; nth++) await write(full);
  const [{ id } = { id: "" }] = await database.db
    .select({ id: contacts.id })
    .from(contacts)
    .where(and(eq(contacts.projectId, ctx.projectId), eq(contacts.email, to)));
  await updateContact(ctx, encodeId("contact", id), { email: "new@example.org" });
  expect(await write(full, "new@example.org")).toBe("BOUNCED");
  expect(await suppressed()).toEqual([]);
});
