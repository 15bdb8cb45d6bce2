import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { setWarmup, getWarmup } from "@/lib/domain/sending-domains/warm-up";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { sendEmail } from "@/lib/domain/emails/send";
import type { WarmupInput } from "@/lib/domain/warm-up/schema";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { dispatchDue, verifiedDomain } from "@/lib/testing/delivery";
import { endOfNextDaysFirstHour, travelTo } from "@/lib/testing/travel-to";
import { cancelCampaign, pauseCampaign, resumeCampaign } from "@/lib/domain/campaigns/transitions";
import { runWarmups } from "./warm-up";

const database = useTestDatabase();
let domains = 0;

/** A project with people and a verified domain that is warmed up by this plan. */
async function warmed(people: number, plan: Partial<WarmupInput> = {}) {
  const project = await makeProject(database.db);
  const name = `warm-${++domains}.example.com`;
  const domain = await verifiedDomain(database.db, project.projectId, name);
  await seedContacts(database.db, project.projectId, people);
  const wireId = encodeId("domain", domain.id);
  await setWarmup(project.ctx, wireId, { enabled: true, schedule: [100, 200, 400], ...plan });
  const campaign = () =>
    makeCampaign(database.db, { projectId: project.projectId, fromEmail: `news@${name}` });
  return { ...project, name, domain, wireId, campaign };
}

const run = () => runWarmups(database.db, AbortSignal.timeout(60_000));
const dispatch = () => dispatchDue({ db: database.db, transport: null });

const nextDay = () => travelTo(database, endOfNextDaysFirstHour);

const dayOf = async () =>
  (
    await database.db.execute<{ day: string }>(
      sql`select (app_now() at time zone 'UTC')::date as day`,
    )
  )[0]?.day ?? "";

/** Lets out and hands over what may go, hour by hour until the day's end. */
async function restOfDay(): Promise<void> {
  const [row] = await database.db.execute<{ hours: number }>(sql`
    select (23 - extract(hour from app_now() at time zone 'UTC'))::int as hours`);
  for (let hour = 0; hour <= (row?.hours ?? 0); hour++) {
    if (hour > 0) await database.travel("1 hour");
    await run();
    await dispatch();
  }
}

const counts = async (campaign: string) =>
  (
    await database.db.execute<{ waiting: number; awake: number; sent: number }>(sql`
      select count(*) filter (where email_queue.warmup_rank is not null)::int as waiting,
        count(*) filter (where email_queue.due_at is not null)::int as awake,
        count(*) filter (where sent_at is not null)::int as sent
      from emails left join email_queue on email_id = id where emails.campaign_id = ${campaign}`)
  )[0];

