import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { createTransport } from "@/lib/engine/transports/create";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { testCampaign } from "@/lib/domain/campaigns/test-mail";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { sendEmail } from "@/lib/domain/emails/send";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { addFigureDeltas } from "@/lib/testing/figures";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign } from "@/lib/testing/campaigns";
import { verifiedDomain } from "@/lib/testing/delivery";
import { getOverview } from "./overview";
import { overview } from "./schema";
import { overviewRanges, type OverviewRange } from "./terms";

const test = useTestDatabase();
const ranges = Object.keys(overviewRanges) as OverviewRange[];

async function send(ctx: Parameters<typeof sendEmail>[0], to: string[]) {
  await sendEmail(ctx, { from: "hello@sandbox.test", to, subject: "Hello", body: "<p>Hi</p>" });
}

describe("overview", () => {
  it.each(ranges)("has a bucket for each hour or day of %s, empty ones included", async (range) => {
    const { ctx } = await makeProject(test.db);
    const figures = overview.parse(await getOverview(ctx, { range }));
    const { hours, bucketHours } = overviewRanges[range];
    expect(figures.buckets).toHaveLength(hours / bucketHours);
    expect(figures.totals.sent).toBe(0);
  });

  it("sums what was kept of the project's hours, and nothing of another project", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    const otherProject = await makeProject(test.db);
    const campaignId = newUnownedId();
    await addFigureDeltas(test.db, [
      { projectId, campaignId: null, sent: 3, delivered: 1, bounced: 1, opened: 1 },
      { projectId, campaignId, sent: 2, delivered: 2, complained: 1, failed: 4 },
      { projectId: otherProject.projectId, campaignId: null, sent: 7 },
    ]);
    const { totals, buckets } = await getOverview(ctx, { range: "7d" });
    expect(totals).toEqual({
      sent: 5,
      delivered: 3,
      opened: 1,
      clicked: 0,
      bounced: 1,
      complained: 1,
      failed: 4,
    });
    // Together what was sent and what failed: mail that was complained about was delivered.
    expect(buckets.at(-1)).toMatchObject({ delivered: 3, underWay: 1, problems: 5 });
    expect(buckets.at(-2)).toMatchObject({ delivered: 0, underWay: 0, problems: 0 });
  });

  it("counts what accepting refuses, and what a mail server was handed", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    await test.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${newUnownedId()}, ${projectId}, 'gone@example.com', 'manual')`);
    await send(ctx, ["gone@example.com", "bounced+x@sandbox.test", "a@example.com"]);
    const dispatcher = new Dispatcher({ db: test.db, transport: createTransport() });
    await dispatcher.run(new AbortController().signal, { untilEmpty: true });
    const { totals } = await getOverview(ctx, { range: "24h" });
    expect(totals).toMatchObject({ sent: 2, delivered: 1, bounced: 1, failed: 1 });
  });

  it("takes readers for a share of what was accepted while no report confirms it", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    const none = { opens: null, clicks: null, bounces: null, complaints: null };
    expect(await getOverview(ctx, { range: "7d" })).toMatchObject({
      ...{ deliveryConfirmed: false, rates: none },
    });
    await addFigureDeltas(test.db, [
      { projectId, campaignId: null, sent: 110, bounced: 10, opened: 40, clicked: 5 },
      { projectId, campaignId: null, delivered: 40, inferred: 40 },
    ]);
    expect(await getOverview(ctx, { range: "7d" })).toMatchObject({
      ...{ deliveryConfirmed: false, rates: { opens: 0.4, clicks: 0.05, complaints: 0 } },
    });
    await addFigureDeltas(test.db, [{ projectId, campaignId: null, delivered: 60, inferred: -40 }]);
    expect(await getOverview(ctx, { range: "7d" })).toMatchObject({
      ...{ deliveryConfirmed: true, rates: { opens: 0.4, clicks: 0.05 } },
    });
  });

  it("judges seven days, whatever the range shows", async () => {
    const { ctx, projectId } = await makeProject(test.db);
    await addFigureDeltas(test.db, [
      { projectId, campaignId: null, sent: 200, delivered: 184, bounced: 16 },
    ]);
    const age = (days: number) =>
      test.db.execute(sql`
        update hourly_figures set hour = date_trunc('hour', app_now()) - make_interval(days => ${days})
        where project_id = ${projectId}`);
    await age(3);
    for (const range of ranges) {
      const { health } = await getOverview(ctx, { range });
      expect(health).toEqual({ bounces: "tooHigh", complaints: "healthy" });
    }
    await age(8);
    const { health } = await getOverview(ctx, { range: "30d" });
    expect(health).toEqual({ bounces: null, complaints: null });
  });

  it("says how far the set-up is", async () => {
    const { ctx } = await makeProject(test.db);
    expect((await getOverview(ctx, { range: "7d" })).setUp).toEqual({
      contacts: false,
      campaignId: null,
      campaignTest: false,
      apiKey: true,
      verifiedDomain: null,
      openDomainId: null,
      firstEmailId: null,
      realSend: false,
    });
    await send(ctx, ["a@example.com"]);
    const { setUp } = await getOverview(ctx, { range: "7d" });
    expect(setUp.firstEmailId).toMatch(/^em_/);
    expect(setUp.realSend).toBe(false);
    await verifiedDomain(test.db, ctx.projectId, "example.com");
    await sendEmail(
      { ...ctx, testMode: true },
      { from: "shop@example.com", to: "a@example.com", subject: "Hello", body: "<p>Hi</p>" },
    );
    expect((await getOverview(ctx, { range: "7d" })).setUp).toMatchObject({
      verifiedDomain: "example.com",
      realSend: false,
    });
    await sendEmail(ctx, {
      from: "shop@example.com",
      to: "a@example.com",
      subject: "Hello",
      body: "<p>Hi</p>",
    });
    expect((await getOverview(ctx, { range: "7d" })).setUp.realSend).toBe(true);
  });

  it("knows of people, a campaign and its tests, which are no real send", async () => {
    const { ctx } = await makeProject(test.db);
    const stranger = await makeProject(test.db);
    const { id: domainId } = await createDomain(ctx, { name: "steps.example" });
    expect((await getOverview(ctx, { range: "7d" })).setUp.openDomainId).toBe(domainId);
    await test.db.execute(sql`
      update domains set status = 'VERIFIED' where id = ${decodeId("domain", domainId)}`);
    const setUp = async () => (await getOverview(ctx, { range: "7d" })).setUp;
    await upsertContact(ctx, { email: "ada@example.com" });
    expect(await setUp()).toMatchObject({
      ...{ contacts: true, campaignId: null, firstEmailId: null, openDomainId: null },
    });

    const { id } = await createCampaign(ctx, {
      name: "First",
      subject: "Hello",
      from: "news@steps.example",
      body: "<p>Hi</p>",
    });
    expect(await setUp()).toMatchObject({ campaignId: id, campaignTest: false });
    await testCampaign(ctx, id, { to: "me@example.com" });
    expect(await setUp()).toMatchObject({ campaignTest: true, realSend: false });

    // Sent, its own message is no test of it.
    const later = await makeProject(test.db);
    await upsertContact(later.ctx, { email: "ada@example.com" });
    const sent = await makeCampaign(test.db, {
      projectId: later.projectId,
      fromEmail: "news@sandbox.test",
    });
    await advance(test.db);
    expect((await getOverview(later.ctx, { range: "7d" })).setUp).toMatchObject({
      ...{ campaignId: encodeId("campaign", sent), campaignTest: false, realSend: false },
    });
    expect((await getOverview(stranger.ctx, { range: "7d" })).setUp).toMatchObject({
      ...{ contacts: false, campaignId: null, campaignTest: false, realSend: false },
    });
  });

  it("reads nothing of others' messages to say so", async () => {
    const { ctx } = await makeProject(test.db);
    await verifiedDomain(test.db, ctx.projectId, "quiet.example.com");
    const other = await makeProject(test.db);
    const { id } = await verifiedDomain(test.db, other.projectId, "loud.example.com");
    await test.db.execute(sql`
      insert into messages (id, project_id, domain_id, from_email, subject)
      select new_id(${other.projectId}::uuid), ${other.projectId}::uuid, ${id}::uuid,
        'shop@loud.example.com', 'Hello'
      from generate_series(1, 5000)`);
    await test.db.execute(sql`analyze messages`);
    await send(ctx, ["a@example.com"]);
    const db = connect(test.url, { max: 1 });
    try {
      const work = async () => {
        const { setUp } = await getOverview({ ...ctx, db }, { range: "7d" });
        expect(setUp.realSend).toBe(false);
      };
      expect(await rowsRead(db, ["messages"], work)).toBeLessThan(50);
    } finally {
      await db.$client.end({ timeout: 5 });
    }
  });
});
