import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { BounceClass, EmailStatus } from "@/db/enums";
import { contacts, emails, suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import type { Context } from "@/lib/ground/context";
import { updateContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { dispatchDue, send } from "@/lib/testing/delivery";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { createList } from "@/lib/domain/lists/lists";
import { getEmail } from "@/lib/domain/emails/read";
import { updateProjectSettings } from "@/lib/domain/projects/settings";
import { runJob } from "@/lib/engine/jobs/jobs";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { makeProject } from "@/lib/testing";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { recordVisits } from "@/lib/domain/tracking/record";
import { recordReport, recordReportOf, type DeliveryReport } from "./report";

const database = useTestDatabase();
let people = 0;

const hard: DeliveryReport = { kind: "bounced", hard: true };
const soft: DeliveryReport = { kind: "bounced", hard: false };
const complained: DeliveryReport = { kind: "complained", type: "abuse" };
const delivered: DeliveryReport = { kind: "delivered" };
const failed: DeliveryReport = { kind: "failed" };

const project = async () => (await makeProject(database.db)).ctx;

/** An email that a mail server took, its wire id. */
async function sent(ctx: Context, to = `p${++people}@sandbox.test`, status: EmailStatus = "SENT") {
  const [id = ""] = await send(ctx, { from: "hello@sandbox.test", to });
  await setStatus(id, status);
  return encodeId("email", id);
}

async function setStatus(uuid: string, status: EmailStatus): Promise<void> {
  await database.db.execute(sql`
    with gone as (
      delete from email_queue where email_id = ${uuid} and ${status} <> 'PENDING'
    ) update emails set status = ${status},
      sent_at = case when ${status} <> 'PENDING' then app_now() end
    where id = ${uuid}`);
}

async function stateOf(id: string) {
  const [row] = await database.db.execute<{
    status: EmailStatus;
    waits: boolean;
    events: string[];
    times: Record<string, boolean>;
  }>(sql`
    select e.status, exists (select from email_queue where email_id = e.id) as waits,
      array(select name from email_events v where v.email_id = e.id order by created_at) as events,
      jsonb_build_object('sent', sent_at is not null, 'delivered', delivered_at is not null,
        'bounced', bounced_at is not null, 'complained', complained_at is not null) as times
    from emails e where e.id = ${decodeId("email", id)}`);
  if (!row) throw new Error("There is no such email.");
  return row;
}

async function figuresOf(ctx: Context) {
  const [row] = await database.db.execute<Record<string, number>>(sql`
    select coalesce(sum(settled), 0)::int as settled, coalesce(sum(sent), 0)::int as sent,
      coalesce(sum(delivered), 0)::int as delivered,
      coalesce(sum(inferred), 0)::int as inferred, coalesce(sum(bounced), 0)::int as bounced,
      coalesce(sum(complained), 0)::int as complained, coalesce(sum(failed), 0)::int as failed
    from hourly_figures where project_id = ${ctx.projectId}`);
  return row ?? {};
}

const suppressedAs = async (ctx: Context) =>
  (
    await database.db
      .select({ reason: suppressions.reason })
      .from(suppressions)
      .where(eq(suppressions.projectId, ctx.projectId))
  ).map(({ reason }) => reason);

describe("the email", () => {
  test("is found by its Message-ID, with or without angle brackets, or by its id", async () => {
    const ctx = await project();
    for (const form of [(id: string) => id, (id: string) => `<${id}@sandbox.test>`]) {
      const id = await sent(ctx);
      await recordReport(ctx, ` ${form(id)} `, delivered);
      expect((await stateOf(id)).status).toBe("DELIVERED");
    }
    const otherProject = await project();
    const foreign = await sent(otherProject);
    for (const id of [foreign, "nobody@example.com", "", "<>", encodeId("user", ctx.projectId)]) {
      await expect(recordReport(ctx, id, hard)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    expect((await stateOf(foreign)).status).toBe("SENT");
  });

  test("moves up the ladder alone, and figures count first times", async () => {
    const moves: [EmailStatus, DeliveryReport, EmailStatus, Record<string, number>][] = [
      ["PENDING", delivered, "DELIVERED", { settled: 1, sent: 1, delivered: 1 }],
      ["PENDING", hard, "BOUNCED", { settled: 1, sent: 1, bounced: 1 }],
      ["PENDING", failed, "FAILED", { settled: 1, failed: 1 }],
      ["SENT", delivered, "DELIVERED", { delivered: 1 }],
      ["SENT", hard, "BOUNCED", { bounced: 1 }],
      ["SENT", soft, "SENT", {}],
      ["SENT", failed, "FAILED", { sent: -1, failed: 1 }],
      ["SENT", complained, "COMPLAINED", { complained: 1, delivered: 1, inferred: 1 }],
      ["OPENED", hard, "OPENED", {}],
      ["CLICKED", failed, "CLICKED", {}],
      ["BOUNCED", delivered, "BOUNCED", {}],
      ["BOUNCED", failed, "BOUNCED", {}],
      ["BOUNCED", complained, "COMPLAINED", { complained: 1, delivered: 1, inferred: 1 }],
    ];
    for (const [before, report, after, figures] of moves) {
      const ctx = await project();
      const id = await sent(ctx, undefined, before);
      await recordReport(ctx, id, report);
      const state = await stateOf(id);
      expect([before, report, state.status]).toEqual([before, report, after]);
      expect(state.waits).toBe(false);
      const none = {
        ...{ settled: 0, sent: 0, delivered: 0, inferred: 0 },
        ...{ bounced: 0, complained: 0, failed: 0 },
      };
      expect([before, report, await figuresOf(ctx)]).toEqual([
        before,
        report,
        { ...none, ...figures },
      ]);
    }
  });

  test("takes the same report once, from twenty at the same time, too", async () => {
    for (const report of [delivered, hard, soft, complained, failed]) {
      const ctx = await project();
      const id = await sent(ctx);
      await recordReport(ctx, id, report, "once");
      const after = [await stateOf(id), await figuresOf(ctx)];
      await Promise.all(Array.from({ length: 20 }, () => recordReport(ctx, id, report, "again")));
      expect([await stateOf(id), await figuresOf(ctx)]).toEqual(after);
      const rest = await sent(ctx);
      await Promise.all(Array.from({ length: 20 }, () => recordReport(ctx, rest, report)));
      expect((await stateOf(rest)).events).toHaveLength(1);
    }
  });

  test("that was read before anybody reported it is confirmed by the report, once", async () => {
    const ctx = await project();
    const id = await sent(ctx);
    const visitor = { userAgent: "Mozilla/5.0 (X11; Linux) Chrome/142.0", address: "192.0.2.1" };
    await recordVisits(database.db, [
      { emailId: decodeId("email", id) ?? "", link: null, visitor },
    ]);
    expect(await figuresOf(ctx)).toMatchObject({ delivered: 1, inferred: 1 });
    await Promise.all(Array.from({ length: 5 }, () => recordReport(ctx, id, delivered, "250 OK")));
    expect(await figuresOf(ctx)).toMatchObject({ delivered: 1, inferred: 0 });
    expect(await stateOf(id)).toMatchObject({ status: "OPENED", events: ["opened", "delivered"] });
  });

  test("takes a report that comes again once the event of the first is gone for what it is", async () => {
    const ctx = await project();
    await updateProjectSettings(ctx, { retention: { events: 30 } });
    const ids: Record<"delivered" | "hard" | "read", string> = {
      ...{ delivered: await sent(ctx), hard: await sent(ctx), read: await sent(ctx) },
    };
    const report = async () => {
      await recordReport(ctx, ids.delivered, delivered);
      await recordReport(ctx, ids.hard, hard);
      await recordReport(ctx, ids.read, complained);
    };
    await report();
    await database.travel("62 days");
    await runJob("cleanup", { db: database.db, signal: AbortSignal.timeout(60_000) });
    const states = () => Promise.all(Object.values(ids).map(stateOf));
    const [before, counted] = [await states(), await figuresOf(ctx)];
    expect(before.map(({ events }) => events)).toEqual([[], [], []]);
    await report();
    expect([await states(), await figuresOf(ctx)]).toEqual([before, counted]);
  });

  test("that is being handed over at this moment counts once", async () => {
    const ctx = await project();
    const id = await sent(ctx, undefined, "PENDING");
    await recordReport(ctx, id, delivered);
    expect(await dispatchDue({ db: database.db, transport: null })).toMatchObject({ recorded: 0 });
    expect(await figuresOf(ctx)).toMatchObject({ settled: 1, sent: 1, delivered: 1 });
  });
});

describe("the person", () => {
  const membership = async (ctx: Context, email: string) => {
    const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
    return (await addSubscriber(ctx, list.id, { email, source: "api" })).id;
  };
  const consentOf = async (ctx: Context, email: string) => {
    const [row] = await database.db
      .select({ consent: contacts.consent })
      .from(contacts)
      .where(and(eq(contacts.projectId, ctx.projectId), eq(contacts.email, email)));
    return row?.consent;
  };

  test("whose address bounced hard is suppressed, bounced on lists, and not unsubscribed", async () => {
    const ctx = await project();
    const member = await membership(ctx, "gone@sandbox.test");
    const id = await sent(ctx, "gone@sandbox.test");
    await recordReport(ctx, id, hard, "550 5.1.1 no such user");
    expect(await suppressedAs(ctx)).toEqual(["hard_bounce"]);
    expect((await getSubscriber(ctx, member)).status).toBe("bounced");
    expect(await consentOf(ctx, "gone@sandbox.test")).toBe("subscribed");
    const [event] = await database.db.execute<{ data: object }>(
      sql`select data from email_events where email_id = ${decodeId("email", id)}`,
    );
    expect(event?.data).toEqual({
      type: "hard",
      description: "550 5.1.1 no such user",
      via: "notification",
    });
  });

  test("who complained is unsubscribed, suppressed and complained on lists, left ones excepted", async () => {
    const ctx = await project();
    const member = await membership(ctx, "angry@sandbox.test");
    const bounced = await membership(ctx, "angry@sandbox.test");
    const left = await membership(ctx, "angry@sandbox.test");
    await database.db.execute(sql`
      update subscribers set status = 'bounced' where id = ${decodeId("subscriber", bounced)}`);
    await database.db.execute(sql`
      update subscribers set status = 'unsubscribed' where id = ${decodeId("subscriber", left)}`);
    await recordReport(ctx, await sent(ctx, "angry@sandbox.test"), complained);
    expect(await suppressedAs(ctx)).toEqual(["complaint"]);
    expect(await consentOf(ctx, "angry@sandbox.test")).toBe("unsubscribed");
    const statuses = [member, bounced, left].map(
      async (id) => (await getSubscriber(ctx, id)).status,
    );
    expect(await Promise.all(statuses)).toEqual(["complained", "complained", "unsubscribed"]);
  });

  test("is suppressed at the fifth soft bounce in a row; a delivery between starts anew", async () => {
    const ctx = await project();
    const to = "full@sandbox.test";
    const refuse = async () => {
      const id = await sent(ctx, to);
      await recordReport(ctx, id, soft);
      return (await stateOf(id)).status;
    };
    for (let nth = 1; nth <= 4; nth++) expect(await refuse()).toBe("SENT");
    await recordReport(ctx, await sent(ctx, to), delivered);
    for (let nth = 1; nth <= 4; nth++) expect(await refuse()).toBe("SENT");
    expect(await suppressedAs(ctx)).toEqual([]);
    const last = await sent(ctx, to);
    await recordReport(ctx, last, soft);
    expect((await stateOf(last)).status).toBe("BOUNCED");
    expect((await getEmail(ctx, last)).events.at(-1)?.data).toEqual({
      type: "hard",
      cause: "other",
      via: "notification",
    });
    expect(await suppressedAs(ctx)).toEqual(["hard_bounce"]);
  });

  test("does not answer for the address that the person had before", async () => {
    const ctx = await project();
    const former = "former@sandbox.test";
    for (let nth = 1; nth <= 4; nth++) await recordReport(ctx, await sent(ctx, former), soft);
    const [{ id } = { id: "" }] = await database.db
      .select({ id: contacts.id })
      .from(contacts)
      .where(and(eq(contacts.projectId, ctx.projectId), eq(contacts.email, former)));
    await updateContact(ctx, encodeId("contact", id), { email: "new@sandbox.test" });
    await recordReport(ctx, await sent(ctx, "new@sandbox.test"), soft);
    expect(await suppressedAs(ctx)).toEqual([]);
  });

  test("is not suppressed for what servers have against the sender, however often", async () => {
    const ctx = await project();
    const to = "strict@sandbox.test";
    const refuse = async (cause: BounceClass) => {
      const id = decodeId("email", await sent(ctx, to)) ?? "";
      const report = { kind: "bounced", hard: false, gaveUp: true } as const;
      await recordReportOf(ctx, id, report, { cause, via: "mail" });
    };
    const ofSender = ["reputation", "policy", "content", "too_large"] as const;
    for (const cause of [...ofSender, ...ofSender]) await refuse(cause);
    expect(await suppressedAs(ctx)).toEqual([]);
    // Those about the address add up, whatever came between, and it takes one of them to end it.
    for (let nth = 1; nth <= 4; nth++) await refuse("mailbox_full");
    await refuse("reputation");
    expect(await suppressedAs(ctx)).toEqual([]);
    await refuse("mailbox_full");
    expect(await suppressedAs(ctx)).toEqual(["hard_bounce"]);
  });

  test("whose server refuses for good when we hand over is bounced on lists the same way", async () => {
    const ctx = await project();
    const member = await membership(ctx, "bounced+x@sandbox.test");
    await send(ctx, { from: "hello@sandbox.test", to: "bounced+x@sandbox.test" });
    await dispatchDue({ db: database.db, transport: null });
    expect((await getSubscriber(ctx, member)).status).toBe("bounced");
  });
});

test("webhooks hear of it once", async () => {
  const ctx = await project();
  await createWebhook(ctx, { url: "https://example.com/hooks", events: ["*"] });
  const id = await sent(ctx);
  for (let nth = 0; nth < 3; nth++) await recordReport(ctx, id, complained);
  const told = await database.db.execute<{ event: string }>(sql`
    select event from webhook_deliveries where project_id = ${ctx.projectId} order by event`);
  expect(told.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["contact.unsubscribed", "email.complained"]),
  );
  expect(told.filter(({ event }) => event === "email.complained")).toHaveLength(1);
});

test("a viewer reports nothing, and nothing stays waiting behind a report", async () => {
  const ctx = await project();
  const id = await sent(ctx);
  const viewer = { ...ctx, role: "viewer" as const };
  await expect(recordReport(viewer, id, hard)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect(await database.db.$count(emails, eq(emails.projectId, ctx.projectId))).toBe(1);
});

test("reports are written by the statements that stand beside this test", async () => {
  const ctx = await project();
  const id = await sent(ctx);
  const text = await recordStatements(database.url, async (db) => {
    await recordReport({ ...ctx, db }, id, soft);
    await recordReport({ ...ctx, db }, id, complained);
  });
  await expect(text).toMatchFileSnapshot("./report.sql");
});

test("words of a report on somebody who was deleted for good are not kept", async () => {
  const ctx = await project();
  const to = `p${++people}@sandbox.test`;
  const id = await sent(ctx, to);
  await deleteContact(ctx, to);
  await recordReport(ctx, id, hard, `550 5.1.1 <${to}>: user unknown`);
  const { status, events } = await getEmail(ctx, id);
  expect(status).toBe("BOUNCED");
  expect(events.at(-1)).toMatchObject({
    ...{ name: "bounced", data: { type: "hard", via: "notification" } },
  });
  expect(JSON.stringify(events)).not.toContain(to);
});

test("a failure that somebody reports has a reason, as every failure", async () => {
  const ctx = await project();
  const id = await sent(ctx);
  await recordReport(ctx, id, failed, "out of paper");
  const { events } = await getEmail(ctx, id);
  expect(events.at(-1)).toMatchObject({
    ...{ name: "failed", data: { reason: "reported", description: "out of paper" } },
  });
});
