import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { campaigns, emailQueue } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import type { CampaignInput } from "@/lib/domain/campaigns/schema";
import { cancelCampaign, pauseCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { createList } from "@/lib/domain/lists/lists";
import { createSegment, deleteSegment, updateSegment } from "@/lib/domain/segments/segments";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { setCampaignPace } from "@/lib/domain/sending-state/pace";
import { addSuppression, liftSuppression } from "@/lib/domain/suppressions/suppressions";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { advance } from "@/lib/testing/campaigns";
import { smtpError } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { explainRecipient } from "./explain";

const database = useTestDatabase();
const { dispatch, mailServer, sender } = useMailServers(database);

type Owner = Pick<TestProject, "ctx">;

const uuid = (kind: "campaign" | "contact", id: string) => decodeId(kind, id) ?? "";

async function person(
  { ctx }: Owner,
  email: string,
  fields: { data?: Record<string, unknown>; tags?: string[]; unsubscribed?: boolean } = {},
): Promise<string> {
  return (await upsertContact(ctx, { email, unsubscribed: false, ...fields })).contact.id;
}

const draft = async ({ ctx }: Owner, fields: CampaignInput = {}) =>
  (
    await createCampaign(ctx, {
      name: "News",
      subject: "News",
      from: "news@sandbox.test",
      body: "<p>Hello</p>",
      ...fields,
    })
  ).id;

async function sent(project: Owner, fields: CampaignInput = {}): Promise<string> {
  const id = await draft(project, fields);
  await sendCampaign(project.ctx, id, {});
  await advance(database.db);
  return id;
}

const segment = async ({ ctx }: Owner, filter: SegmentFilter) =>
  (await createSegment(ctx, { name: "Some", filter })).id;

describe("who was not chosen", () => {
  test("is told each condition of the segment they fail, with what they have, and none they fulfil", async () => {
    const project = await makeProject(database.db);
    const ada = await person(project, "ada@example.org", {
      data: { plan: "free", seats: 3 },
      tags: ["vip"],
    });
    const news = await createList(project.ctx, { name: "Weekly", fromEmail: "a@sandbox.test" });
    const segmentId = await segment(project, {
      and: [
        { field: "data.plan", op: "eq", value: "pro" },
        { field: "tags", op: "contains", value: "vip" },
        {
          or: [
            { field: "data.seats", op: "gt", value: 10 },
            { field: "list", op: "eq", value: news.id },
          ],
        },
        { field: "sentEmails", op: "at_least", value: 1, days: 30 },
      ],
    });
    const id = await sent(project, { segmentId });
    const answer = await explainRecipient(project.ctx, id, "ADA@example.org");
    expect(answer).toMatchObject({
      outcome: "not_received",
      code: "not_in_segment",
      contact: { id: ada },
      emailId: null,
    });
    expect(answer.failedConditions.map(({ reason }) => reason)).toEqual([
      "data.plan must be “pro”, and is “free”.",
      "data.seats must be more than 10, and is 3.",
      "They must be on the list “Weekly”, and are not.",
      "They must have been sent at least 1 email in the last 30 days, and it is none.",
    ]);
  });

  test("is told by the filter of that time, although the segment was changed or deleted since", async () => {
    const project = await makeProject(database.db);
    const bea = await person(project, "bea@example.org", { data: { plan: "free" } });
    const pro: SegmentFilter = { and: [{ field: "data.plan", op: "eq", value: "pro" }] };
    const segmentId = await segment(project, pro);
    const id = await sent(project, { segmentId });
    await updateSegment(project.ctx, segmentId, {
      filter: { and: [{ field: "data.plan", op: "eq", value: "free" }] },
    });
    const code = async () => (await explainRecipient(project.ctx, id, bea)).code;
    expect(await code()).toBe("not_in_segment");
    await database.db
      .update(campaigns)
      .set({ status: "SENT" })
      .where(eq(campaigns.id, uuid("campaign", id)));
    await deleteSegment(project.ctx, segmentId);
    expect(await code()).toBe("not_in_segment");
    await updateContact(project.ctx, bea, { data: { plan: "pro" } });
    expect(await code()).toBe("changed_later");
  });

  test("is told what their subscription was at that time, whatever it is now", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const cai = await person(project, "cai@example.org");
    const never = await person(project, "never@example.org");
    await database.db.execute(sql`
      update contacts set consent = 'never' where id = ${uuid("contact", never)}`);
    // As for people from before there was a history.
    await database.db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('lettermill.erased_contact', ${uuid("contact", never)}, true)`,
      );
      await tx.execute(sql`
        delete from consent_changes where contact_id = ${uuid("contact", never)}`);
    });
    await updateContact(ctx, cai, { subscribed: false });
    await database.travel("1 minute");
    const id = await sent(project);
    await database.travel("1 minute");
    await updateContact(ctx, cai, { subscribed: true });
    const late = await person(project, "late@example.org");
    const answer = await explainRecipient(ctx, id, cai);
    expect(answer.code).toBe("unsubscribed");
    expect(answer.since).not.toBeNull();
    expect((await explainRecipient(ctx, id, never)).code).toBe("never_subscribed");
    expect((await explainRecipient(ctx, id, late)).code).toBe("added_later");
  });

  test("is told why the address was suppressed and since when, also where that was lifted", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const dan = await person(project, "dan@example.org");
    await addSuppression(ctx, { email: "dan@example.org" });
    await database.travel("1 minute");
    const id = await sent(project);
    const expected = { outcome: "not_received", code: "suppressed", suppression: "manual" };
    const standing = await explainRecipient(ctx, id, dan);
    expect(standing).toMatchObject(expected);
    expect(standing.since).not.toBeNull();
    await database.travel("1 minute");
    await liftSuppression(ctx, "dan@example.org");
    expect(await explainRecipient(ctx, id, dan)).toMatchObject({ ...expected, since: null });
  });

  test("of a list is told whether they were never on it, left it or joined later", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const list = await createList(ctx, { name: "Weekly", fromEmail: "a@sandbox.test" });
    const outside = await person(project, "outside@example.org");
    const later = await person(project, "later@example.org");
    const left = await person(project, "left@example.org");
    await addSubscriber(ctx, list.id, { email: "left@example.org", source: "added" });
    await database.db.execute(sql`
      update subscribers set status = 'unsubscribed' where contact_id = ${uuid("contact", left)}`);
    await database.travel("1 minute");
    const id = await sent(project, { listId: list.id });
    await database.travel("1 minute");
    await addSubscriber(ctx, list.id, { email: "later@example.org", source: "added" });
    const code = async (contact: string) => (await explainRecipient(ctx, id, contact)).code;
    expect(await code(outside)).toBe("not_on_list");
    expect(await code(later)).toBe("added_later");
    expect(await code(left)).toBe("left_list");
  });
});

describe("who was chosen", () => {
  test("is told what their mail waits for, and what came of it", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const eve = await person(project, "eve@example.org");
    const id = await sent(project);
    const ask = () => explainRecipient(ctx, id, eve);
    expect(await ask()).toMatchObject({ outcome: "waiting", code: "waiting_for_turn" });
    const mail = eq(emailQueue.campaignId, uuid("campaign", id));
    await database.db.update(emailQueue).set({ dueAt: null, warmupRank: 1 }).where(mail);
    expect((await ask()).code).toBe("waiting_for_warm_up");
    await database.db
      .update(emailQueue)
      .set({ dueAt: sql`'infinity'`, warmupRank: null, asleep: true })
      .where(mail);
    expect((await ask()).code).toBe("waiting_for_winner");
    await pauseCampaign(ctx, id);
    expect((await ask()).code).toBe("campaign_paused");
    await cancelCampaign(ctx, id);
    await advance(database.db);
    expect(await ask()).toMatchObject({ outcome: "not_received", code: "campaign_cancelled" });
    const { emailId } = await ask();
    expect(emailId).toMatch(/^em_/);
  });

  test("is told whether the project's pace, their receiver or their own hour holds it back", async () => {
    const project = await makeProject(database.db);
    const { ctx } = project;
    const eve = await person(project, "eve@example.org");
    const id = await sent(project);
    await setCampaignPace(ctx, { emailsPerHour: 120 });
    expect(await explainRecipient(ctx, id, eve)).toMatchObject({
      code: "waiting_for_turn",
      reason: expect.stringContaining("120 emails an hour") as string,
    });
    // As workers put off what is for a receiver that asked for less.
    await database.db
      .update(emailQueue)
      .set({ asleep: true, dueAt: sql`app_now() + interval '5 minutes'` })
      .where(eq(emailQueue.campaignId, uuid("campaign", id)));
    expect(await explainRecipient(ctx, id, eve)).toMatchObject({
      code: "waiting_for_turn",
      reason: expect.stringContaining("asked for less mail") as string,
      nextAt: expect.any(String) as string,
    });
    await database.db
      .update(campaigns)
      .set({ personalTime: { mode: "local", at: "09:00" } })
      .where(eq(campaigns.id, uuid("campaign", id)));
    expect((await explainRecipient(ctx, id, eve)).code).toBe("waiting_for_hour");
  });

  test("is told that the server refused it while that is tried again", async () => {
    const { ctx, domain } = await sender();
    const project = { ctx };
    const fay = await person(project, "fay@example.org");
    const id = await sent(project, { from: `news@${domain}` });
    const server = await mailServer({
      onData(stream, _session, callback) {
        stream.resume();
        stream.on("end", () => callback(smtpError(554, "5.7.1 Rejected")));
      },
    });
    await dispatch(server.url);
    expect(await explainRecipient(ctx, id, fay)).toMatchObject({
      outcome: "waiting",
      code: "waiting_for_retry",
      reason: expect.stringContaining("server refused it") as string,
      serverReply: "554 5.7.1 Rejected",
      nextAt: expect.any(String) as string,
    });
  });

  test("is told the server's words when it bounced, and that they left when they did", async () => {
    const { ctx, domain } = await sender();
    const project = { ctx };
    const fay = await person(project, "fay@example.org");
    const gus = await person(project, "gus@example.org");
    const id = await sent(project, { from: `news@${domain}` });
    await updateContact(ctx, gus, { subscribed: false });
    const server = await mailServer({
      onRcptTo(address, _session, callback) {
        callback(Object.assign(new Error("5.1.1 No such user here"), { responseCode: 550 }));
      },
    });
    await dispatch(server.url);
    expect(await explainRecipient(ctx, id, fay)).toMatchObject({
      outcome: "not_received",
      code: "bounced",
      serverReply: "550 5.1.1 No such user here",
      reason: expect.stringContaining("the address does not work") as string,
    });
    // As after five full mailboxes in a row.
    await database.db.execute(sql`
      update email_events set data = data || '{"cause": "mailbox_full"}'
      where name = 'bounced' and project_id = ${ctx.projectId}`);
    expect((await explainRecipient(ctx, id, fay)).reason).toContain("as several before it had");
    expect((await explainRecipient(ctx, id, gus)).code).toBe("unsubscribed");
  });

  test("is not told that the receiver has what a mail server only took to pass it on", async () => {
    const { ctx, domain } = await sender();
    const una = await person({ ctx }, "una@example.org");
    const id = await sent({ ctx }, { from: `news@${domain}` });
    const server = await mailServer();
    await dispatch(server.url);
    const answer = await explainRecipient(ctx, id, una);
    expect(answer).toMatchObject({ outcome: "received", code: "sent" });
    expect(answer.reason).toContain("no report of its arrival");
    expect(answer.reason).not.toContain("receiving server");
  });
});

test("of a draft it says whether they would get it, of one that never began that nobody did", async () => {
  const project = await makeProject(database.db);
  const { ctx } = project;
  const hal = await person(project, "hal@example.org");
  const id = await draft(project);
  expect(await explainRecipient(ctx, id, hal)).toMatchObject({
    outcome: "planned",
    code: "planned",
  });
  await addSuppression(ctx, { email: "hal@example.org" });
  expect((await explainRecipient(ctx, id, hal)).code).toBe("suppressed");
  await cancelCampaign(ctx, id);
  expect((await explainRecipient(ctx, id, hal)).code).toBe("campaign_cancelled");
});

test("knows nobody of another project", async () => {
  const project = await makeProject(database.db);
  const other = await makeProject(database.db);
  const stranger = await person(other, "ida@example.org");
  const id = await draft(project);
  for (const contact of [stranger, "ida@example.org", "nobody"]) {
    await expect(explainRecipient(project.ctx, id, contact)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  }
});
