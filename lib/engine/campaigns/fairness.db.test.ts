import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { cancelCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { campaignId, recipients, useCampaignSending } from "@/lib/testing/campaign-sending";
import { advance, makeCampaign } from "@/lib/testing/campaigns";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const { mailServer, dispatch, draft, startDispatcher } = useCampaignSending(database);

describe("fairness", () => {
  it("a large campaign delays another project's small one by no more than what is under way", async () => {
    const bulk = await draft(3_000);
    const small = await draft(10);
    await database.db.execute(sql`
      update contacts set email = 'small-' || email where project_id = ${small.ctx.projectId}`);
    const server = await mailServer();
    await sendCampaign(bulk.ctx, campaignId(bulk.id), {});
    await advance(database.db);
    const { ended } = startDispatcher(server.url);
    await until(() => server.mails.length > 300, { seconds: 30 });
    await sendCampaign(small.ctx, campaignId(small.id), {});
    await advance(database.db);
    const started = server.mails.length;
    await until(
      () => recipients(server.mails).filter((to) => to.startsWith("small-")).length === 10,
      {
        seconds: 30,
      },
    );
    const last = recipients(server.mails).findLastIndex((to) => to.startsWith("small-"));
    expect(last - started).toBeLessThan(800);
    await cancelCampaign(bulk.ctx, campaignId(bulk.id));
    await ended();
  }, 60_000);

  it("a project with many campaigns gets no more than another's one", async () => {
    const many = await draft(300);
    const single = await draft(300);
    await database.db.execute(sql`
      update contacts set email = 'one-' || email where project_id = ${single.ctx.projectId}`);
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        makeCampaign(database.db, { projectId: many.ctx.projectId, fromEmail: many.fromEmail }),
      ),
    );
    expect(others).toHaveLength(3);
    await sendCampaign(many.ctx, campaignId(many.id), {});
    await sendCampaign(single.ctx, campaignId(single.id), {});
    await advance(database.db);
    const server = await mailServer();
    await dispatch(`${server.url}?connections=3`);
    expect(server.mails).toHaveLength(1_500);
    const first = recipients(server.mails).slice(0, 400);
    const share = first.filter((to) => to.startsWith("one-")).length / first.length;
    expect(share).toBeGreaterThan(0.4);
  }, 60_000);
});
