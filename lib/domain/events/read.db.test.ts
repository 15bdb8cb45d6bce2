import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { prepareEventStream } from "@/db/event-stream";
import { useTestDatabase } from "@/db/testing";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { cancelEmail } from "@/lib/domain/emails/reschedule";
import { recordVisits } from "@/lib/domain/tracking/record";
import { eventSchemas } from "@/lib/domain/webhooks/event-schemas";
import { payloadsOf } from "@/lib/domain/webhooks/payload";
import { cleanUp } from "@/lib/engine/jobs/cleanup";
import type { Context } from "@/lib/ground/context";
import { emitEvents } from "@/lib/ground/events/emit";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";
import { makeWebhook } from "@/lib/testing/webhooks";
import { listEvents } from "./read";
import { eventQuery } from "./schema";

const database = useTestDatabase();
const from = "shop@sandbox.test";

const read = (ctx: Context, query: Record<string, string> = {}) =>
  listEvents(ctx, eventQuery.parse(query));

/** Reads on until there is nothing more: what test files beside this one have under way holds the stream up. */
async function readAll(ctx: Context, query: Record<string, string> = {}, atLeast = 0) {
  const events = [];
  let after = query["after"];
  const deadline = Date.now() + 20_000;
  for (;;) {
    const page = await read(ctx, { ...query, ...(after ? { after } : {}) });
    events.push(...page.data);
    after = page.nextCursor;
    if (!page.hasMore && (events.length >= atLeast || Date.now() > deadline)) break;
  }
  return { events, cursor: after };
}

const emit = (projectId: string, n: number) =>
  emitEvents(database.db, [{ projectId, type: "campaign.sent", data: { n } }]);

describe("the stream", () => {
  test("has what webhooks are told of: the same ids, types, times and data", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await makeWebhook(ctx, "https://example.com/hook");
    const to = ["delivered", "bounced", "complained"].map((part) => `${part}@sandbox.test`);
    const [first = ""] = await send(ctx, { from, to, metadata: { order: "1815" } });
    await upsertContact(ctx, { email: "ada@example.com", data: { plan: "pro" } });
    await dispatchDue({ db: database.db, transport: null });
    const [cancelled = ""] = await send(ctx, {
      ...{ from, to: "delivered@sandbox.test" },
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await cancelEmail(ctx, encodeId("email", cancelled));
    const visitor = { userAgent: "Mozilla/5.0 Firefox/140", address: "192.0.2.1" };
    const visit = { emailId: first, link: null, visitor };
    // A program's visit is told to nobody.
    const program = { ...visitor, address: "40.92.1.1" };
    await recordVisits(database.db, [visit, { ...visit, visitor: program }]);

    const told = await database.db.query.webhookDeliveries.findMany({
      where: (table, { eq }) => eq(table.projectId, projectId),
    });
    const payloads = (await payloadsOf(database.db, told)).map(({ payload }) => payload);
    const asTold = told.map(({ eventId }, index) => ({
      id: encodeId("event", eventId),
      ...payloads[index],
    }));
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    const { events } = await readAll(ctx, {}, told.length);
    expect(events.toSorted(byId)).toEqual(asTold.sort(byId));
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set([
        ...["contact.created", "contact.unsubscribed", "email.sent", "email.delivered"],
        ...["email.bounced", "email.complained", "email.opened"],
      ]),
    );
    expect(events.filter(({ type }) => type === "email.opened")).toHaveLength(1);
    for (const { type, data } of events) {
      expect(eventSchemas[type].strict().safeParse(data)).toMatchObject({ success: true });
    }
  });

  test("needs no webhook, and is a project's own", async () => {
    const [own, other] = [await makeProject(database.db), await makeProject(database.db)];
    await upsertContact(own.ctx, { email: "ada@example.com" });
    await upsertContact(other.ctx, { email: "bob@example.com" });
    const { events } = await readAll(own.ctx, {}, 1);
    expect(events).toMatchObject([{ type: "contact.created", data: { email: "ada@example.com" } }]);
  });

  test("is read page by page and filtered by type, rare ones among many", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await database.db.execute(sql`
      insert into project_events (project_id, id, event, data)
      select ${projectId}, new_id(${projectId}),
        case n % 1500 when 0 then 'domain.failed' else 'campaign.sent' end, jsonb_build_object('n', n)
      from generate_series(1, 4500) n`);
    await database.db.execute(sql`
      insert into email_events (id, project_id, email_id, name)
      select new_id(${projectId}), ${projectId}, new_id(${projectId}), 'sent' from generate_series(1, 700)`);
    const all = await readAll(ctx, { limit: "499" }, 5_200);
    expect(new Set(all.events.map(({ id }) => id)).size).toBe(5_200);
    expect(all.events).toHaveLength(5_200);
    const first = await read(ctx, { types: "domain.failed,email.bounced" });
    // Two thousand were looked at, which is no reason to say that this is all.
    expect(first).toMatchObject({ data: [{ data: { n: 1_500 } }], hasMore: true });
    const rare = await readAll(ctx, { types: "domain.failed" }, 3);
    expect(rare.events.map(({ data }) => data["n"])).toEqual([1_500, 3_000, 4_500]);
    const second = await read(ctx, { types: "domain.failed", limit: "1", after: first.nextCursor });
    expect(second).toMatchObject({ data: [{ data: { n: 3_000 } }], hasMore: true });
  });

  test("from `now` on has only what comes", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await emit(projectId, 1);
    await readAll(ctx, {}, 1);
    const { data, nextCursor } = await read(ctx, { after: "now" });
    expect(data).toEqual([]);
    await emit(projectId, 2);
    const { events } = await readAll(ctx, { after: nextCursor }, 1);
    expect(events).toMatchObject([{ data: { n: 2 } }]);
  });

  test("says nothing more of a contact that was deleted", async () => {
    const { ctx } = await makeProject(database.db);
    const { contact } = await upsertContact(ctx, { email: "ada@example.com", firstName: "Ada" });
    await deleteContact(ctx, contact.id);
    const { events } = await readAll(ctx, {}, 2);
    expect(events.map(({ type, data }) => [type, data])).toEqual([
      ["contact.created", { id: contact.id }],
      ["contact.deleted", { id: contact.id }],
    ]);
  });
});

