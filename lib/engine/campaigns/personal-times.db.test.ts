import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { emailQueue, emails } from "@/db/schema";
import type { PersonalTime } from "@/db/schema/campaigns";
import { useTestDatabase } from "@/db/testing";
import { createCampaign, updateCampaign } from "@/lib/domain/campaigns/campaigns";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  sendCampaign,
} from "@/lib/domain/campaigns/transitions";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { explainRecipient } from "@/lib/domain/recipients/explain";
import type { Context } from "@/lib/ground/context";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { campaignId, recipients } from "@/lib/testing/campaign-sending";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { useMailServers } from "@/lib/testing/mail-servers";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

/** Noon before the night in which Europe's clocks go forward, the next there is. */
function eveOfSummer(): Date {
  for (let year = new Date().getUTCFullYear() + 1; ; year++) {
    const last = new Date(Date.UTC(year, 2, 31, 12));
    last.setUTCDate(31 - last.getUTCDay() - 1);
    return last;
  }
}
const start = eveOfSummer();
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000).toISOString();

async function travelTo(time: Date): Promise<void> {
  const [row] = await database.db.execute<{ seconds: number }>(sql`
    select extract(epoch from ${time.toISOString()}::timestamptz - app_now())::float8 as seconds`);
  await database.travel(`${row?.seconds ?? 0} seconds`);
}
beforeEach(async () => {
  await travelTo(start);
});

async function person(ctx: Context, name: string, data: Record<string, unknown> = {}) {
  await upsertContact(ctx, { email: `${name}@example.org`, unsubscribed: false, data });
}

const draft = (
  ctx: Context,
  personalTime: PersonalTime,
  fromEmail = "news@sandbox.test",
  timeZone: string | null = "Europe/Berlin",
) =>
  makeCampaign(database.db, {
    ...{ projectId: ctx.projectId, fromEmail, status: "DRAFT", personalTime, timeZone },
  });

async function begin(ctx: Context, id: string): Promise<void> {
  await sendCampaign(ctx, campaignId(id), {});
  await advance(database.db);
}

/** When each person's mail is due, by the name before the @. */
async function dueTimes(id: string): Promise<Record<string, string | undefined>> {
  const rows = await database.db
    .select({ recipient: emails.recipient, dueAt: emailQueue.dueAt })
    .from(emails)
    .innerJoin(emailQueue, eq(emailQueue.emailId, emails.id))
    .where(eq(emails.campaignId, id));
  return Object.fromEntries(
    rows.map(({ recipient, dueAt }) => [recipient?.split("@")[0] ?? "", dueAt?.toISOString()]),
  );
}

describe("local time", () => {
  test("is each person's own, over the night in which clocks go forward", async () => {
    const { ctx } = await makeProject(database.db);
    await person(ctx, "berlin", { timezone: "Europe/Berlin" });
    await person(ctx, "newyork", { timeZone: "america/new_york" });
    await person(ctx, "tokyo", { country: "JP" });
    await person(ctx, "paris", { country: "France" });
    await person(ctx, "kolkata", { timezone: "Asia/Kolkata", country: "DE" });
    await person(ctx, "nowhere");
    await person(ctx, "mars", { timezone: "Mars/Base", country: 7 });
    const id = await draft(ctx, { mode: "local", at: "09:00" });
    await begin(ctx, id);
    // Noon UTC is 13:00 in Berlin's winter: nine o'clock comes 19 hours later in its summer.
    expect(await dueTimes(id)).toEqual({
      berlin: hoursLater(19),
      paris: hoursLater(19),
      nowhere: hoursLater(19),
      mars: hoursLater(19),
      newyork: hoursLater(1),
      tokyo: hoursLater(12),
      kolkata: hoursLater(15.5),
    });
  });

  test("that the night leaves out is the first there is after it", async () => {
    const { ctx } = await makeProject(database.db);
    await person(ctx, "berlin");
    const id = await draft(ctx, { mode: "local", at: "02:30" });
    await begin(ctx, id);
    expect(await dueTimes(id)).toEqual({ berlin: hoursLater(13.5) });
  });

  test("without any zone known is UTC's", async () => {
    await travelTo(new Date(start.getTime() - 60_000));
    const { ctx } = await makeProject(database.db);
    await person(ctx, "nowhere");
    const at = `${String(start.getUTCHours()).padStart(2, "0")}:00`;
    const id = await draft(ctx, { mode: "local", at }, undefined, null);
    await begin(ctx, id);
    expect(await dueTimes(id)).toEqual({ nowhere: start.toISOString() });
  });

  test("is when it goes out, each once, and the campaign lasts until the last of them", async () => {
    const { ctx, domain } = await sender();
    await person(ctx, "berlin", { timezone: "Europe/Berlin" });
    await person(ctx, "newyork", { timezone: "America/New_York" });
    await person(ctx, "leaver", { timezone: "Europe/Berlin" });
    const id = await draft(ctx, { mode: "local", at: "09:00" }, `news@${domain}`);
    const server = await mailServer();
    await begin(ctx, id);
    const run = async (hours: number) => {
      await travelTo(new Date(start.getTime() + hours * 3_600_000));
      await dispatch(server.url);
      await advance(database.db);
      return recipients(server.mails).map((address) => address.split("@")[0]);
    };
    expect(await run(0.5)).toEqual([]);
    expect(await explainRecipient(ctx, campaignId(id), "berlin@example.org")).toMatchObject({
      code: "waiting_for_hour",
      nextAt: hoursLater(19),
    });
    expect(await run(1.01)).toEqual(["newyork"]);
    expect((await storedCampaign(database.db, id)).status).toBe("SENDING");
    await updateContact(ctx, "leaver@example.org", { subscribed: false });
    await pauseCampaign(ctx, campaignId(id));
    expect(await run(19.01)).toEqual(["newyork"]);
    await resumeCampaign(ctx, campaignId(id));
    expect(await run(19.1)).toEqual(["newyork", "berlin"]);
    await travelTo(new Date(start.getTime() + 20 * 3_600_000));
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { SENT: 2, FAILED: 1 },
      figures: { settled: 3, sent: 2, failed: 1 },
    });
  });

  test("that nobody has reached ends with a cancelled campaign", async () => {
    const { ctx } = await makeProject(database.db);
    await seedContacts(database.db, ctx.projectId, 5);
    const id = await draft(ctx, { mode: "local", at: "09:00" });
    await begin(ctx, id);
    await cancelCampaign(ctx, campaignId(id));
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "CANCELLED",
      by_status: { FAILED: 5 },
      waits: false,
    });
  });
});

