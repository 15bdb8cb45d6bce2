import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { getPreferences } from "@/lib/domain/opt-outs/preferences";
import { viewMail } from "@/lib/domain/opt-outs/view-in-browser";
import { getMemberships } from "@/lib/domain/contact-story/memberships";
import { timelineQuery } from "@/lib/domain/contact-story/schema";
import { listTimeline } from "@/lib/domain/contact-story/timeline";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { getEmail } from "@/lib/domain/emails/read";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { createTopic } from "@/lib/domain/topics/topics";
import { claimEmails } from "@/lib/engine/sending/claim";
import { allMail } from "@/lib/engine/sending/part";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { contactToken, recipientToken } from "@/lib/mail/tracking/tokens";
import { campaignTo, keptAddress, makeTwins, otherAddress } from "@/lib/testing/merges";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { mergeContacts } from "./merge";
import { moveMergedMail } from "./move-mail";
import { previewMerge } from "./preview";

const database = useTestDatabase();

/** Addresses that mail of the project is handed over to now. */
const claimed = async (projectId: string) =>
  (
    await claimEmails(database.db, {
      limit: 100,
      leaseSeconds: 60,
      part: { ...allMail, projects: [projectId] },
    })
  ).emails
    .map(({ recipient }) => recipient)
    .sort();

const statuses = async (ids: readonly string[]) => {
  const rows = await database.db.execute<{ id: string; status: string }>(sql`
    select id, status from emails where id = any(${sql.param(ids)}::uuid[])`);
  return ids.map((id) => rows.find((row) => row.id === id)?.status);
};

describe("objections", () => {
  test("of the other hold for the kept one: everything, a list, a topic, a break", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    const list = await makeList(ctx);
    await join(ctx, list.id, keptAddress);
    const member = await join(ctx, list.id, otherAddress);
    const topic = await createTopic(ctx, { name: "Offers" });
    const mail = { contactId: other.id, email: otherAddress };
    const { token } = await campaignMail(database.db, ctx, { ...mail, listId: list.id });
    expect(member.status).toBe("subscribed");
    for (const change of [
      { action: "leave", list: list.id },
      { action: "leave-topic", topic: topic.id },
      { action: "pause", days: "30" },
      { action: "weekly" },
      { action: "leave-all", reason: "", comment: "" },
    ] as const) {
      await changePreferences(database.db, token, change);
    }
    const [waiting] = await campaignTo(database.db, ctx, [{ twin: kept, status: "PENDING" }]);
    const { result } = await previewMerge(ctx, kept.id, { other: other.id });
    const expected = {
      ...{ state: "unsubscribed", subscribed: false, onceAWeekAtMost: true },
      lists: [{ id: list.id, name: "News", status: "unsubscribed" }],
      topicsLeft: [{ id: topic.id, name: "Offers" }],
    };
    expect(result).toMatchObject(expected);
    const merged = await mergeContacts(ctx, kept.id, { other: other.id });
    expect(merged).toMatchObject({ state: "unsubscribed", subscribed: false });
    const preferences = await getPreferences(
      database.db,
      contactToken(decodeId("contact", kept.id) ?? ""),
    );
    expect(preferences).toMatchObject({
      ...{ consent: "unsubscribed", weekly: true, pausedUntil: expect.any(Date) as Date },
      ...{ lists: [{ status: "unsubscribed" }], topics: [{ id: topic.id, left: true }] },
    });
    expect(await claimed(projectId)).toEqual([]);
    expect(await statuses([waiting ?? ""])).toEqual(["FAILED"]);
  });

  test("by suppression hold for both addresses; a bounce stays with the address that bounced", async () => {
    const { ctx, kept, other } = await makeTwins(database.db);
    await addSuppression(ctx, { email: otherAddress });
    expect(await mergeContacts(ctx, kept.id, { other: other.id })).toMatchObject({
      state: "manual",
    });
    const rows = await database.db
      .select({ email: suppressions.email, reason: suppressions.reason })
      .from(suppressions)
      .where(eq(suppressions.projectId, ctx.projectId));
    expect(rows.map(({ email }) => email).sort()).toEqual([keptAddress, otherAddress]);

    const twins = await makeTwins(database.db);
    await database.db.execute(sql`insert into suppressions (id, project_id, email, reason)
      values (new_id(${twins.projectId}::uuid), ${twins.projectId}, ${otherAddress}, 'hard_bounce')`);
    const merged = await mergeContacts(twins.ctx, twins.kept.id, { other: twins.other.id });
    expect(merged).toMatchObject({ state: "reachable" });
    const [left] = await database.db.execute(sql`
      select count(*)::int as bounced from suppressions
      where project_id = ${twins.projectId} and email = ${otherAddress}`);
    expect(left).toEqual({ bounced: 1 });
  });

  test("made later about mail to either address hold for the person and for that address", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    const both = [kept, other].map((twin) => ({ twin, status: "SENT" as const }));
    const [, second = ""] = await campaignTo(database.db, ctx, both);
    await mergeContacts(ctx, kept.id, { other: other.id });
    await recordReport(ctx, encodeId("email", second), { kind: "complained", type: "abuse" });
    expect(await getContact(ctx, kept.id)).toMatchObject({ subscribed: false });
    const [row] = await database.db.execute(sql`
      select email from suppressions where project_id = ${projectId}`);
    expect(row).toEqual({ email: otherAddress });
  });
});

