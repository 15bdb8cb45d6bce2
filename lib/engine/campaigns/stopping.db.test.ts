import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lists } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  sendCampaign,
} from "@/lib/domain/campaigns/transitions";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { campaignId, recipients, useCampaignSending } from "@/lib/testing/campaign-sending";
import { advance, storedCampaign } from "@/lib/testing/campaigns";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const { mailServer, dispatch, draft, heldServer, startDispatcher, ageClaims } =
  useCampaignSending(database);

describe("pausing and cancelling", () => {
  it("stops all but what is being handed over, and resuming sends the rest, each once", async () => {
    const { ctx, id } = await draft(400);
    const { server, waiting, accepted, answerAll } = await heldServer();
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=6`);
    await until(() => waiting.length === 5);
    await pauseCampaign(ctx, campaignId(id));
    ageClaims();
    await until(async () => {
      answerAll();
      const [row] = await database.db.execute<{ held: number }>(sql`
        select count(*)::int as held from email_queue
        where campaign_id = ${id} and lease_id is not null`);
      return row?.held === 0;
    });
    expect(accepted.length).toBeLessThanOrEqual(10);
    const paused = await storedCampaign(database.db, id);
    expect(paused.by_status).toEqual({ PENDING: 400 - accepted.length, SENT: accepted.length });
    await advance(database.db);
    await ended();
    const rest = await mailServer();
    await dispatch(rest.url);
    expect(rest.mails).toEqual([]);
    await resumeCampaign(ctx, campaignId(id));
    await dispatch(rest.url);
    expect(new Set([...accepted, ...recipients(rest.mails)]).size).toBe(400);
    expect(accepted.length + rest.mails.length).toBe(400);
    await database.travel("5 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      figures: { settled: 400, sent: 400 },
    });
  });

  it("does not leave the audience half chosen", async () => {
    const { ctx, id } = await draft(30);
    await sendCampaign(ctx, campaignId(id), {});
    await database.db.execute(sql`
      update campaigns set message_id = new_id() where id = ${id}`);
    await pauseCampaign(ctx, campaignId(id));
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "PAUSED",
      complete: true,
      recipients: 30,
      waits: false,
    });
  });

  it("ends what waits as FAILED, and the figures add up", async () => {
    const { ctx, id } = await draft(40);
    const { server, waiting, accepted, answerAll } = await heldServer();
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=4`);
    await until(() => waiting.length === 3);
    await cancelCampaign(ctx, campaignId(id));
    ageClaims();
    await until(async () => {
      answerAll();
      await advance(database.db);
      return !(await storedCampaign(database.db, id)).waits;
    });
    await ended();
    const stored = await storedCampaign(database.db, id);
    const failed = 40 - accepted.length;
    expect(stored).toMatchObject({
      status: "CANCELLED",
      by_status: { SENT: accepted.length, FAILED: failed },
      figures: { settled: 40, sent: accepted.length, failed },
    });
    const [events] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from email_events where name = 'failed'
        and project_id = ${ctx.projectId} and data ->> 'reason' = 'campaign cancelled'
        and data ->> 'reasonCode' = 'campaign_cancelled'`);
    expect(events?.n).toBe(failed);
  });
});

describe("who leaves while a campaign runs", () => {
  it("gets no more of it, even where their mail was claimed already", async () => {
    const { ctx, id } = await draft(60);
    const { server, waiting, accepted, answerAll } = await heldServer();
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=3`);
    await until(() => waiting.length === 2);
    const held = new Set(waiting.map(({ to }) => to));
    await database.db.execute(sql`
      update contacts set consent = 'unsubscribed' where project_id = ${ctx.projectId}`);
    const [claimed] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from email_queue where campaign_id = ${id} and lease_id is not null`);
    expect(claimed?.n).toBeGreaterThan(2);
    ageClaims();
    await until(async () => {
      answerAll();
      return (await storedCampaign(database.db, id)).figures.settled === 60;
    });
    await ended();
    expect(new Set(accepted)).toEqual(held);
    const events = await database.db.execute<{ data: { reason: string } }>(sql`
      select data from email_events where name = 'suppressed' and project_id = ${ctx.projectId}`);
    expect(events.map(({ data }) => data.reason)).toEqual(Array(58).fill("unsubscribed"));
    expect((await storedCampaign(database.db, id)).figures).toMatchObject({ sent: 2, failed: 58 });
  });

  it("is passed over at the claim: consent, suppression, the list's own status", async () => {
    const { ctx, id } = await draft(6);
    const [list] = await database.db
      .insert(lists)
      .values({ id: newId(ctx.projectId), projectId: ctx.projectId, name: "Readers" })
      .returning({ id: lists.id });
    await database.db.execute(sql`
      insert into subscribers (id, project_id, list_id, contact_id, status, source, fields)
      select new_id(), project_id, ${list?.id}, id, 'subscribed', 'api', '{"CITY": "Graz"}'
      from contacts where project_id = ${ctx.projectId}`);
    await database.db.execute(sql`
      update campaigns set list_id = ${list?.id} where id = ${id}`);
    await sendCampaign(ctx, campaignId(id), {});
    await advance(database.db);
    await database.db.execute(sql`
      update contacts set consent = 'unsubscribed'
      where project_id = ${ctx.projectId} and email = 'p0@example.org'`);
    await database.db.execute(sql`
      update subscribers s set status = 'unsubscribed' from contacts c
      where c.id = s.contact_id and c.project_id = ${ctx.projectId} and c.email = 'p1@example.org'`);
    await database.db.execute(sql`
      insert into suppressions (id, project_id, email, reason)
      values (new_id(), ${ctx.projectId}, 'P2@example.org', 'complaint')`);
    const [third] = await database.db.execute<{ id: string }>(sql`
      select id from contacts where project_id = ${ctx.projectId} and email = 'p3@example.org'`);
    await deleteContact(ctx, encodeId("contact", third?.id ?? ""));
    const server = await mailServer();
    await dispatch(server.url);
    expect(recipients(server.mails).toSorted()).toEqual(["p4@example.org", "p5@example.org"]);
    await database.travel("2 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { SENT: 2, FAILED: 4 },
      figures: { settled: 6, sent: 2, failed: 4 },
    });
  });
});
