import { sql } from "drizzle-orm";
import type { Database } from "@/db/client";
import { sendEmail } from "@/lib/domain/emails/send";
import { getWarmup, setWarmup } from "@/lib/domain/sending-domains/warm-up";
import type { Warmup } from "@/lib/domain/warm-up/schema";
import { runWarmups } from "@/lib/engine/warm-up/warm-up";
import { encodeId } from "@/lib/ground/ids/ids";
import { advance, makeCampaign, seedContacts } from "@/lib/testing/campaigns";
import { dispatchDue, verifiedDomain } from "@/lib/testing/delivery";
import { makeProject, type TestProject } from "./index";
import { endOfNextDaysFirstHour, travelTo, type Clock } from "./travel-to";

export const simulatedDays = 60;
export const simulatedPeople = 2_000;
/** Forty of its emails bounce. */
export const badDay = 24;
const name = "sixty.example.com";
/** Hours of a day in which workers run: enough to use up the day's cap. */
const hours = 11;

/** People opened something as many hours ago as their number: p0 now, p1 an hour ago. */
async function seedReaders(db: Database, projectId: string): Promise<void> {
  await seedContacts(db, projectId, simulatedPeople);
  await db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at, opened_at)
    select new_id(), project_id, new_id(), id, email, 'API', 'OPENED', app_now() - interval '400 days',
      app_now() - make_interval(hours => substring(email from '[0-9]+')::int)
    from contacts where project_id = ${projectId}`);
}

interface Sent extends Record<string, unknown> {
  day: number;
  hour: number;
  transactional: number;
}

/** Judged by the emails themselves, not by what the warm-up counted. */
async function sentSoFar(db: Database, projectId: string): Promise<Sent> {
  const [row] = await db.execute<Sent>(sql`
    select count(*) filter (where campaign_id is not null)::int as day,
      count(*) filter (where campaign_id is not null
        and coalesce(sent_at, bounced_at) >= date_trunc('hour', app_now(), 'UTC'))::int as hour,
      count(*) filter (where campaign_id is null)::int as transactional
    from emails where project_id = ${projectId}
      and coalesce(sent_at, bounced_at) >= date_trunc('day', app_now(), 'UTC')`);
  if (!row) throw new Error("A count returned no row.");
  return row;
}

async function nothingWaits(db: Database, projectId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    select from campaigns where project_id = ${projectId} and status = 'SENDING' limit 1`);
  return rows.length === 0;
}

/** What had gone out by then, on a day of the simulation. */
export interface SimulatedHour {
  day: number;
  sent: Sent;
  warmup: Pick<Warmup, "dailyCap" | "hourlyCap" | "state">;
}

/**
 * Sixty days of a domain that is warmed up, by the real engine under a clock that is moved forward: ten
 * transactional emails a day, two campaigns, and a day on which mail bounces. `onHour` sees every hour.
 */
export async function simulateSixtyDays(
  clock: Clock,
  {
    onHour,
    onDay,
  }: {
    onHour: (hour: SimulatedHour) => void;
    onDay?: (day: number, project: TestProject, campaignIds: readonly string[]) => Promise<void>;
  },
): Promise<{ schedule: number[]; campaignIds: string[]; project: TestProject }> {
  const { db } = clock;
  const project = await makeProject(db);
  const { ctx, projectId } = project;
  const domain = await verifiedDomain(db, projectId, name);
  const wireId = encodeId("domain", domain.id);
  await seedReaders(db, projectId);
  await travelTo(clock, endOfNextDaysFirstHour);
  const schedule = Array.from({ length: simulatedDays }, (_, day) => Math.round(30 * 1.05 ** day));
  await setWarmup(ctx, wireId, { enabled: true, schedule });
  const fromEmail = `news@${name}`;
  const send = (to: string[]) =>
    sendEmail(ctx, { from: `shop@${name}`, to, subject: "Order", body: "<p>Thanks</p>" });
  const campaignIds: string[] = [];
  for (let day = 0; day < simulatedDays; day++) {
    if (day === 0 || day === 5) campaignIds.push(await makeCampaign(db, { projectId, fromEmail }));
    await send(Array.from({ length: 10 }, (_, n) => `order${day}x${n}@example.org`));
    if (day === badDay)
      await send(Array.from({ length: 40 }, (_, n) => `bounced+${n}@sandbox.test`));
    let done = false;
    for (let hour = 0; hour < hours && !done; hour++) {
      if (hour > 0) await clock.travel("1 hour");
      await advance(db);
      await runWarmups(db, AbortSignal.timeout(60_000));
      await dispatchDue({ db, transport: null });
      const { dailyCap, hourlyCap, state } = await getWarmup(ctx, wireId);
      const sent = await sentSoFar(db, projectId);
      onHour({ day, sent, warmup: { dailyCap, hourlyCap, state } });
      done = day > badDay && (await nothingWaits(db, projectId));
    }
    await onDay?.(day, project, campaignIds);
    await travelTo(clock, endOfNextDaysFirstHour);
  }
  return { schedule, campaignIds, project };
}
