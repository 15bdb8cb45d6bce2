import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { connect } from "@/db/client";
import { lists, segments, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { getCampaignProgress } from "@/lib/domain/campaigns/read";
import { updateSegment } from "@/lib/domain/segments/segments";
import { makeProject } from "@/lib/testing";
import { advanceCampaigns } from "./advance";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";

const database = useTestDatabase();
const fromEmail = "news@sandbox.test";

async function addresses(campaign: string): Promise<string[]> {
  const rows = await database.db.execute<{ recipient: string }>(sql`
    select recipient from emails where campaign_id = ${campaign} order by recipient`);
  return rows.map(({ recipient }) => recipient);
}

describe("the audience of a campaign", () => {
  it("is everybody who is subscribed and not suppressed, and no other project's people", async () => {
    const { projectId } = await makeProject(database.db);
    const otherProject = await makeProject(database.db);
    await seedContacts(database.db, otherProject.projectId, 5);
    await seedContacts(database.db, projectId, 6, {
      consent: sql`(array['subscribed', 'never', 'unsubscribed'])[1 + n % 3]`,
    });
    await database.db
      .insert(suppressions)
      .values({ id: newId(projectId), projectId, email: "P3@example.org", reason: "manual" });
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    await advance(database.db);
    expect(await addresses(id)).toEqual(["p0@example.org"]);
    expect(await storedCampaign(database.db, id)).toMatchObject({ recipients: 1, complete: true });
  });

  it("follows the segment as it is when sending starts", async () => {
    const { projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 6, {
      tags: sql`case when n % 2 = 0 then array['vip'] else '{}'::text[] end`,
    });
    const [segment] = await database.db
      .insert(segments)
      .values({
        id: newId(projectId),
        projectId,
        name: "VIP",
        filter: { and: [{ field: "tags", op: "contains", value: "vip" }] },
      })
      .returning({ id: segments.id });
    const id = await makeCampaign(database.db, {
      projectId,
      fromEmail,
      status: "DRAFT",
      segmentId: segment?.id ?? null,
    });
    await database.db.execute(sql`
      update contacts set tags = '{vip}' where project_id = ${projectId} and email = 'p1@example.org'`);
    await database.db.execute(sql`
      update campaigns set status = 'SENDING', started_at = app_now(), due_at = app_now() where id = ${id}`);
    await advance(database.db);
    expect(await addresses(id)).toEqual([0, 1, 2, 4].map((n) => `p${n}@example.org`));
  });

  it("is chosen by one filter from its first contact to its last", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 3);
    const filter = (value: string) => ({
      and: [{ field: "email", op: "eq" as const, value: `${value}@example.org` }],
    });
    const [segment] = await database.db
      .insert(segments)
      .values({ id: newId(projectId), projectId, name: "One", filter: filter("p1") })
      .returning({ id: segments.id });
    const segmentId = encodeId("segment", segment?.id ?? "");
    const id = await makeCampaign(database.db, {
      projectId,
      fromEmail,
      segmentId: segment?.id ?? null,
    });
    await expect(updateSegment(ctx, segmentId, { filter: filter("p2") })).rejects.toMatchObject({
      code: "CONFLICT",
    });
    await updateSegment(ctx, segmentId, { name: "Only one" });
    await advance(database.db);
    expect(await addresses(id)).toEqual(["p1@example.org"]);
    await updateSegment(ctx, segmentId, { filter: filter("p2") });
  });

  it("of a list is its subscribed members, who are subscribed globally, too", async () => {
    const { projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 8);
    const [list] = await database.db
      .insert(lists)
      .values({ id: newId(projectId), projectId, name: "Readers" })
      .returning({ id: lists.id });
    await database.db.execute(sql`
      insert into subscribers (id, project_id, list_id, contact_id, status, source)
      select new_id(), ${projectId}, ${list?.id}, id,
        case email when 'p1@example.org' then 'unconfirmed' when 'p2@example.org' then 'unsubscribed'
          else 'subscribed' end, 'api'
      from contacts where project_id = ${projectId} and email < 'p6'`);
    await database.db.execute(sql`
      update contacts set consent = 'unsubscribed'
      where project_id = ${projectId} and email = 'p4@example.org'`);
    const id = await makeCampaign(database.db, { projectId, fromEmail, listId: list?.id ?? null });
    await advance(database.db);
    expect(await addresses(id)).toEqual([0, 3, 5].map((n) => `p${n}@example.org`));
  });

  it("is told to be complete once it is, and not before", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 3);
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    const progress = () => getCampaignProgress(ctx, encodeId("campaign", id));
    expect(await progress()).toMatchObject({ status: "SENDING", audienceComplete: false });
    await advance(database.db);
    expect(await progress()).toMatchObject({ audienceComplete: true, stats: { recipients: 3 } });
  });

  it("that is empty ends SENT with none", async () => {
    const { projectId } = await makeProject(database.db);
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      recipients: 0,
      waits: false,
    });
  });

  it("does not hold who came after the start, while it is still being written", async () => {
    const { projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 3);
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    await seedContacts(database.db, projectId, 1, { email: sql`'late@example.org'` });
    await advance(database.db);
    expect(await addresses(id)).toEqual([0, 1, 2].map((n) => `p${n}@example.org`));
  });

  it("never becomes everybody because its segment was deleted: the campaign FAILED", async () => {
    const { projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 3);
    const id = await makeCampaign(database.db, {
      projectId,
      fromEmail,
      segmentId: "0199aaaa-0000-7000-8000-000000000000",
    });
    await advance(database.db);
    const stored = await storedCampaign(database.db, id);
    expect(stored).toMatchObject({ status: "FAILED", emails: 0, waits: false });
    expect(stored.failure_reason).toContain("segment");
  });

  it("has no gap and nobody twice, whatever is cut off while several write it", async () => {
    const { projectId } = await makeProject(database.db);
    const people = 70_000;
    await seedContacts(database.db, projectId, people);
    await database.db.execute(sql`analyze contacts`);
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    const stop = new AbortController();
    const own = connect(database.url, { name: "writer", max: 4 });
    const write = async () => {
      while (!stop.signal.aborted) {
        await advanceCampaigns(own, stop.signal).catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const writers = [write(), write(), write()];
    let cut = 0;
    for (let done = false; !done;) {
      const before = await storedCampaign(database.db, id);
      // What counts and what is there agree at any moment.
      expect(before.emails).toBe(before.recipients);
      done = before.complete;
      const rows = await database.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'writer' and datname = current_database() and state <> 'idle'
          and ${cut} < 6 and xact_start < now() - interval '0.05 seconds'`);
      cut += rows.length;
      // A fault puts a campaign off; here nobody wants to wait.
      await database.db.execute(sql`
        update campaigns set due_at = app_now() where id in (
          select id from campaigns where id = ${id} and due_at > app_now()
          for update skip locked)`);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    stop.abort();
    await Promise.all(writers);
    await own.$client.end({ timeout: 1 });
    expect(cut).toBeGreaterThan(0);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      recipients: people,
      emails: people,
      people,
    });
  }, 120_000);

  it("past the project's monthly limit writes nobody down, and the campaign is PAUSED and says why", async () => {
    const { projectId } = await makeProject(database.db);
    await database.db.execute(sql`
      update projects set monthly_email_limit = 4 where id = ${projectId}`);
    await seedContacts(database.db, projectId, 5);
    const id = await makeCampaign(database.db, { projectId, fromEmail });
    await advance(database.db);
    const stored = await storedCampaign(database.db, id);
    expect(stored).toMatchObject({ status: "PAUSED", emails: 0, recipients: 0, waits: false });
    expect(stored.failure_reason).toContain("4 emails a month");
    await database.db.execute(sql`
      update projects set monthly_email_limit = 5 where id = ${projectId}`);
    await database.db.execute(sql`
      update campaigns set status = 'SENDING', due_at = app_now() where id = ${id}`);
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ emails: 5, recipients: 5 });
    const [used] = await database.db.execute<{ emails: number }>(sql`
      select sum(emails)::int as emails from monthly_usage where project_id = ${projectId}`);
    expect(used?.emails).toBe(5);
  });
});

describe("a campaign that cannot go on", () => {
  it("FAILED and says why: sender, content", async () => {
    const { projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 1);
    const unverified = await makeCampaign(database.db, {
      projectId,
      fromEmail: "a@nowhere.example",
    });
    const broken = await makeCampaign(database.db, { projectId, fromEmail, html: "{{ a" });
    await advance(database.db);
    const [first, second] = [
      await storedCampaign(database.db, unverified),
      await storedCampaign(database.db, broken),
    ];
    expect(first).toMatchObject({ status: "FAILED", emails: 0, waits: false });
    expect(first.failure_reason).toContain("nowhere.example is not verified");
    expect(second).toMatchObject({ status: "FAILED", emails: 0 });
    expect(second.failure_reason).toMatch(/body/);
  });

  it("tells webhooks that listen, as it does of a start and an end", async () => {
    const { projectId } = await makeProject(database.db);
    await database.db.execute(sql`
      insert into webhooks (id, project_id, url, events, secret_sealed)
      values (new_id(), ${projectId}, 'https://example.com', '{*}', 'x')`);
    const empty = await makeCampaign(database.db, { projectId, fromEmail });
    const unverified = await makeCampaign(database.db, {
      projectId,
      fromEmail: "a@nowhere.example",
    });
    await advance(database.db);
    const rows = await database.db.execute<{ event: string; data: Record<string, unknown> }>(sql`
      select event, data from webhook_deliveries where project_id = ${projectId}`);
    expect(rows.map(({ event, data }) => [event, data["campaignId"]]).toSorted()).toEqual(
      [
        ["campaign.failed", encodeId("campaign", unverified)],
        ["campaign.sent", encodeId("campaign", empty)],
        ["campaign.started", encodeId("campaign", empty)],
      ].toSorted(),
    );
  });
});

it("steps of a campaign are the statements that stand beside this test", async () => {
  const { projectId } = await makeProject(database.db);
  await seedContacts(database.db, projectId, 2);
  const id = await makeCampaign(database.db, { projectId, fromEmail });
  const steps = async (db: typeof database.db) => {
    await advance(db);
    await db.execute(
      sql`update campaigns set status = 'CANCELLED', due_at = app_now() where id = ${id}`,
    );
    await advance(db);
  };
  const inBulk = /^\s*(with|insert into "?(emails|monthly_usage)\b)/;
  await expect(await recordStatements(database.url, steps, inBulk)).toMatchFileSnapshot(
    "./steps.sql",
  );
});
