import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { scheduleCampaign, sendCampaign } from "@/lib/domain/campaigns/transitions";
import { claimEmails } from "@/lib/engine/sending/claim";
import { runJob } from "@/lib/engine/jobs/jobs";
import { campaignId, recipients, useCampaignSending } from "@/lib/testing/campaign-sending";
import { advance, storedCampaign } from "@/lib/testing/campaigns";
import { smtpError } from "@/lib/testing/delivery";

const database = useTestDatabase();
const { mailServer, dispatch, draft } = useCampaignSending(database);

describe("a campaign", () => {
  it("told to send 20 times at once, and scheduled, and looked after by many, sends each one copy", async () => {
    const { ctx, id } = await draft(50);
    const server = await mailServer();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const calls = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => sendCampaign(ctx, campaignId(id), {})),
      scheduleCampaign(ctx, campaignId(id), { scheduledAt: soon }),
      ...Array.from({ length: 10 }, () => advance(database.db)),
    ]);
    const sent = calls.slice(0, 20).filter(({ status }) => status === "fulfilled");
    expect(sent).toHaveLength(1);
    await Promise.all([1, 2, 3, 4, 5].map(() => advance(database.db)));
    await Promise.all([1, 2, 3].map(() => dispatch(server.url)));
    expect(recipients(server.mails).toSorted()).toEqual(
      Array.from({ length: 50 }, (_, n) => `p${n}@example.org`).toSorted(),
    );
    await database.travel("2 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      recipients: 50,
      waits: false,
      by_status: { SENT: 50 },
      figures: { settled: 50, sent: 50, failed: 0 },
    });
  });

  it("that is scheduled starts at its time and not before, once, with workers and cron at once", async () => {
    const { ctx, id } = await draft(20);
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    await scheduleCampaign(ctx, campaignId(id), { scheduledAt });
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SCHEDULED", emails: 0 });
    await database.travel("24 hours");
    const context = { db: database.db, signal: AbortSignal.timeout(30_000) };
    await Promise.all([
      ...[1, 2, 3, 4, 5].map(() => advance(database.db)),
      ...[1, 2, 3].map(() => runJob("campaigns", context)),
    ]);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENDING",
      recipients: 20,
      emails: 20,
      people: 20,
    });
    const [messages] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from messages where campaign_id = ${id}`);
    expect(messages?.n).toBe(1);
  });

  it("goes out within one tick of cron alone", async () => {
    const { ctx, id } = await draft(3);
    await database.db.execute(sql`
      update campaigns set from_email = 'news@sandbox.test' where id = ${id}`);
    await database.db.execute(sql`
      update domains set built_in = true where project_id = ${ctx.projectId}`);
    await sendCampaign(ctx, campaignId(id), {});
    await runJob("tick", { db: database.db, signal: AbortSignal.timeout(30_000) });
    expect(await storedCampaign(database.db, id)).toMatchObject({ by_status: { DELIVERED: 3 } });
  });

  it("is SENT once each was tried, and what is put off still counts later", async () => {
    const { ctx, id } = await draft(4);
    let greylist = true;
    const server = await mailServer({
      onRcptTo({ address }, _, callback) {
        if (greylist && address === "p1@example.org") callback(smtpError(451, "4.7.1 Later"));
        else if (address === "p2@example.org") callback(smtpError(550, "5.1.1 No such user"));
        else callback();
      },
    });
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    await dispatch(server.url);
    await database.travel("2 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      // What a server refused was handed over, too.
      figures: { settled: 3, sent: 3, bounced: 1 },
    });
    greylist = false;
    await database.travel("2 minutes");
    await dispatch(server.url);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { SENT: 3, BOUNCED: 1 },
      figures: { settled: 4, sent: 4, bounced: 1 },
    });
  });

  it("is not SENT while what a dead worker held is held again for its first try", async () => {
    const { ctx, id } = await draft(1);
    const server = await mailServer();
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    const claim = () => claimEmails(database.db, { limit: 10, leaseSeconds: 60 });
    for (const attempts of [1, 2]) {
      expect((await claim()).emails).toMatchObject([{ attempts }]);
      await advance(database.db);
      expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
      await database.travel(attempts === 1 ? "2 minutes" : "4 minutes");
      await advance(database.db);
      expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
    }
    await dispatch(server.url);
    await database.travel("5 minutes");
    await advance(database.db);
    expect(recipients(server.mails)).toHaveLength(1);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it("whose sender loses its domain in the middle FAILED, and nothing more of it goes out", async () => {
    const { ctx, id } = await draft(5);
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    await database.db.execute(sql`
      update domains set status = 'FAILED' where project_id = ${ctx.projectId}`);
    await database.travel("2 seconds");
    await advance(database.db);
    const server = await mailServer();
    await dispatch(server.url);
    expect(server.mails).toEqual([]);
    const stored = await storedCampaign(database.db, id);
    expect(stored).toMatchObject({
      status: "FAILED",
      waits: false,
      by_status: { FAILED: 5 },
      figures: { settled: 5, failed: 5 },
    });
    expect(stored.failure_reason).toContain("no longer verified");
  });
});