describe("a cursor", () => {
  test("that is none, or lies ahead of all that has happened, is refused", async () => {
    const { ctx } = await makeProject(database.db);
    const ahead = Buffer.from(
      JSON.stringify(["900000000000000000", "00000000-0000-0000-0000-000000000000"]),
    ).toString("base64url");
    for (const after of ["nonsense", "W10", "WyIxIiwiMiJd", ahead]) {
      await expect(read(ctx, { after })).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: [{ path: "after" }],
      });
    }
  });

  test("holds for 30 days; an older one is told the oldest, which goes on from there", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await emit(projectId, 1);
    const { cursor = "" } = await readAll(ctx, {}, 1);
    await emit(projectId, 2);
    const clean = () => cleanUp(database.db, AbortSignal.timeout(60_000));
    await readAll(ctx, {}, 2);
    await clean();
    await database.travel("29 days");
    await emit(projectId, 3);
    await clean();
    expect((await readAll(ctx, { after: cursor }, 2)).events).toMatchObject([
      { data: { n: 2 } },
      { data: { n: 3 } },
    ]);
    await database.travel("2 days");
    expect((await clean()).streamedEvents).toBeGreaterThanOrEqual(2);
    const refusal: unknown = await read(ctx, { after: cursor }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "CURSOR_EXPIRED", details: [{ path: "after" }] });
    const oldest = /oldest cursor is (\S+)$/.exec((refusal as Error).message)?.[1] ?? "";
    const rest = (await readAll(ctx, { after: oldest }, 1)).events;
    expect(rest).toMatchObject([{ data: { n: 3 } }]);
    expect((await readAll(ctx, {}, 1)).events).toEqual(rest);
  }, 60_000);

  test("stays good when a dump is restored elsewhere, where transactions are counted from 1", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    await emit(projectId, 1);
    const { cursor = "" } = await readAll(ctx, {}, 1);
    // As if these had been written by a cluster that had come much further.
    await database.db.execute(sql`
      update project_events set position = position + 5000000000 where project_id = ${projectId}`);
    await database.db.execute(sql`update event_clock set cluster = 'another'`);
    await prepareEventStream(database.db.$client);
    await emit(projectId, 2);
    expect((await readAll(ctx, { after: cursor }, 2)).events.map(({ data }) => data["n"])).toEqual([
      1, 2,
    ]);
    // Once is enough.
    await prepareEventStream(database.db.$client);
    const [clock] = await database.db.query.eventClock.findMany();
    expect(clock?.shift).toBe(2n ** 44n);
  });

  test("is shifted once nobody reads events, whose writers wait for seconds only", async () => {
    const { projectId } = await makeProject(database.db);
    await database.db.execute(sql`update event_clock set cluster = 'a third'`);
    const reader = connect(database.url, { max: 1 });
    try {
      const shifted = await reader.transaction(async (tx) => {
        await tx.execute(sql`select count(*) from email_events`);
        const shifting = prepareEventStream(database.db.$client);
        await until(async () => {
          const [row] = await tx.execute<{ waits: boolean }>(sql`
            select exists (select from pg_locks where not granted
              and relation = 'email_events'::regclass) as waits`);
          return row?.waits;
        });
        await database.db.execute(sql`
          insert into email_events (project_id, email_id, name)
          values (${projectId}, gen_random_uuid(), 'queued')`);
        return { shifting };
      });
      await shifted.shifting;
    } finally {
      await reader.$client.end({ timeout: 5 });
    }
    const [clock] = await database.db.query.eventClock.findMany();
    expect(clock?.cluster).not.toBe("a third");
  }, 60_000);
});
