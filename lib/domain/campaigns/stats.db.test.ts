import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { campaigns, linkFigures, links } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { addFigureDeltas } from "@/lib/testing/figures";
import { decodeId, encodeId, newUnownedId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { addSubscriber, unsubscribe } from "@/lib/domain/lists/change-subscribers";
import { createSegment } from "@/lib/domain/segments/segments";
import { makeProject } from "@/lib/testing";
import { estimateAudience } from "./audience";
import { createCampaign } from "./campaigns";
import { getCampaign, getCampaignActivity, listCampaigns } from "./read";

const database = useTestDatabase();
let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
});

async function makeCampaign(recipients: number): Promise<{ id: string; uuid: string }> {
  const { id } = await createCampaign(ctx, { name: "News", incomplete: true });
  const uuid = decodeId("campaign", id) ?? "";
  await database.db.update(campaigns).set({ recipients }).where(eq(campaigns.id, uuid));
  return { id, uuid };
}

describe("figures", () => {
  test("are summed over hours and writers, and never counted", async () => {
    const { id, uuid } = await makeCampaign(10);
    const add = (delta: Record<string, number>, campaignId: string | null = uuid) =>
      addFigureDeltas(database.db, [{ projectId: ctx.projectId, campaignId, ...delta }]);
    await add({ settled: 4, sent: 3, delivered: 2, bounced: 1 });
    await database.db.execute(
      sql`update hourly_figures set slot = 300 where campaign_id = ${uuid}`,
    );
    await add({ settled: 4, sent: 3, failed: 1, delivered: 2, opened: 2, clicked: 1 });
    await add({ complained: 1, unsubscribed: 1, machine_opens: 5, machine_clicks: 2 });
    await add({ settled: 100, sent: 100 }, null);
    expect((await getCampaign(ctx, id)).stats).toEqual({
      recipients: 10,
      pending: 2,
      sent: 6,
      delivered: 4,
      opened: 2,
      clicked: 1,
      bounced: 1,
      complained: 1,
      unsubscribed: 1,
      failed: 1,
      // Seven were handed over: six taken, one refused.
      deliveryConfirmed: true,
      deliveryRate: 0.5714,
      bounceRate: 0.1429,
      openRate: 0.5,
      clickRate: 0.25,
      complaintRate: 0.25,
      unsubscribeRate: 0.25,
      machineOpens: 5,
      machineClicks: 2,
      links: [],
    });
    const { data } = await listCampaigns(ctx, { limit: 5 });
    const listed = data.find((one) => one.id === id);
    expect(listed?.stats).toMatchObject({ pending: 2, sent: 6, openRate: 0.5 });
  });

  test("readers of mail that no report confirms are a share of what was accepted, and it says so", async () => {
    const { id, uuid } = await makeCampaign(1_000);
    const figures = { projectId: ctx.projectId, campaignId: uuid };
    const read = { delivered: 300, inferred: 300, opened: 300, clicked: 98, complained: 1 };
    await addFigureDeltas(database.db, [
      { ...figures, settled: 1_000, sent: 1_000, bounced: 20, unsubscribed: 2, ...read },
    ]);
    expect((await getCampaign(ctx, id)).stats).toMatchObject({
      ...{ deliveryConfirmed: false, delivered: 300, deliveryRate: 0.98, bounceRate: 0.02 },
      ...{ openRate: 0.3061, clickRate: 0.1, complaintRate: 0.001, unsubscribeRate: 0.002 },
    });
    // Reports that come after all are the measure from then on.
    await addFigureDeltas(database.db, [{ ...figures, delivered: 660, inferred: -300 }]);
    expect((await getCampaign(ctx, id)).stats).toMatchObject({
      ...{ deliveryConfirmed: true, delivered: 960, deliveryRate: 0.96, openRate: 0.3125 },
    });
  });

  test("a bounce that comes late takes nobody from those who wait", async () => {
    const { id, uuid } = await makeCampaign(2);
    const figures = { projectId: ctx.projectId, campaignId: uuid };
    await addFigureDeltas(database.db, [{ ...figures, settled: 1, sent: 1 }]);
    await addFigureDeltas(database.db, [{ ...figures, bounced: 1 }]);
    expect((await getCampaign(ctx, id)).stats).toMatchObject({ pending: 1, bounceRate: 1 });
  });

  test("nothing yet: zeros, no division by them", async () => {
    const { id } = await makeCampaign(0);
    const { stats } = await getCampaign(ctx, id);
    const { links: shown, deliveryConfirmed, ...numbers } = stats;
    expect(shown).toEqual([]);
    expect(deliveryConfirmed).toBe(false);
    expect(new Set(Object.values(numbers))).toEqual(new Set([0]));
  });

  test("links: the most clicked first, one row for an address whatever it was registered for", async () => {
    const { id, uuid } = await makeCampaign(5);
    const link = async (url: string, clicks: number, uniqueClicks: number) => {
      const [link] = await database.db
        .insert(links)
        .values({ projectId: ctx.projectId, campaignId: uuid, messageId: newUnownedId(), url })
        .returning();
      if (!link || clicks === 0) return;
      await database.db
        .insert(linkFigures)
        .values({ linkId: link.id, slot: 0, clicks, uniqueClicks });
      await database.db.insert(linkFigures).values({ linkId: link.id, slot: 1, clicks: 1 });
    };
    await link("https://example.com/a", 2, 1);
    await link("https://example.com/b", 4, 3);
    await link("https://example.com/a", 3, 1);
    await link("https://example.com/never", 0, 0);
    expect((await getCampaign(ctx, id)).stats.links).toEqual([
      { url: "https://example.com/b", clicks: 5, uniqueClicks: 3 },
      { url: "https://example.com/a", clicks: 7, uniqueClicks: 2 },
      { url: "https://example.com/never", clicks: 0, uniqueClicks: 0 },
    ]);
  });

  test("by the hour, oldest first", async () => {
    const { id, uuid } = await makeCampaign(5);
    const figures = { projectId: ctx.projectId, campaignId: uuid };
    await addFigureDeltas(database.db, [{ ...figures, sent: 2 }]);
    await database.db.execute(sql`
      update hourly_figures set hour = '2026-01-01T10:00Z' where campaign_id = ${uuid}`);
    await addFigureDeltas(database.db, [{ ...figures, opened: 1 }]);
    const { data } = await getCampaignActivity(ctx, id);
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      hour: "2026-01-01T10:00:00Z",
      sent: 2,
      delivered: 0,
      opened: 0,
      clicked: 0,
    });
    expect(data[1]?.opened).toBe(1);
  });
});

