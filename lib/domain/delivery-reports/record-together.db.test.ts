import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { EmailStatus } from "@/db/enums";
import { contacts, emailQueue, emails, subscribers } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { Chance } from "@/lib/testing/chance";
import type { DeliveryReport } from "./effect";
import { recordTogether } from "./record-together";

const database = useTestDatabase();

const people = 4;
const mails = 28;
const statuses: EmailStatus[] = ["PENDING", "SENT", "SENT", "SENT", "DELIVERED", "OPENED"];

/** The same people, lists and mail each time, drawn from the seed; resolves to the emails' uuids. */
async function makeWorld(seed: number): Promise<{ ctx: Context; emailIds: string[] }> {
  const chance = new Chance(seed);
  const { ctx } = await makeProject(database.db);
  const { db, projectId } = ctx;
  await createWebhook(ctx, { url: "https://example.com/hooks", events: ["*"] });
  const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
  const members = Array.from({ length: people }, (_, n) => ({
    id: newId(projectId),
    projectId,
    email: `p${n}@sandbox.test`,
    consent: "subscribed" as const,
  }));
  await db.insert(contacts).values(members);
  await db.insert(subscribers).values(
    members.map(({ id }) => ({
      id: newId(projectId),
      projectId,
      listId: decodeId("list", list.id) ?? "",
      contactId: id,
      status: "subscribed" as const,
      source: "api" as const,
    })),
  );
  const rows = Array.from({ length: mails }, () => {
    const member = chance.pick(members);
    const status = chance.pick(statuses);
    const at = status === "PENDING" ? null : new Date(Date.now() - 60_000);
    return {
      id: newId(projectId),
      projectId,
      messageId: newId(projectId),
      contactId: chance.oneIn(8) ? null : member.id,
      recipient: member.email,
      source: "TRANSACTIONAL" as const,
      status,
      sentAt: at,
      deliveredAt: status === "SENT" ? null : at,
    };
  });
  await db.insert(emails).values(rows);
  const waiting = rows.filter(({ status }) => status === "PENDING");
  if (waiting.length > 0) {
    await db
      .insert(emailQueue)
      .values(waiting.map(({ id }) => ({ emailId: id, projectId, attempts: 2 })));
  }
  return { ctx, emailIds: rows.map(({ id }) => id) };
}

/** All that reports write, with emails and people by their place instead of their ids. */
async function stateOf({ ctx, emailIds }: { ctx: Context; emailIds: string[] }) {
  const place = sql`array_position(${sql.param(emailIds)}::uuid[], email_id)`;
  const own = sql`project_id = ${ctx.projectId}`;
  const read = (query: ReturnType<typeof sql>) => database.db.execute(query);
  return {
    emails: await read(sql`
      select status, attempts, sent_at is not null as sent, delivered_at is not null as delivered,
        bounced_at is not null as bounced, complained_at is not null as complained,
        exists (select from email_queue where email_id = emails.id) as waits
      from emails where ${own} order by array_position(${sql.param(emailIds)}::uuid[], id)`),
    events: await read(sql`
      select ${place} as place, name, data from email_events where ${own}
      order by ${place}, created_at`),
    figures: await read(sql`
      select sum(settled) as settled, sum(sent) as sent, sum(delivered) as delivered,
        sum(inferred) as inferred, sum(bounced) as bounced, sum(complained) as complained,
        sum(failed) as failed from hourly_figures where ${own}`),
    suppressed: await read(sql`
      select email, reason, ${place} as place from suppressions where ${own} order by email`),
    people: await read(sql`select email, consent from contacts where ${own} order by email`),
    members: await read(sql`
      select contacts.email, subscribers.status from subscribers
      join contacts on contacts.id = contact_id where subscribers.${own} order by 1`),
    history: await read(sql`
      select contacts.email, before, after, origin, ${place} as place from consent_changes
      join contacts on contacts.id = contact_id where consent_changes.${own} order by 1`),
    told: await read(sql`
      select event, count(*)::int from webhook_deliveries where ${own} group by event order by 1`),
  };
}

function drawReport(chance: Chance): DeliveryReport {
  return chance.pick<() => DeliveryReport>([
    () => ({ kind: "delivered" }),
    () => ({ kind: "delayed" }),
    () => ({ kind: "failed" }),
    () => ({ kind: "complained", type: "abuse" }),
    () => ({ kind: "bounced", hard: true }),
    () => ({ kind: "bounced", hard: false }),
    () => ({ kind: "bounced", hard: false }),
    () => ({ kind: "bounced", hard: false, gaveUp: true }),
  ])();
}

test.each(Array.from({ length: 8 }, (_, seed) => seed))(
  "reports that come together end as one by one does, whatever they are: %i",
  async (seed) => {
    const [alone, together] = [await makeWorld(seed), await makeWorld(seed)];
    const chance = new Chance(1_000 + seed);
    const kinds = Array.from({ length: 3 }, () => drawReport(chance));
    const reports = Array.from({ length: 90 }, (_, nth) => ({
      mail: chance.below(mails),
      // Some runs of few kinds: five soft bounces in a row are rare otherwise.
      report: seed % 3 === 0 ? chance.pick(kinds) : drawReport(chance),
      more: { nth },
    }));
    const recordIn = (world: typeof alone, { mail, report, more }: (typeof reports)[number]) =>
      recordTogether(world.ctx.db, {
        emailId: world.emailIds[mail] ?? "",
        projectId: world.ctx.projectId,
        report,
        more,
      });
    const news: boolean[] = [];
    for (const one of reports) news.push(await recordIn(alone, one));
    const newsTogether: boolean[] = [];
    for (let from = 0; from < reports.length;) {
      const next = from + 1 + chance.below(60);
      const batch = reports.slice(from, next);
      newsTogether.push(...(await Promise.all(batch.map((one) => recordIn(together, one)))));
      from = next;
    }
    expect(newsTogether).toEqual(news);
    expect(await stateOf(together)).toEqual(await stateOf(alone));
  },
);

test("a report that fails, or is about nothing, takes no other with it", async () => {
  const { ctx, emailIds } = await makeWorld(1);
  const report: DeliveryReport = { kind: "complained", type: "abuse" };
  const outcomes = await Promise.allSettled(
    [...emailIds, newId(ctx.projectId)].map((emailId, nth) =>
      recordTogether(ctx.db, {
        emailId,
        projectId: ctx.projectId,
        report,
        more: nth === 3 ? { response: "\u0000" } : {},
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(2);
  expect(outcomes[3]?.status).toBe("rejected");
  expect(outcomes.at(-1)).toMatchObject({ reason: { code: "NOT_FOUND" } });
  const { emails: after } = await stateOf({ ctx, emailIds });
  expect(after.filter(({ status }) => status === "COMPLAINED")).toHaveLength(mails - 1);
});

test("an email that somebody holds keeps no other waiting", async () => {
  const { ctx, emailIds } = await makeWorld(2);
  const [held = "", ...others] = emailIds;
  const record = (emailId: string) =>
    recordTogether(ctx.db, {
      emailId,
      projectId: ctx.projectId,
      report: { kind: "delayed" },
      more: { via: "mail" },
    });
  let isDone = false;
  let waiting: Promise<unknown> | undefined;
  await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select from emails where id = ${held} for update`);
    waiting = Promise.all([held, ...others].map(record)).then(() => (isDone = true));
    await Promise.all(others.map(record));
    // In batches of their own, and again: nothing waits behind the one.
    await Promise.all(others.map(record));
    expect(isDone).toBe(false);
  });
  await waiting;
  expect(isDone).toBe(true);
});
