import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { lists } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
} from "@/lib/domain/campaigns/transitions";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { claimEmails } from "@/lib/engine/sending/claim";
import { Dispatcher } from "@/lib/engine/sending/dispatcher";
import { smtpError } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { encodeId } from "@/lib/ground/ids/ids";
import { runJob } from "@/lib/engine/jobs/jobs";
import { advance, makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const { stops, sender, mailServer, dispatch } = useMailServers(database);
const wire = (campaign: string) => encodeId("campaign", campaign);

/** A sender with `people` contacts and a draft to them. */
async function draft(people: number, values: { listId?: string } = {}) {
  const { ctx, domain } = await sender();
  await seedContacts(database.db, ctx.projectId, people);
  const fromEmail = `news@${domain}`;
  const id = await makeCampaign(database.db, {
    projectId: ctx.projectId,
    fromEmail,
    status: "DRAFT",
    ...values,
  });
  return { ctx, id, fromEmail };
}

/** A mail server that answers each message when told to. */
async function heldServer() {
  const waiting: { to: string; answer: () => void }[] = [];
  const taken: string[] = [];
  const server = await mailServer({
    onData(stream, session, callback) {
      stream.resume();
      stream.on("end", () => {
        const to = session.envelope.rcptTo[0]?.address ?? "";
        waiting.push({
          to,
          answer: () => {
            taken.push(to);
            callback();
          },
        });
      });
    },
  });
  const answerAll = () => {
    for (const delivery of waiting.splice(0)) delivery.answer();
  };
  return { server, waiting, taken, answerAll };
}

function startDispatcher(url: string) {
  const stop = new AbortController();
  const running = new Dispatcher({ db: database.db, transport: smtpTransport(url) }).run(
    stop.signal,
  );
  const ended = async () => {
    stop.abort();
    await running;
  };
  stops.unshift(ended);
  return { ended };
}

const people = (mails: { to: string[] }[]) => mails.map(({ to }) => to[0] ?? "");

describe("a campaign", () => {
  it("told to send 20 times at once, and scheduled, and looked after by many, sends each one copy", async () => {
    const { ctx, id } = await draft(50);
    const server = await mailServer();
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const calls = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => sendCampaign(ctx, wire(id), {})),
      scheduleCampaign(ctx, wire(id), { scheduledAt: soon }),
      ...Array.from({ length: 10 }, () => advance(database.db)),
    ]);
    const sent = calls.slice(0, 20).filter(({ status }) => status === "fulfilled");
    expect(sent).toHaveLength(1);
    await Promise.all([1, 2, 3, 4, 5].map(() => advance(database.db)));
    await Promise.all([1, 2, 3].map(() => dispatch(server.url)));
    expect(people(server.mails).toSorted()).toEqual(
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
    await scheduleCampaign(ctx, wire(id), { scheduledAt });
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
    await sendCampaign(ctx, wire(id), {});
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
    await sendCampaign(ctx, wire(id), {});
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
    await sendCampaign(ctx, wire(id), {});
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
    expect(people(server.mails)).toHaveLength(1);
    expect(await storedCampaign(database.db, id)).toMatchObject({ status: "SENT" });
  });

  it("whose sender loses its domain in the middle FAILED, and nothing more of it goes out", async () => {
    const { ctx, id } = await draft(5);
    await sendCampaign(ctx, wire(id), {});
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
    expect(stored.failure_reason).toContain("not verified");
  });
});

