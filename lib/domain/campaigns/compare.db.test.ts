import { expect, test } from "vitest";
import { campaigns, hourlyFigures } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { compareCampaigns } from "./compare";

const database = useTestDatabase();

/** A finished campaign of which so many were delivered and opened. */
async function finished(
  ctx: Context,
  delivered: number,
  opened: number,
  more: Partial<typeof hourlyFigures.$inferInsert> = {},
): Promise<string> {
  const [row] = await ctx.db
    .insert(campaigns)
    .values({
      id: newId(ctx.projectId),
      projectId: ctx.projectId,
      name: `${opened}`,
      status: "SENT",
      recipients: delivered,
    })
    .returning({ id: campaigns.id });
  if (!row) throw new Error("An insert returned no row.");
  await ctx.db.insert(hourlyFigures).values({
    ...{ projectId: ctx.projectId, campaignId: row.id, hour: new Date(), slot: 0 },
    ...{ settled: delivered, sent: delivered, delivered, opened, ...more },
  });
  return encodeId("campaign", row.id);
}

test("tells a difference from chance", async () => {
  const { ctx } = await makeProject(database.db);
  const weak = await finished(ctx, 1_000, 400);
  const strong = await finished(ctx, 1_000, 500);
  const near = await finished(ctx, 1_000, 410);
  const openRate = async (one: string, ...others: string[]) =>
    (await compareCampaigns(ctx, one, others)).rates.find(({ rate }) => rate === "openRate");
  expect(await openRate(weak, strong, near)).toMatchObject({ best: strong, clear: true });
  expect(await openRate(weak, near)).toMatchObject({ best: near, clear: false });
  const all = await compareCampaigns(ctx, weak, [near, weak]);
  expect(all.campaigns.map(({ id }) => id)).toEqual([weak, near]);
  // Nobody complained about either.
  expect(all.rates.find(({ rate }) => rate === "complaintRate")).toMatchObject({ best: null });
});

test("readers of unconfirmed mail are a share of what was accepted, not of one another", async () => {
  const { ctx } = await makeProject(database.db);
  const unconfirmed = (opened: number) =>
    finished(ctx, 1_000, opened, { delivered: opened, inferred: opened });
  const weak = await unconfirmed(400);
  const strong = await unconfirmed(500);
  const { campaigns: compared, rates } = await compareCampaigns(ctx, weak, [strong]);
  expect(compared.map(({ stats }) => stats.openRate)).toEqual([0.4, 0.5]);
  expect(rates.find(({ rate }) => rate === "openRate")).toMatchObject({
    best: strong,
    clear: true,
  });
});

test("knows no campaign of another project", async () => {
  const { ctx } = await makeProject(database.db);
  const { ctx: other } = await makeProject(database.db);
  const own = await finished(ctx, 10, 5);
  const foreign = await finished(other, 10, 5);
  const missing = { code: "NOT_FOUND" };
  await expect(compareCampaigns(ctx, own, [foreign])).rejects.toMatchObject(missing);
  await expect(compareCampaigns(ctx, foreign, [own])).rejects.toMatchObject(missing);
  await expect(compareCampaigns(ctx, own, ["cmp_nonsense"])).rejects.toMatchObject(missing);
});