describe("a domain that is warmed up", () => {
  it("lets an hour's share of the day's cap out, and keeps the rest for later", async () => {
    const { campaign } = await warmed(500);
    await nextDay();
    const id = await campaign();
    await advance(database.db);
    expect(await counts(id)).toEqual({ waiting: 500, awake: 0, sent: 0 });
    await run();
    expect(await counts(id)).toEqual({ waiting: 480, awake: 20, sent: 0 });
    // What was let out counts before it has left, and again when it has.
    await run();
    expect(await counts(id)).toMatchObject({ awake: 20 });
    await dispatch();
    await run();
    expect(await counts(id)).toEqual({ waiting: 480, awake: 0, sent: 20 });
    await database.travel("1 hour");
    await run();
    expect(await counts(id)).toMatchObject({ awake: 20 });
    await restOfDay();
    expect(await counts(id)).toEqual({ waiting: 300, awake: 0, sent: 200 });
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENDING" });
  });

  it("lets an hour's share out evenly over the hour", async () => {
    const { campaign } = await warmed(500, { schedule: [1_200, 1_200] });
    await nextDay();
    await database.travel("5 minutes");
    const id = await campaign();
    await advance(database.db);
    const shares: number[] = [];
    const minutes = [5, 5, 5, 10, 5, 5, 5, 5, 5, 5];
    for (const wait of [...minutes, 0]) {
      await run();
      await run();
      shares.push((await counts(id))?.awake ?? 0);
      await dispatch();
      await database.travel(`${wait} minutes`);
    }
    // 120 an hour: ten every five minutes, and twice that after ten minutes without a run.
    expect(shares).toEqual([10, 10, 10, 10, 20, 10, 10, 10, 10, 10, 10]);
    expect(await counts(id)).toMatchObject({ sent: 120, waiting: 380 });
  });

  it("keeps to one cap however many let mail out at once, and whatever they let it out for", async () => {
    const { campaign } = await warmed(300, { schedule: [1_000, 1_000] });
    await nextDay();
    const ids = [await campaign(), await campaign(), await campaign()];
    await advance(database.db);
    await Promise.all(Array.from({ length: 8 }, run));
    const each = await Promise.all(ids.map(counts));
    expect(each.map((one) => one?.awake).toSorted()).toEqual([33, 33, 34]);
    await Promise.all([run(), dispatch(), run(), dispatch(), run(), dispatch(), run()]);
    await dispatch();
    const sent = (await Promise.all(ids.map(counts))).map((one) => one?.sent ?? 0);
    expect(sent.reduce((sum, one) => sum + one)).toBe(100);
  });

  it("counts transactional mail and never holds it back", async () => {
    const { ctx, name, wireId, campaign } = await warmed(300);
    await nextDay();
    const send = (count: number) =>
      Promise.all(
        Array.from({ length: count / 50 }, () =>
          sendEmail(ctx, {
            from: `shop@${name}`,
            to: Array.from({ length: 50 }, () => `r${Math.random()}@example.org`),
            subject: "Order",
            body: "<p>Thanks</p>",
          }),
        ),
      );
    await send(150);
    await dispatch();
    const id = await campaign();
    await advance(database.db);
    await restOfDay();
    expect(await counts(id)).toEqual({ waiting: 250, awake: 0, sent: 50 });
    await nextDay();
    await send(450);
    await dispatch();
    await restOfDay();
    expect(await counts(id)).toEqual({ waiting: 250, awake: 0, sent: 50 });
    expect(await getWarmup(ctx, wireId)).toMatchObject({
      today: { transactional: 450, campaigns: 0 },
      remainingToday: 0,
      waiting: 250,
    });
  }, 60_000);

  it("sends to the most engaged people first", async () => {
    const { projectId, campaign } = await warmed(60, { schedule: [10, 20, 40] });
    // p0 to p9 clicked, the lower the later; p10 to p29 let three mails lie; nobody wrote to the rest.
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at, opened_at, clicked_at)
      select new_id(), project_id, new_id(), id, email, 'API', 'SENT', app_now() - interval '90 days',
        case when n < 10 then app_now() - make_interval(days => n * 3 + 1) end,
        case when n < 10 then app_now() - make_interval(days => n * 3) end
      from (select *, substring(email from '[0-9]+')::int as n from contacts
        where project_id = ${projectId}) c, generate_series(1, 3) where n < 30`);
    const id = await campaign();
    await advance(database.db);
    const order = await database.db.execute<{ n: number }>(sql`
      select substring(recipient from '[0-9]+')::int as n
      from emails join email_queue on email_id = id
      where emails.campaign_id = ${id} order by email_queue.warmup_rank, id`);
    const people = order.map(({ n }) => n);
    expect(people.slice(0, 10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(Math.min(...people.slice(10, 40))).toBe(30);
    await nextDay();
    await run();
    const [out] = await database.db.execute<{ people: number[] }>(sql`
      select array_agg(substring(recipient from '[0-9]+')::int) as people
      from emails join email_queue on email_id = id
      where emails.campaign_id = ${id} and email_queue.due_at is not null`);
    expect(out?.people.toSorted()).toEqual([0, 1]);
  });
});

describe("a plan that changes", () => {
  it("holds back what waits already when it is turned on, but for what the day has room for", async () => {
    const { ctx, wireId, campaign } = await warmed(500, { enabled: false });
    const id = await campaign();
    await advance(database.db);
    expect(await counts(id)).toEqual({ waiting: 0, awake: 500, sent: 0 });
    await setWarmup(ctx, wireId, { enabled: true });
    expect(await counts(id)).toEqual({ waiting: 400, awake: 100, sent: 0 });
    await setWarmup(ctx, wireId, { enabled: true, schedule: [30] });
    expect(await counts(id)).toEqual({ waiting: 470, awake: 30, sent: 0 });
  });

  it("lets everything out when it is turned off, and when it has ended", async () => {
    const off = await warmed(50, { schedule: [10] });
    const ended = await warmed(50, { schedule: [10] });
    const ids = [await off.campaign(), await ended.campaign()];
    await advance(database.db);
    await setWarmup(off.ctx, off.wireId, { enabled: false });
    await run();
    expect(await counts(ids[0] ?? "")).toMatchObject({ waiting: 0, awake: 50 });
    expect(await counts(ids[1] ?? "")).toMatchObject({ waiting: 49 });
    await nextDay();
    await run();
    expect(await counts(ids[1] ?? "")).toMatchObject({ waiting: 0, awake: 50 });
    expect(await getWarmup(ended.ctx, ended.wireId)).toMatchObject({
      state: "done",
      dailyCap: null,
    });
  });

  it("begins again when the domain was silent for more than 30 days", async () => {
    const { ctx, wireId, campaign } = await warmed(20, { schedule: [20, 400] });
    await campaign();
    await advance(database.db);
    await nextDay();
    await run();
    await dispatch();
    await database.travel("30 days");
    expect(await getWarmup(ctx, wireId)).toMatchObject({ state: "done" });
    await database.travel("1 day");
    // Another's mail does not keep it warm.
    const busy = await warmed(1);
    await database.db.execute(sql`
      insert into warmup_hours (domain_id, hour, slot, campaigns)
      values (${busy.domain.id}, date_trunc('hour', app_now(), 'UTC'), 999, 1)`);
    await seedContacts(database.db, ctx.projectId, 5, {
      email: sql`'later' || n || '@example.org'`,
    });
    const id = await campaign();
    await advance(database.db);
    expect(await counts(id)).toMatchObject({ waiting: 25 });
    expect(await getWarmup(ctx, wireId)).toMatchObject({ state: "warming", day: 1, dailyCap: 20 });
  });

  it.each([
    [20, { state: "slowed", dailyCap: 200, slowed: { reason: "bounces", share: 0.5 } }, 400, 3],
    [60, { state: "slowed", dailyCap: 100, slowed: { reason: "bounces", share: 0.25 } }, 400, 4],
  ])(
    "slows down when %i of 400 bounce, says why, and recovers day by day",
    async (bounces, slowed, cap, days) => {
      const { ctx, wireId, domain, campaign } = await warmed(1, { schedule: [400, 800, 1_600] });
      await campaign();
      await advance(database.db);
      await nextDay();
      await setWarmup(ctx, wireId, { enabled: true, startedOn: await dayOf() });
      await database.db.execute(sql`
        insert into warmup_hours (domain_id, hour, slot, campaigns, bounced)
        values (${domain.id}, date_trunc('hour', app_now(), 'UTC'), 999, 400, ${bounces})`);
      await run();
      const warmup = await getWarmup(ctx, wireId);
      expect(warmup).toMatchObject(slowed);
      expect(warmup.slowed?.message).toContain(`${bounces} of 400 emails sent today bounced`);
      // The same results are no reason a second time.
      await database.travel("2 hours");
      await run();
      expect(await getWarmup(ctx, wireId)).toMatchObject(slowed);
      for (let day = 1; day < days; day++) {
        await nextDay();
        await campaign();
        await run();
        expect((await getWarmup(ctx, wireId)).dailyCap).toBeLessThanOrEqual(cap);
      }
      expect(await getWarmup(ctx, wireId)).toMatchObject({
        state: "warming",
        dailyCap: cap,
        day: 1,
      });
      await nextDay();
      expect(await getWarmup(ctx, wireId)).toMatchObject({
        state: "warming",
        dailyCap: 800,
        day: 2,
      });
    },
  );
});

describe("a campaign that waits for the warm-up", () => {
  it("gives its turn to others while it is paused, and ends what waits when it is cancelled", async () => {
    const { ctx, campaign } = await warmed(100);
    await nextDay();
    const [paused, other] = [await campaign(), await campaign()];
    await advance(database.db);
    await run();
    expect(await counts(paused)).toMatchObject({ awake: 10 });
    await pauseCampaign(ctx, encodeId("campaign", paused));
    await run();
    expect(await counts(paused)).toMatchObject({ awake: 0, waiting: 100 });
    await run();
    expect(await counts(other)).toMatchObject({ awake: 20 });
    await resumeCampaign(ctx, encodeId("campaign", paused));
    await dispatch();
    await database.travel("1 hour");
    await run();
    expect(await counts(paused)).toMatchObject({ awake: 10 });
    await cancelCampaign(ctx, encodeId("campaign", paused));
    await advance(database.db);
    expect(await counts(paused)).toMatchObject({ awake: 0, waiting: 0 });
    expect(await storedCampaign(database.db, paused)).toMatchObject({
      status: "CANCELLED",
      by_status: { FAILED: 100 },
    });
  });

  it("fails the mail of a contact who is deleted meanwhile, and goes on", async () => {
    const { ctx, projectId, campaign } = await warmed(3, { schedule: [10, 10] });
    await nextDay();
    const id = await campaign();
    await advance(database.db);
    const [first] = await database.db.execute<{ id: string }>(sql`
      select id from contacts where project_id = ${projectId} limit 1`);
    await deleteContact(ctx, encodeId("contact", first?.id ?? ""));
    expect(await counts(id)).toMatchObject({ waiting: 2 });
    await restOfDay();
    await database.travel("1 minute");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { DELIVERED: 2, FAILED: 1 },
    });
  });
});
