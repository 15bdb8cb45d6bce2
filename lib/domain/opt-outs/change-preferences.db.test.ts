import { and, eq, like, sql } from "drizzle-orm";
import { auditLog } from "@/db/schema";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { claimEmails } from "@/lib/engine/sending/claim";
import { getEmail } from "@/lib/domain/emails/read";
import { sendEmail } from "@/lib/domain/emails/send";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { deleteList } from "@/lib/domain/lists/lists";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { deleteSubscriber, unsubscribe } from "@/lib/domain/lists/change-subscribers";
import { makeProject } from "@/lib/testing";
import { contactToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import { makeTwins } from "@/lib/testing/merges";
import { untilBlocked } from "@/lib/testing/until-blocked";
import { liftSuppression } from "@/lib/domain/suppressions/suppressions";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { changePreferences, unsubscribeByToken } from "./change-preferences";
import { getPreferences } from "./preferences";
import { campaignMail, join, makeList, snapshot } from "@/lib/testing/opt-outs";

const database = useTestDatabase();
const email = "ada@example.com";

interface Figures extends Record<string, unknown> {
  campaign_id: string;
  unsubscribed: number;
}

const figures = (projectId: string) =>
  database.db.execute<Figures>(sql`
    select campaign_id, sum(unsubscribed)::int as unsubscribed from hourly_figures
    where project_id = ${projectId} group by campaign_id having sum(unsubscribed) <> 0`);

const told = async (projectId: string) =>
  (
    await database.db.execute<{ event: string }>(sql`
      select event from webhook_deliveries
      where project_id = ${projectId} and event <> 'contact.created' order by id`)
  ).map(({ event }) => event);

const leavings = async (ctx: Context, emailId: string) =>
  (await getEmail(ctx, encodeId("email", emailId))).events.filter(
    ({ name }) => name === "unsubscribed",
  );

/** Ada on two lists, and a mail of the first. */
async function onTwoLists() {
  const { ctx, projectId } = await makeProject(database.db);
  await createWebhook(ctx, {
    url: "https://example.com/hooks",
    events: ["contact.subscribed", "contact.unsubscribed"],
  });
  const [first, second] = [
    await makeList(ctx, { name: "First" }),
    await makeList(ctx, { name: "Second" }),
  ];
  const member = await join(ctx, first.id, email);
  const otherMembership = await join(ctx, second.id, email);
  await database.db.execute(sql`delete from webhook_deliveries where project_id = ${projectId}`);
  const mail = await campaignMail(database.db, ctx, { ...member, listId: first.id });
  return { ctx, projectId, first, second, member, other: otherMembership, mail };
}

describe("leaving by a mail's link", () => {
  test("of a list's mail leaves that list alone, whoever tries it 20 times at once counts once", async () => {
    const { ctx, projectId, first, member, other, mail } = await onTwoLists();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => unsubscribeByToken(database.db, mail.token)),
    );
    expect(outcomes.filter((outcome) => outcome === "changed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "unchanged")).toHaveLength(19);
    expect((await getSubscriber(ctx, member.id)).status).toBe("unsubscribed");
    expect((await getSubscriber(ctx, other.id)).status).toBe("subscribed");
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    expect(await leavings(ctx, mail.emailId)).toMatchObject([
      { data: { via: "one-click", list: first.id } },
    ]);
    expect([...(await figures(projectId))]).toEqual([
      { campaign_id: mail.campaignId, unsubscribed: 1 },
    ]);
    expect(await told(projectId)).toEqual(["contact.unsubscribed"]);
    const [row] = await database.db.execute<{ unsubscribed_at: string | null; status: string }>(
      sql`select unsubscribed_at, status from emails where id = ${mail.emailId}`,
    );
    expect(row?.unsubscribed_at).not.toBeNull();
    expect(row?.status).toBe("DELIVERED");
  });

  test("of a mail to everybody leaves everything and keeps the memberships", async () => {
    const { ctx, projectId, member } = await onTwoLists();
    const mail = await campaignMail(database.db, ctx, {
      ...{ contactId: member.contactId, email },
    });
    expect(await unsubscribeByToken(database.db, mail.token)).toBe("changed");
    expect((await getContact(ctx, email)).subscribed).toBe(false);
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect(await leavings(ctx, mail.emailId)).toMatchObject([
      { data: { via: "one-click", list: null } },
    ]);
    expect(await told(projectId)).toEqual(["contact.unsubscribed"]);
  });

  test("counts for everything when the list or the membership is gone", async () => {
    for (const remove of ["list", "membership"] as const) {
      const { ctx, first, member, mail } = await onTwoLists();
      if (remove === "list") await deleteList(ctx, first.id);
      else await deleteSubscriber(ctx, member.id);
      expect(await unsubscribeByToken(database.db, mail.token)).toBe("changed");
      expect((await getContact(ctx, email)).subscribed).toBe(false);
    }
  });

  test("of transactional mail leaves everything, and somebody never asked is then not asked again", async () => {
    const { ctx } = await makeProject(database.db);
    const { result } = await sendEmail(ctx, {
      to: "never@example.com",
      from: "hello@sandbox.test",
      subject: "Receipt",
      body: "<p>Paid</p>",
    });
    const id = decodeId("email", result.data.emails[0]?.email ?? "") ?? "";
    expect(await unsubscribeByToken(database.db, recipientToken(id))).toBe("changed");
    const list = await makeList(ctx);
    await join(ctx, list.id, "never@example.com");
    expect((await getContact(ctx, "never@example.com")).subscribed).toBe(false);
  });

  test("does nothing for a token that is not ours, an email that is gone and a person who is", async () => {
    const { ctx, projectId, member, mail } = await onTwoLists();
    const before = await snapshot(database.db, projectId);
    const forged = `${mail.token.slice(0, -1)}${mail.token.endsWith("A") ? "B" : "A"}`;
    for (const token of [
      forged,
      "",
      "x".repeat(500),
      mail.emailId,
      recipientToken(newUnownedId()),
    ]) {
      expect(await unsubscribeByToken(database.db, token)).toBeNull();
      expect(await changePreferences(database.db, token, { action: "leave-all" })).toBeNull();
      expect(await getPreferences(database.db, token)).toBeNull();
    }
    expect(await snapshot(database.db, projectId)).toBe(before);
    await deleteContact(ctx, email);
    const gone = await snapshot(database.db, projectId);
    const contact = decodeId("contact", member.contactId) ?? "";
    for (const token of [mail.token, contactToken(contact)]) {
      expect(await unsubscribeByToken(database.db, token)).toBe("deleted");
      expect(await getPreferences(database.db, token)).toBe("deleted");
    }
    expect(await snapshot(database.db, projectId)).toBe(gone);
  });

  test("holds for a list that a bounce had taken them off, once mail may be sent again", async () => {
    for (const leave of [
      (token: string) => unsubscribeByToken(database.db, token),
      (token: string, list: string) =>
        changePreferences(database.db, token, { action: "leave", list }),
    ]) {
      const { ctx, first, member, other, mail } = await onTwoLists();
      const bounce = { kind: "bounced", hard: true } as const;
      await recordReport(ctx, encodeId("email", mail.emailId), bounce);
      expect((await getSubscriber(ctx, member.id)).status).toBe("bounced");
      expect(await leave(mail.token, first.id)).toBe("changed");
      expect(await leave(mail.token, first.id)).toBe("unchanged");
      await liftSuppression(ctx, email);
      expect((await getSubscriber(ctx, member.id)).status).toBe("unsubscribed");
      expect((await getSubscriber(ctx, other.id)).status).toBe("subscribed");
    }
  });

  test("stops what waits, a list's and everybody's: it ends FAILED at the claim", async () => {
    for (const action of ["leave", "leave-all"] as const) {
      const { ctx, first, member, mail } = await onTwoLists();
      const stays = await campaignMail(database.db, ctx, {
        ...(await join(ctx, first.id, "bob@example.com")),
        ...{ listId: first.id, waits: true },
      });
      const waits = await campaignMail(database.db, ctx, {
        ...{ contactId: member.contactId, email, waits: true },
        ...(action === "leave" ? { listId: first.id } : {}),
      });
      const change = { action, list: first.id };
      expect(await changePreferences(database.db, mail.token, change)).toBe("changed");
      const claimed = await claimEmails(database.db, { limit: 10, leaseSeconds: 60 });
      const ours = claimed.emails.filter((one) => one.projectId === ctx.projectId);
      expect(ours.map(({ id }) => id)).toEqual([stays.emailId]);
      expect(claimed.refused).toBe(1);
      const record = await getEmail(ctx, encodeId("email", waits.emailId));
      expect(record).toMatchObject({ status: "FAILED" });
      expect(record.events.at(-1)).toMatchObject({
        ...{ name: "suppressed", data: { reason: "unsubscribed" } },
      });
    }
  });
});

describe("the preferences page's choices", () => {
  test("leave and join one list, each once, and count the email once for all", async () => {
    const { ctx, projectId, first, second, member, other, mail } = await onTwoLists();
    const does = (action: "leave" | "join", list: string) =>
      changePreferences(database.db, mail.token, { action, list });
    expect(await does("leave", second.id)).toBe("changed");
    expect(await does("leave", second.id)).toBe("unchanged");
    expect((await getSubscriber(ctx, other.id)).status).toBe("unsubscribed");
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect(await does("leave", first.id)).toBe("changed");
    expect(await does("join", first.id)).toBe("changed");
    expect(await does("join", first.id)).toBe("unchanged");
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect(await leavings(ctx, mail.emailId)).toHaveLength(1);
    expect((await figures(projectId)).map(({ unsubscribed: count }) => count)).toEqual([1]);
    expect(await told(projectId)).toEqual([
      "contact.unsubscribed",
      "contact.unsubscribed",
      "contact.subscribed",
    ]);
  });

  test("know neither another project's list nor one the person is not on", async () => {
    const { ctx, projectId, mail } = await onTwoLists();
    const { ctx: stranger } = await makeProject(database.db);
    const lists = [await makeList(stranger), await makeList(ctx)];
    const before = await snapshot(database.db, projectId);
    for (const { id } of [...lists, { id: "lst_nonsense" }]) {
      for (const action of ["join", "leave"] as const) {
        expect(await changePreferences(database.db, mail.token, { action, list: id })).toBe(
          "unchanged",
        );
      }
    }
    expect(await snapshot(database.db, projectId)).toBe(before);
  });

  test("joining a list lifts no unsubscription from everything, returning does", async () => {
    const { ctx, first, mail } = await onTwoLists();
    const does = (change: Parameters<typeof changePreferences>[2]) =>
      changePreferences(database.db, mail.token, change);
    await does({ action: "leave", list: first.id });
    expect(await does({ action: "leave-all" })).toBe("changed");
    expect(await does({ action: "leave-all" })).toBe("unchanged");
    expect(await does({ action: "join", list: first.id })).toBe("changed");
    expect((await getContact(ctx, email)).subscribed).toBe(false);
    expect(await does({ action: "return" })).toBe("changed");
    expect(await does({ action: "return" })).toBe("unchanged");
    expect((await getContact(ctx, email)).subscribed).toBe(true);
  });

  test("bring nobody back onto a list that a complaint took them off", async () => {
    const { ctx, first, member, mail } = await onTwoLists();
    const id = decodeId("subscriber", member.id);
    await database.db.execute(sql`update subscribers set status = 'complained' where id = ${id}`);
    for (const action of ["join", "leave"] as const) {
      const change = { action, list: first.id };
      expect(await changePreferences(database.db, mail.token, change)).toBe("unchanged");
    }
    expect((await getSubscriber(ctx, member.id)).status).toBe("complained");
  });

  test("do not subscribe a person whose complaint stopped the mail, and never claim it", async () => {
    const { ctx, projectId, first, member, mail } = await onTwoLists();
    await changePreferences(database.db, mail.token, { action: "leave-all" });
    await unsubscribe(ctx, member.id);
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${newUnownedId()}, ${projectId}, ${email}, 'complaint')`);
    const token = mail.token;
    expect(await changePreferences(database.db, token, { action: "return" })).toBe("unchanged");
    const join = { action: "join", list: first.id } as const;
    expect(await changePreferences(database.db, token, join)).toBe("unchanged");
    expect(await getContact(ctx, email)).toMatchObject({
      subscribed: false,
      state: "complaint",
    });
    expect((await getSubscriber(ctx, member.id)).status).toBe("unsubscribed");
  });

  test("stand in the audit log: leaving and coming back are the person's own acts", async () => {
    const { projectId, mail } = await onTwoLists();
    await changePreferences(database.db, mail.token, { action: "leave-all" });
    await changePreferences(database.db, mail.token, { action: "return" });
    const rows = await database.db
      .select({ action: auditLog.action, details: auditLog.details })
      .from(auditLog)
      .where(and(eq(auditLog.projectId, projectId), like(auditLog.action, "%subscribe.contact")))
      .orderBy(auditLog.id);
    expect(rows).toEqual([
      { action: "unsubscribe.contact", details: { before: "subscribed", by: "recipient" } },
      { action: "subscribe.contact", details: { before: "unsubscribed", by: "recipient" } },
    ]);
  });

  test("show the project, the lists with the mail's own first, and what is blocked", async () => {
    const { ctx, projectId, second, other, mail } = await onTwoLists();
    await makeList(ctx, { name: "Not joined" });
    await unsubscribe(ctx, other.id);
    const before = await snapshot(database.db, projectId);
    expect(await getPreferences(database.db, mail.token)).toMatchObject({
      brand: { project: "Test project", color: null, language: "en" },
      email,
      consent: "subscribed",
      blocked: null,
      lists: [
        { name: "First", status: "subscribed", linked: true },
        { id: second.id, name: "Second", status: "unsubscribed", linked: false },
      ],
    });
    expect(await snapshot(database.db, projectId)).toBe(before);
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${newUnownedId()}, ${projectId}, ${email.toUpperCase()}, 'hard_bounce')`);
    const contact = await upsertContact(ctx, { email });
    const token = contactToken(
      decodeId("contact", contact.contact.id) ?? "",
      decodeId("list", second.id) ?? "",
    );
    expect(await getPreferences(database.db, token)).toMatchObject({
      blocked: "hard_bounce",
      lists: [{ name: "Second", linked: true }, { name: "First" }],
    });
  });
});

test("leaving is written by the statements that stand beside this test", async () => {
  const { mail } = await onTwoLists();
  const text = await recordStatements(database.url, async (db) => {
    await unsubscribeByToken(db, mail.token);
    await changePreferences(db, mail.token, { action: "leave-all" });
  });
  await expect(text).toMatchFileSnapshot("./change-preferences.sql");
});

test("who unsubscribes while their contact is merged into another is unsubscribed", async () => {
  const { ctx, kept, other } = await makeTwins(database.db);
  const { token } = await campaignMail(database.db, ctx, {
    ...{ contactId: other.id, email: other.email },
  });
  const { leaving } = await database.db.transaction(async (tx) => {
    await mergeContacts({ ...ctx, db: tx as never }, kept.id, { other: other.id });
    const begun = unsubscribeByToken(database.db, token);
    await untilBlocked(database.db);
    return { leaving: begun };
  });
  expect(await leaving).toBe("changed");
  expect(await getContact(ctx, kept.id)).toMatchObject({ subscribed: false });
});