test("a bounce of mail to the former address takes nobody off a list, one of the other address does", async () => {
  const { ctx, kept, other } = await makeTwins(database.db);
  const list = await makeList(ctx);
  await join(ctx, list.id, keptAddress);
  const mails = await Promise.all(
    [kept, other].map((twin) => campaignTo(database.db, ctx, [{ twin, status: "SENT" }])),
  );
  await mergeContacts(ctx, kept.id, { other: other.id });
  const statusAfter = async (mail: string[] = []) => {
    await recordReport(ctx, encodeId("email", mail[0] ?? ""), { kind: "bounced", hard: true });
    return (await getMemberships(ctx, kept.id)).lists.map(({ status }) => status);
  };
  expect(await statusAfter(mails[1])).toEqual(["subscribed"]);
  expect(await statusAfter(mails[0])).toEqual(["bounced"]);
});

describe("links in mail to the other", () => {
  test("act for the kept contact, also where both got the campaign", async () => {
    const { ctx, kept, other } = await makeTwins(database.db, { kept: { firstName: "Ada" } });
    const [, second = ""] = await campaignTo(database.db, ctx, [
      { twin: kept, status: "SENT" },
      { twin: other, status: "SENT" },
    ]);
    const { token } = await campaignMail(database.db, ctx, {
      ...{ contactId: other.id, email: otherAddress },
    });
    await mergeContacts(ctx, kept.id, { other: other.id });
    const links = [
      token,
      recipientToken(second),
      contactToken(decodeId("contact", other.id) ?? ""),
    ];
    for (const link of links) {
      expect(await getPreferences(database.db, link)).toMatchObject({
        ...{ email: keptAddress, firstName: "Ada", consent: "subscribed" },
      });
    }
    expect(await viewMail(database.db, recipientToken(second))).toMatchObject({ subject: "Hello" });
    expect((await getEmail(ctx, encodeId("email", second))).contact).toMatchObject({ id: kept.id });
    // Somebody made a contact of the former address again: leaving by mail to it leaves there, too.
    const { contact: again } = await upsertContact(ctx, { email: otherAddress, subscribed: true });
    const leaveAll = { action: "leave-all", reason: "", comment: "" } as const;
    expect(await changePreferences(database.db, recipientToken(second), leaveAll)).toBe("changed");
    for (const { id } of [kept, again]) {
      expect(await getContact(ctx, id)).toMatchObject({ state: "unsubscribed" });
    }
  });

  test("that only the address is about are remembered with it", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    const { token } = await campaignMail(database.db, ctx, {
      ...{ contactId: other.id, email: otherAddress },
    });
    await mergeContacts(ctx, kept.id, { other: other.id });
    await changePreferences(database.db, token, { action: "leave-all", reason: "", comment: "" });
    const [row] = await database.db.execute(sql`
      select objected_by, objected_at is not null as objected from forgotten_addresses
      where project_id = ${projectId}`);
    expect(row).toEqual({ objected_by: "link", objected: true });
  });
});

