import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/emails/send";
import { makeProject } from "@/lib/testing";
import { getOverview } from "./overview";
import { overview, overviewRanges, type OverviewRange } from "./schema";

const test = useTestDatabase();
const ranges = Object.keys(overviewRanges) as OverviewRange[];

async function send(ctx: Parameters<typeof sendEmail>[0], to: string[]) {
  await sendEmail(ctx, { from: "hello@sandbox.test", to, subject: "Hello", body: "<p>Hi</p>" });
}

describe("overview", () => {
  it.each(ranges)("has a bucket for each hour or day of %s, empty ones included", async (range) => {
    const { ctx } = await makeProject(test.db);
    const found = overview.parse(await getOverview(ctx, { range }));
    const { hours, bucketHours } = overviewRanges[range];
    expect(found.buckets).toHaveLength(hours / bucketHours);
    expect(found.totals.accepted).toBe(0);
  });

  it("counts each email of the project once, and none of another project", async () => {
    const { ctx } = await makeProject(test.db);
    const other = await makeProject(test.db);
    await send(ctx, ["a@example.com", "b@example.com", "c@example.com"]);
    await send(other.ctx, ["a@example.com"]);
    await test.db.execute(sql`
      update emails set status = 'BOUNCED', bounced_at = app_now(), sent_at = app_now()
      where project_id = ${ctx.projectId} and recipient = 'a@example.com'`);
    await test.db.execute(sql`
      update emails set status = 'OPENED', opened_at = app_now(), sent_at = app_now()
      where project_id = ${ctx.projectId} and recipient = 'b@example.com'`);
    const { totals, buckets } = await getOverview(ctx, { range: "7d" });
    expect(totals).toMatchObject({ accepted: 3, sent: 2, delivered: 1, opened: 1, bounced: 1 });
    expect(buckets.at(-1)).toMatchObject({ delivered: 1, underWay: 1, problems: 1 });
  });

  it("judges seven days, whatever the range shows", async () => {
    const { ctx } = await makeProject(test.db);
    const people = Array.from({ length: 100 }, (_, index) => `p${index}@example.com`);
    await send(ctx, people);
    await send(ctx, people);
    await test.db.execute(sql`
      update emails set status = 'DELIVERED', sent_at = app_now(),
        created_at = app_now() - interval '3 days'
      where project_id = ${ctx.projectId}`);
    await test.db.execute(sql`
      update emails set status = 'BOUNCED' where id in (
        select id from emails where project_id = ${ctx.projectId} order by id limit 16)`);
    for (const range of ranges) {
      const { health } = await getOverview(ctx, { range });
      expect(health).toEqual({ bounces: "tooHigh", complaints: "healthy" });
    }
    await test.db.execute(sql`
      update emails set created_at = app_now() - interval '8 days'
      where project_id = ${ctx.projectId}`);
    const { health } = await getOverview(ctx, { range: "30d" });
    expect(health).toEqual({ bounces: null, complaints: null });
  });

  it("says how far the set-up is", async () => {
    const { ctx } = await makeProject(test.db);
    expect((await getOverview(ctx, { range: "7d" })).setUp).toEqual({
      apiKey: true,
      verifiedDomain: null,
      firstEmailId: null,
      realSend: false,
    });
    await send(ctx, ["a@example.com"]);
    const { setUp } = await getOverview(ctx, { range: "7d" });
    expect(setUp.firstEmailId).toMatch(/^em_/);
    expect(setUp.realSend).toBe(false);
  });
});