const nobody = {
  ...{ never_subscribed: 0, unsubscribed: 0, hard_bounce: 0, complaint: 0, manual: 0, domain: 0 },
  ...{ paused: 0, left_topic: 0, less_often: 0 },
};

describe("the audience", () => {
  test("is who is subscribed and not suppressed, in the segment or on the list", async () => {
    const { ctx: own } = await makeProject(database.db);
    await upsertContacts(own, [
      { email: "ada@example.com", data: { plan: "pro" } },
      { email: "grace@example.com", data: { plan: "pro" } },
      { email: "linus@example.com", data: { plan: "free" } },
      { email: "gone@example.com", data: { plan: "pro" }, unsubscribed: true },
    ]);
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (${newUnownedId()}, ${own.projectId}, 'Grace@Example.com', 'hard_bounce')`);
    const segment = await createSegment(own, {
      name: "Pro",
      filter: { and: [{ field: "data.plan", op: "eq", value: "pro" }] },
    });
    const list = await createList(own, { name: "News", fromEmail: "news@sandbox.test" });
    const add = (email: string) => addSubscriber(own, list.id, { email, source: "api" });
    await add("linus@example.com");
    await add("gone@example.com");
    const left = await add("ada@example.com");
    await unsubscribe(own, left.id);
    expect(await estimateAudience(own, { segmentId: segment.id })).toEqual({
      ...{ count: 1, total: 3 },
      excluded: { ...nobody, hard_bounce: 1, unsubscribed: 1 },
    });
    // Whoever left the list is subscribed to nothing less than before; whoever is unsubscribed stays so.
    expect(await estimateAudience(own, { listId: list.id })).toEqual({
      ...{ count: 1, total: 2 },
      excluded: { ...nobody, unsubscribed: 1 },
    });
    expect(await estimateAudience(own, {})).toEqual({
      ...{ count: 2, total: 4 },
      excluded: { ...nobody, hard_bounce: 1, unsubscribed: 1 },
    });
    await upsertContact(own, { email: "new@example.com" });
    expect(await estimateAudience(own, {})).toMatchObject({ count: 3, total: 5 });
    for (const input of [
      { segmentId: encodeId("segment", newUnownedId()) },
      { listId: "lst_nonsense" },
      { listId: segment.id },
    ]) {
      await expect(estimateAudience(own, input)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(estimateAudience(ctx, { segmentId: segment.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      estimateAudience(own, { segmentId: segment.id, listId: list.id }),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});