describe("one email per campaign and person", () => {
  test.each([
    // Of the kept contact, of the other, and what becomes of them.
    ["PENDING", "PENDING", "PENDING", "FAILED", 1],
    ["SENT", "PENDING", "SENT", "FAILED", 1],
    ["PENDING", "SENT", "FAILED", "SENT", 1],
    ["SENT", "SENT", "SENT", "SENT", 0],
    ["PENDING", "FAILED", "PENDING", "FAILED", 0],
  ] as const)("%s and %s become %s and %s", async (mine, theirs, kept, other, stopped) => {
    const twins = await makeTwins(database.db);
    const { ctx, projectId } = twins;
    const ids = await campaignTo(database.db, ctx, [
      { twin: twins.kept, status: mine },
      { twin: twins.other, status: theirs },
    ]);
    const { waiting } = await previewMerge(ctx, twins.kept.id, { other: twins.other.id });
    expect(waiting).toBe(stopped);
    await mergeContacts(ctx, twins.kept.id, { other: twins.other.id });
    expect(await statuses(ids)).toEqual([kept, other]);
    expect(await claimed(projectId)).toEqual(kept === "PENDING" ? [keptAddress] : []);
    const { data } = await listTimeline(
      ctx,
      twins.kept.id,
      timelineQuery.parse({ kinds: "emails" }),
    );
    expect(data).toHaveLength(2);
    const [figures] = await database.db.execute(sql`
      select coalesce(sum(failed), 0)::int as failed, coalesce(sum(settled), 0)::int as settled
      from hourly_figures where project_id = ${projectId}`);
    expect(figures).toEqual({ failed: stopped, settled: stopped });
  });

  test("what is being handed over to the other at this moment is the one", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    const [, second = ""] = await campaignTo(database.db, ctx, [
      { twin: kept, status: "PENDING" },
      { twin: other, status: "PENDING" },
    ]);
    await database.db.execute(sql`update email_queue set lease_id = new_id(),
      lease_until = app_now() + interval '1 minute' where email_id = ${second}`);
    await mergeContacts(ctx, kept.id, { other: other.id });
    expect(await claimed(projectId)).toEqual([]);
    expect(await statuses([second])).toEqual(["PENDING"]);
  });

  test("of a campaign that only the other gets goes to the address it was accepted for", async () => {
    const { ctx, projectId, kept, other } = await makeTwins(database.db);
    await campaignTo(database.db, ctx, [{ twin: other, status: "PENDING" }]);
    await mergeContacts(ctx, kept.id, { other: other.id });
    expect(await claimed(projectId)).toEqual([otherAddress]);
  });

  test("while a campaign is choosing between the two, they are not merged", async () => {
    const { ctx, kept, other } = await makeTwins(database.db);
    const [mail = ""] = await campaignTo(
      database.db,
      ctx,
      [{ twin: other, status: "PENDING" }],
      "open",
    );
    const merge = () => mergeContacts(ctx, kept.id, { other: other.id });
    await expect(merge()).rejects.toMatchObject({
      ...{ code: "CONFLICT", message: expect.stringContaining("“Issue”") as string },
    });
    expect(await getContact(ctx, other.id)).toMatchObject({ email: otherAddress });
    await database.db.execute(sql`update campaigns set audience_done_at = app_now()
      where id = (select campaign_id from emails where id = ${mail})`);
    expect(await merge()).toMatchObject({ id: kept.id });
  });
});

test("thousands of emails are moved in short transactions, and are found meanwhile", async () => {
  const { ctx, projectId, kept, other } = await makeTwins(database.db);
  await campaignTo(database.db, ctx, [{ twin: other, status: "SENT" }]);
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, created_at, sent_at)
    select new_id(project_id), project_id, message_id, contact_id, recipient, 'TRANSACTIONAL', 'SENT',
      created_at - n * interval '1 minute', created_at - n * interval '1 minute'
    from emails, generate_series(1, 12000) n where project_id = ${projectId}`);
  const countOf = async (id: string) => {
    const [row] = await database.db.execute<{ count: number }>(sql`
      select count(*)::int from emails where contact_id = ${decodeId("contact", id)}`);
    return row?.count;
  };
  await mergeContacts(ctx, kept.id, { other: other.id });
  expect(await countOf(other.id)).toBe(2_001);
  const recent = await listTimeline(ctx, kept.id, timelineQuery.parse({ limit: 100 }));
  expect(recent.data.filter(({ type }) => type === "email").length).toBeGreaterThan(90);
  // Accepted while the two were merged, and written after.
  await database.db.execute(sql`
    update emails set contact_id = ${decodeId("contact", other.id)} where id = (
      select id from emails where contact_id = ${decodeId("contact", kept.id)} limit 1)`);
  await moveMergedMail(database.db, AbortSignal.timeout(60_000));
  expect([await countOf(kept.id), await countOf(other.id)]).toEqual([12_001, 0]);
  const unmoved = sql`select count(*)::int as unmoved from merged_contacts
    where project_id = ${projectId} and moved_at is null`;
  expect(await database.db.execute(unmoved)).toMatchObject([{ unmoved: 1 }]);
  await database.db
    .execute(sql`update merged_contacts set created_at = created_at - interval '1 hour'
    where project_id = ${projectId}`);
  await moveMergedMail(database.db, AbortSignal.timeout(60_000));
  expect(await database.db.execute(unmoved)).toMatchObject([{ unmoved: 0 }]);
  await updateContact(ctx, kept.id, { firstName: "Ada" });
}, 60_000);