describe("the hour at which somebody usually reads", () => {
  /** Mail that everybody opened at these hours of Berlin's day, a day apart each. */
  async function reads(projectId: string, hours: readonly number[], who = sql`true`) {
    for (const [days, hour] of hours.entries()) {
      await database.db.execute(sql`
        insert into emails (id, project_id, message_id, contact_id, recipient, source, status, sent_at,
          opened_at)
        select new_id(), ${projectId}, ${newUnownedId()}, id, email, 'TRANSACTIONAL', 'OPENED',
          app_now() - make_interval(days => ${days + 2}::int),
          (date_trunc('day', app_now() at time zone 'Europe/Berlin')
            - make_interval(days => ${days + 1}::int) + make_interval(hours => ${hour}::int, mins => 20))
            at time zone 'Europe/Berlin'
        from contacts where project_id = ${projectId} and ${who}`);
    }
  }

  test("is theirs but for a tenth who do without, and who has none gets it at the given time", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await seedContacts(database.db, projectId, 400);
    await reads(projectId, [20, 7, 20, 20]);
    await seedContacts(database.db, projectId, 30, { email: sql`'new' || n || '@example.org'` });
    await reads(projectId, [11, 11], sql`email like 'new%'`);
    const id = await draft(ctx, { mode: "reader", at: "09:00" });
    await begin(ctx, id);
    const rows = await database.db.execute<{
      variant: number | null;
      due: string;
      people: number;
    }>(sql`
      select variant, to_char(email_queue.due_at at time zone 'Europe/Berlin', 'HH24:MI') as due,
        count(*)::int as people
      from emails join email_queue on email_id = id
      where emails.campaign_id = ${id} group by 1, 2 order by 1 nulls last`);
    const [own, control, others] = rows;
    expect(rows).toHaveLength(3);
    expect(own).toMatchObject({ variant: 1, due: "20:00" });
    expect(control).toMatchObject({ variant: 2, due: "09:00" });
    expect(others).toMatchObject({ variant: null, due: "09:00", people: 30 });
    expect((own?.people ?? 0) + (control?.people ?? 0)).toBe(400);
    // Drawn from a hash: 40 in the mean, and hardly ever beyond four deviations of six.
    expect(control?.people).toBeGreaterThan(16);
    expect(control?.people).toBeLessThan(64);
  });
});

describe("the setting", () => {
  test("has a default, is cleared by null and cannot stand beside an A/B test", async () => {
    const { ctx } = await makeProject(database.db);
    const personalTime = { mode: "local" as const };
    const created = await createCampaign(ctx, { name: "News", incomplete: true, personalTime });
    expect(created.personalTime).toEqual({ mode: "local", at: "09:00" });
    const abTest = { variants: [{ subject: "A" }, { subject: "B" }] };
    const both = {
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("A/B test") as string,
    };
    await expect(updateCampaign(ctx, created.id, { abTest })).rejects.toMatchObject(both);
    await expect(
      createCampaign(ctx, { name: "News", incomplete: true, personalTime, abTest }),
    ).rejects.toMatchObject(both);
    const cleared = await updateCampaign(ctx, created.id, { personalTime: null, abTest });
    expect(cleared.personalTime).toBeNull();
  });
});
