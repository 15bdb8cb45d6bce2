import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { resumeCampaign } from "@/lib/domain/campaigns/transitions";
import { recordReport } from "@/lib/domain/delivery-reports/report";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { addFigureDeltas } from "@/lib/testing/figures";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { smtpError } from "@/lib/testing/delivery";
import { useMailServers } from "@/lib/testing/mail-servers";
import { lettersTo } from "@/lib/testing/team-letters";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

/** A campaign to `people`, every second of them at a receiver that refuses mail after `accepted`. */
async function sendingTo(people: number) {
  const { ctx, domain } = await sender();
  await seedContacts(database.db, ctx.projectId, people, {
    email: sql`'p' || n || case when n % 2 = 0 then '@example.org' else '@strict.example' end`,
  });
  const id = await makeCampaign(database.db, {
    projectId: ctx.projectId,
    fromEmail: `news@${domain}`,
  });
  await advance(database.db);
  return { ctx, id, wireId: encodeId("campaign", id) };
}

async function deliveriesOf(projectId: string) {
  return database.db.execute<{ data: Record<string, unknown> }>(sql`
    select data from webhook_deliveries
    where project_id = ${projectId} and event = 'campaign.paused'`);
}

describe("a campaign whose mail is refused too often", () => {
  it("is paused, its owner told, and goes on once that is acknowledged, judged anew", async () => {
    const { ctx, id, wireId } = await sendingTo(5_000);
    await createWebhook(ctx, { url: "https://example.com/hook", events: ["campaign.paused"] });
    const receiver = { strict: true, accepted: 0 };
    const server = await mailServer({
      onRcptTo({ address }, _, callback) {
        const refuses = receiver.strict && receiver.accepted >= 300;
        if (refuses && address.endsWith("@strict.example")) {
          callback(smtpError(550, "5.7.1 Message rejected due to content restrictions"));
          return;
        }
        receiver.accepted++;
        callback();
      },
    });
    await dispatch(server.url);
    const paused = await storedCampaign(database.db, id);
    expect(paused.status).toBe("PAUSED");
    const { sent, bounced } = paused.figures;
    // Ten bounces are looked at together, and what is being handed over at that moment ends.
    expect(bounced).toBeGreaterThanOrEqual(0.08 * 300);
    expect(sent).toBeLessThan(300 + 250);
    const taken = server.mails.length;
    await advance(database.db);
    await dispatch(server.url);
    expect(server.mails).toHaveLength(taken);

    const campaign = await getCampaign(ctx, wireId);
    expect(campaign.guard).toMatchObject({ reason: "bounces" });
    expect(campaign.failureReason).toMatch(/^\d+ of \d+ emails sent bounced: \d+(\.[1-9])?%\.$/);
    const [event] = await deliveriesOf(ctx.projectId);
    expect(event?.data).toMatchObject({ campaignId: wireId, reason: campaign.failureReason });
    const letters = await lettersTo(database.db, ctx.actor.id ?? "");
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain("A campaign was paused");
    expect(letters[0]).toContain(wireId);

    await expect(resumeCampaign(ctx, wireId)).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining('"acknowledge": true') as string,
    });
    receiver.strict = false;
    await resumeCampaign(ctx, wireId, { acknowledge: true });
    expect(await getCampaign(ctx, wireId)).toMatchObject({ status: "SENDING", guard: null });
    await dispatch(server.url);
    await database.travel("1 minute");
    await advance(database.db);
    const ended = await storedCampaign(database.db, id);
    expect(ended).toMatchObject({ status: "SENT", figures: { settled: 5_000 } });
    expect(ended.by_status).toEqual({
      SENT: 5_000 - ended.figures.bounced,
      BOUNCED: ended.figures.bounced,
    });
  }, 120_000);

  it("is paused when complaints come in, whoever reports them, and the owner told in one language", async () => {
    const { ctx, id, wireId } = await sendingTo(400);
    await updateProjectSettings(ctx, { language: "de" });
    const server = await mailServer();
    await dispatch(server.url);
    await database.db.execute(sql`
      with late as (
        insert into emails (id, project_id, message_id, campaign_id, contact_id, recipient, source, status)
        select new_id(), project_id, message_id, ${id}, new_id(), 'late@example.org', 'CAMPAIGN', 'PENDING'
        from emails where campaign_id = ${id} limit 1 returning *
      ) insert into email_queue (email_id, project_id, campaign_id, asleep, due_at)
        select id, project_id, campaign_id, true, app_now() + interval '1 hour' from late`);
    const sent = await database.db.execute<{ id: string }>(sql`
      select id from emails where campaign_id = ${id} and status = 'SENT' limit 3`);
    for (const email of sent.slice(0, 2)) {
      await recordReport(ctx, encodeId("email", email.id), { kind: "complained", type: "abuse" });
    }
    await database.travel("20 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
    await recordReport(ctx, encodeId("email", sent[2]?.id ?? ""), {
      kind: "complained",
      type: "abuse",
    });
    await database.travel("20 seconds");
    await advance(database.db);
    expect(await getCampaign(ctx, wireId)).toMatchObject({
      status: "PAUSED",
      guard: { reason: "complaints", complained: 3, sent: 400 },
      failureReason: "3 of 400 emails sent were reported as spam: 0.75%.",
    });
    const letters = await lettersTo(database.db, ctx.actor.id ?? "");
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatch(/3 von 400 gesendeten E-Mails wurden als Spam gemeldet: 0,75/);
    expect(letters[0]).not.toContain("reported as spam");
    // What was acknowledged is no reason again; what comes after is.
    await resumeCampaign(ctx, wireId, { acknowledge: true });
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
    await addFigureDeltas(database.db, [
      { projectId: ctx.projectId, campaignId: id, sent: 200, bounced: 16 },
    ]);
    await database.travel("20 seconds");
    await advance(database.db);
    expect(await getCampaign(ctx, wireId)).toMatchObject({
      status: "PAUSED",
      guard: { reason: "bounces", bounced: 16, sent: 200, complained: 0 },
    });
  }, 60_000);

  it("is left alone below the thresholds, and with too few results to tell", async () => {
    const { ctx, id } = await sendingTo(40);
    await addFigureDeltas(database.db, [
      { projectId: ctx.projectId, campaignId: id, sent: 199, bounced: 100 },
    ]);
    await database.travel("20 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
    await addFigureDeltas(database.db, [{ projectId: ctx.projectId, campaignId: id, sent: 1_200 }]);
    await database.travel("20 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
  });
});
