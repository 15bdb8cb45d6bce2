import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { sendEmail } from "@/lib/domain/emails/send";
import { getWarmup, setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { dispatchDue, verifiedDomain } from "@/lib/testing/delivery";
import { runWarmups } from "./warm-up";

const database = useTestDatabase();
const people = 2_000;
const name = "sixty.example.com";
/** Hours of a day in which workers run: enough to use up the day's cap. */
const hours = 11;
const badDay = 24;

/** Opened something on the hour of their number: p0 now, p1 an hour ago. */
async function seedReaders(projectId: string): Promise<void> {
  await seedContacts(database.db, projectId, people);
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at, opened_at)
    select new_id(), project_id, new_id(), id, email, 'API', 'OPENED', app_now() - interval '400 days',
      app_now() - make_interval(hours => substring(email from '[0-9]+')::int)
    from contacts where project_id = ${projectId}`);
}

async function toMidnight(): Promise<void> {
  const [row] = await database.db.execute<{ seconds: number }>(sql`
    select ceil(extract(epoch from date_trunc('day', app_now(), 'UTC') + interval '1 day 1 minute'
      - app_now()))::int as seconds`);
  await database.travel(`${row?.seconds ?? 0} seconds`);
}

interface Sent extends Record<string, unknown> {
  day: number;
  hour: number;
  transactional: number;
}

/** By the emails themselves, not by what the warm-up has counted. */
async function sentSoFar(projectId: string): Promise<Sent> {
  const [row] = await database.db.execute<Sent>(sql`
    select count(*) filter (where campaign_id is not null)::int as day,
      count(*) filter (where campaign_id is not null
        and coalesce(sent_at, bounced_at) >= date_trunc('hour', app_now(), 'UTC'))::int as hour,
      count(*) filter (where campaign_id is null)::int as transactional
    from emails where project_id = ${projectId}
      and coalesce(sent_at, bounced_at) >= date_trunc('day', app_now(), 'UTC')`);
  if (!row) throw new Error("A count returned no row.");
  return row;
}

async function nothingWaits(projectId: string): Promise<boolean> {
  const rows = await database.db.execute(sql`
    select from campaigns where project_id = ${projectId} and status = 'SENDING' limit 1`);
  return rows.length === 0;
}

it("sixty days: caps and hourly shares kept, the engaged first, slowed and recovered, all of it sent", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const domain = await verifiedDomain(database.db, projectId, name);
  const wireId = encodeId("domain", domain.id);
  await seedReaders(projectId);
  await toMidnight();
  const schedule = Array.from({ length: 60 }, (_, day) => Math.round(30 * 1.05 ** day));
  await setWarmup(ctx, wireId, { enabled: true, schedule });
  const fromEmail = `news@${name}`;
  const start = () => makeCampaign(database.db, { projectId, fromEmail });
  const send = (to: string[]) =>
    sendEmail(ctx, { from: `shop@${name}`, to, subject: "Order", body: "<p>Thanks</p>" });

  const ids: string[] = [];
  const states: string[] = [];
  const sentOn: number[] = [];
  for (let day = 0; day < 60; day++) {
    if (day === 0 || day === 5) ids.push(await start());
    await send(Array.from({ length: 10 }, (_, n) => `order${day}x${n}@example.org`));
    if (day === badDay) {
      const addresses = Array.from({ length: 40 }, (_, n) => `bounced+${n}@sandbox.test`);
      await send(addresses);
    }
    let done = false;
    for (let hour = 0; hour < hours && !done; hour++) {
      if (hour > 0) await database.travel("1 hour");
      await advance(database.db);
      await runWarmups(database.db, AbortSignal.timeout(60_000));
      await dispatchDue({ db: database.db, transport: null });
      const { dailyCap, hourlyCap, state } = await getWarmup(ctx, wireId);
      const sent = await sentSoFar(projectId);
      if (sent.hour > 0) {
        expect(sent.day + sent.transactional).toBeLessThanOrEqual(dailyCap ?? 0);
        expect(sent.hour).toBeLessThanOrEqual(hourlyCap ?? 0);
      }
      if (states.at(-1) !== state) states.push(state);
      sentOn[day] = sent.day;
      done = day > badDay && (await nothingWaits(projectId));
    }
    if (day === 2) {
      expect(await getCampaign(ctx, encodeId("campaign", ids[0] ?? ""))).toMatchObject({
        status: "SENDING",
        waitsFor: { reason: "warm_up", message: expect.stringContaining(name) as string },
      });
    }
    await toMidnight();
  }
  expect(states).toEqual(["warming", "slowed", "warming"]);
  // While there is enough to send, a day's cap is used up, and transactional mail is part of it.
  expect(sentOn.slice(0, 10)).toEqual(schedule.slice(0, 10).map((cap) => cap - 10));
  for (const id of ids) {
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { DELIVERED: people },
    });
    const order = await database.db.execute<{ first: number; last: number }>(sql`
      select min(n)::int as first, max(n)::int as last from (
        select substring(recipient from '[0-9]+')::int as n, date_trunc('hour', sent_at) as hour
        from emails where campaign_id = ${id}) e
      group by hour order by hour`);
    for (const [index, batch] of order.slice(1).entries()) {
      expect(batch.first).toBeGreaterThan(order[index]?.last ?? Infinity);
    }
  }
}, 600_000);