describe("pausing and cancelling", () => {
  it("stops all but what is being handed over, and resuming sends the rest, each once", async () => {
    const { ctx, id } = await draft(400);
    const { server, waiting, taken, answerAll } = await heldServer();
    await sendCampaign(ctx, wire(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=5`);
    await until(() => waiting.length === 5);
    await pauseCampaign(ctx, wire(id));
    // What was claimed before is old by now: it is looked up again before it leaves.
    await new Promise((resolve) => setTimeout(resolve, 600));
    await until(async () => {
      answerAll();
      const [row] = await database.db.execute<{ held: number }>(sql`
        select count(*)::int as held from emails
        where campaign_id = ${id} and lease_id is not null`);
      return row?.held === 0;
    });
    expect(taken.length).toBeLessThanOrEqual(10);
    const paused = await storedCampaign(database.db, id);
    expect(paused.by_status).toEqual({ PENDING: 400 - taken.length, SENT: taken.length });
    await advance(database.db);
    await ended();
    const rest = await mailServer();
    await dispatch(rest.url);
    expect(rest.mails).toEqual([]);
    await resumeCampaign(ctx, wire(id));
    await dispatch(rest.url);
    expect(new Set([...taken, ...people(rest.mails)]).size).toBe(400);
    expect(taken.length + rest.mails.length).toBe(400);
    await database.travel("5 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      figures: { settled: 400, sent: 400 },
    });
  });

  it("does not leave the audience half chosen", async () => {
    const { ctx, id } = await draft(30);
    await sendCampaign(ctx, wire(id), {});
    await database.db.execute(sql`
      update campaigns set message_id = new_id() where id = ${id}`);
    await pauseCampaign(ctx, wire(id));
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
    const { server, waiting, taken, answerAll } = await heldServer();
    await sendCampaign(ctx, wire(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=3`);
    await until(() => waiting.length === 3);
    await cancelCampaign(ctx, wire(id));
    await new Promise((resolve) => setTimeout(resolve, 600));
    await until(async () => {
      answerAll();
      await advance(database.db);
      return !(await storedCampaign(database.db, id)).waits;
    });
    await ended();
    const stored = await storedCampaign(database.db, id);
    const failed = 40 - taken.length;
    expect(stored).toMatchObject({
      status: "CANCELLED",
      by_status: { SENT: taken.length, FAILED: failed },
      figures: { settled: 40, sent: taken.length, failed },
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
    const { server, waiting, taken, answerAll } = await heldServer();
    await sendCampaign(ctx, wire(id), {});
    await advance(database.db);
    const { ended } = startDispatcher(`${server.url}?connections=2`);
    await until(() => waiting.length === 2);
    const held = new Set(waiting.map(({ to }) => to));
    await database.db.execute(sql`
      update contacts set consent = 'unsubscribed' where project_id = ${ctx.projectId}`);
    const [claimed] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from emails where campaign_id = ${id} and lease_id is not null`);
    expect(claimed?.n).toBeGreaterThan(2);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await until(async () => {
      answerAll();
      return (await storedCampaign(database.db, id)).figures.settled === 60;
    });
    await ended();
    expect(new Set(taken)).toEqual(held);
    const events = await database.db.execute<{ data: { reason: string } }>(sql`
      select data from email_events where name = 'suppressed' and project_id = ${ctx.projectId}`);
    expect(events.map(({ data }) => data.reason)).toEqual(Array(58).fill("unsubscribed"));
    expect((await storedCampaign(database.db, id)).figures).toMatchObject({ sent: 2, failed: 58 });
  });

  it("is passed over at the claim: consent, suppression, the list's own status", async () => {
    const { ctx, id } = await draft(6);
    const [list] = await database.db
      .insert(lists)
      .values({ projectId: ctx.projectId, name: "Readers" })
      .returning({ id: lists.id });
    await database.db.execute(sql`
      insert into subscribers (id, project_id, list_id, contact_id, status, source, fields)
      select new_id(), project_id, ${list?.id}, id, 'subscribed', 'api', '{"CITY": "Graz"}'
      from contacts where project_id = ${ctx.projectId}`);
    await database.db.execute(sql`
      update campaigns set list_id = ${list?.id} where id = ${id}`);
    await sendCampaign(ctx, wire(id), {});
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
    expect(people(server.mails).toSorted()).toEqual(["p4@example.org", "p5@example.org"]);
    await database.travel("2 seconds");
    await advance(database.db);
    expect(await storedCampaign(database.db, id)).toMatchObject({
      status: "SENT",
      by_status: { SENT: 2, FAILED: 4 },
      figures: { settled: 6, sent: 2, failed: 4 },
    });
  });
});

describe("fairness", () => {
  it("a large campaign delays another project's small one by no more than what is under way", async () => {
    const bulk = await draft(3_000);
    const small = await draft(10);
    await database.db.execute(sql`
      update contacts set email = 'small-' || email where project_id = ${small.ctx.projectId}`);
    const server = await mailServer();
    await sendCampaign(bulk.ctx, wire(bulk.id), {});
    await advance(database.db);
    const { ended } = startDispatcher(server.url);
    await until(() => server.mails.length > 300, { seconds: 30 });
    await sendCampaign(small.ctx, wire(small.id), {});
    await advance(database.db);
    const started = server.mails.length;
    await until(() => people(server.mails).filter((to) => to.startsWith("small-")).length === 10, {
      seconds: 30,
    });
    const last = people(server.mails).findLastIndex((to) => to.startsWith("small-"));
    expect(last - started).toBeLessThan(800);
    await cancelCampaign(bulk.ctx, wire(bulk.id));
    await ended();
  }, 60_000);

  it("a project with many campaigns gets no more than another's one", async () => {
    const many = await draft(300);
    const single = await draft(300);
    await database.db.execute(sql`
      update contacts set email = 'one-' || email where project_id = ${single.ctx.projectId}`);
    const others = await Promise.all(
      [1, 2, 3].map(() =>
        makeCampaign(database.db, { projectId: many.ctx.projectId, fromEmail: many.fromEmail }),
      ),
    );
    expect(others).toHaveLength(3);
    await sendCampaign(many.ctx, wire(many.id), {});
    await sendCampaign(single.ctx, wire(single.id), {});
    await advance(database.db);
    const server = await mailServer();
    await dispatch(`${server.url}?connections=2`);
    expect(server.mails).toHaveLength(1_500);
    const first = people(server.mails).slice(0, 400);
    const share = first.filter((to) => to.startsWith("one-")).length / first.length;
    expect(share).toBeGreaterThan(0.4);
  }, 60_000);
});
