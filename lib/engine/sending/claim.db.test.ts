import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { recordStatements } from "@/db/testing/statements";
import { Dispatcher } from "./dispatcher";
import { claimEmails, claimSuspect } from "./claim";
import { recheckClaims, releaseEmails, renewLeases } from "./leases";
import { readReturnPath } from "@/lib/mail/return-path";
import { makeProject } from "@/lib/testing";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, storedEmail } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";

const database = useTestDatabase();
const { sender, mailServer, dispatch } = useMailServers(database);

describe("the claim", () => {
  it("puts transactional mail before campaign mail, and no project behind another's bulk", async () => {
    const [bulk, small] = [await sender(), await sender()];
    const server = await mailServer();
    await sendingCampaign(
      bulk.ctx,
      { id: bulk.key.id, name: bulk.domain },
      Array.from({ length: 50 }, (_, index) => ({ email: `c${index}@example.org` })),
      { html: "<p>News</p>" },
    );
    for (let request = 0; request < 3; request++) {
      await send(bulk.ctx, {
        from: `shop@${bulk.domain}`,
        to: Array.from({ length: 100 }, (_, index) => `b${request}-${index}@example.org`),
      });
    }
    await send(small.ctx, {
      from: `shop@${small.domain}`,
      to: Array.from({ length: 5 }, (_, index) => `s${index}@example.org`),
    });
    await dispatch(`${server.url}?connections=1`);
    const order = server.mails.map(({ to }) => to[0] ?? "");
    expect(order).toHaveLength(355);
    const lastSmall = order.findLastIndex((address) => address.startsWith("s"));
    expect(lastSmall).toBeLessThan(250);
    // Nothing overtakes by more than what is under way at once.
    const firstCampaign = order.findIndex((address) => address.startsWith("c"));
    expect(firstCampaign).toBeGreaterThan(305 - 48);
  });

  it("of several dispatchers at once gives each email to one", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const ids: string[] = [];
    for (let request = 0; request < 5; request++) {
      ids.push(
        ...(await send(ctx, {
          from: `shop@${domain}`,
          to: Array.from({ length: 100 }, (_, index) => `p${request}-${index}@example.org`),
        })),
      );
    }
    await Promise.all([1, 2, 3, 4].map(() => dispatch(server.url)));
    expect(server.mails).toHaveLength(500);
    expect(new Set(server.mails.map(({ from }) => readReturnPath(from)))).toEqual(new Set(ids));
  });

  it("ends what a reader reported although no worker lived to write down that it was sent", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    await database.db.execute(sql`
      with reported as (
        update emails set status = 'OPENED', delivered_at = app_now() where id = ${id}
      ) update email_queue set attempts = 1, lease_id = new_id(),
        lease_until = app_now() - interval '2 minutes' where email_id = ${id}`);
    await dispatch(server.url);
    expect(server.mails).toEqual([]);
    const stored = await storedEmail(database.db, id);
    expect(stored).toMatchObject({ status: "OPENED", waits: false, claimed: false, events: [] });
    expect(stored.sent_at).not.toBeNull();
    const [figures] = await database.db.execute(sql`
      select settled, sent, failed from hourly_figures where project_id = ${ctx.projectId}`);
    expect(figures).toMatchObject({ settled: 1, sent: 1, failed: 0 });
  });

  it("is given back on stop, what is under way is finished first", async () => {
    const { ctx, domain } = await sender();
    const waiting: (() => void)[] = [];
    const server = await mailServer({
      onData(stream, _, callback) {
        stream.resume();
        stream.on("end", () => waiting.push(() => callback()));
      },
    });
    const ids = await send(ctx, {
      from: `shop@${domain}`,
      to: Array.from({ length: 20 }, (_, index) => `p${index}@example.org`),
    });
    const stop = new AbortController();
    const running = new Dispatcher({
      db: database.db,
      transport: smtpTransport(`${server.url}?connections=2`),
      concurrency: 2,
    }).run(stop.signal);
    await until(() => waiting.length === 2);
    stop.abort();
    await until(async () => {
      const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
      return emails.filter(({ claimed }) => claimed).length === 2;
    });
    for (const answer of waiting) answer();
    const summary = await running;
    expect(summary.recorded).toBe(2);
    const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
    expect(emails.filter(({ status }) => status === "SENT")).toHaveLength(2);
    expect(emails.filter((one) => one.waits && !one.claimed && one.attempts === 0)).toHaveLength(
      18,
    );
    const rest = await mailServer();
    await dispatch(rest.url);
    expect(rest.mails).toHaveLength(18);
  });

  it("is renewed while a server takes its time, and nobody else sends meanwhile", async () => {
    const { ctx, domain } = await sender();
    const answers: (() => void)[] = [];
    const slow = await mailServer({
      onData(stream, _, callback) {
        stream.resume();
        stream.on("end", () => answers.push(() => callback()));
      },
    });
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    const stop = new AbortController();
    const running = new Dispatcher({
      db: database.db,
      transport: smtpTransport(slow.url),
      leaseSeconds: 1,
    }).run(stop.signal);
    await until(() => answers.length === 1);
    const other = await mailServer();
    const started = performance.now();
    while (performance.now() - started < 2_500) {
      expect((await dispatch(other.url)).recorded).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    answers[0]?.();
    await until(async () => (await storedEmail(database.db, id)).status === "SENT");
    stop.abort();
    await running;
    expect(other.mails).toEqual([]);
  });
});

describe("mail that workers die with", () => {
  it("is claimed apart after the second time, and ends FAILED after the fifth without its neighbours", async () => {
    const { ctx, domain } = await sender();
    const to = Array.from({ length: 10 }, (_, index) => `p${index}@example.org`);
    const [deadly = "", ...neighbours] = await send(ctx, { from: `shop@${domain}`, to });
    const die = async () => {
      const { emails } = await claimEmails(database.db, { limit: 100, leaseSeconds: 60 });
      await database.travel("3 minutes");
      return emails.length;
    };
    expect([await die(), await die(), await die()]).toEqual([10, 10, 0]);
    await database.db.execute(sql`
      update email_queue set lease_until = lease_until + interval '1 hour'
      where email_id = any(${sql.param(neighbours)}::uuid[])`);
    for (let time = 3; time <= 5; time++) {
      const { emails } = await claimSuspect(database.db, { leaseSeconds: 60 });
      expect(emails.map(({ id }) => id)).toEqual([deadly]);
      await database.travel("3 minutes");
    }
    const server = await mailServer();
    await dispatch(server.url);
    expect(server.mails).toHaveLength(0);
    const ended = await storedEmail(database.db, deadly);
    expect(ended).toMatchObject({ status: "FAILED", waits: false, claimed: false });
    expect(ended.events).toMatchObject([{ name: "failed", data: { reasonCode: "unfinished" } }]);
    await database.travel("1 hour");
    await dispatch(server.url);
    expect(server.mails.map(({ to: [address = ""] }) => address).toSorted()).toEqual(to.slice(1));
    const rest = await Promise.all(neighbours.map((id) => storedEmail(database.db, id)));
    expect(rest.every(({ status }) => status === "SENT")).toBe(true);
    const [figures] = await database.db.execute(sql`
      select sum(settled)::int as settled, sum(sent)::int as sent, sum(failed)::int as failed
      from hourly_figures where project_id = ${ctx.projectId}`);
    expect(figures).toMatchObject({ settled: 10, sent: 9, failed: 1 });
  });

  it("is like any other after one death, and after it was given back", async () => {
    const { ctx, domain } = await sender();
    const to = Array.from({ length: 3 }, (_, index) => `p${index}@example.org`);
    await send(ctx, { from: `shop@${domain}`, to });
    const claim = () => claimEmails(database.db, { limit: 100, leaseSeconds: 60 });
    await claim();
    for (let round = 0; round < 4; round++) {
      await database.travel("3 minutes");
      const { emails } = await claim();
      expect(emails).toHaveLength(3);
      await releaseEmails(database.db, emails);
      expect((await claim()).emails).toHaveLength(3);
    }
    await database.travel("3 minutes");
    const server = await mailServer();
    await dispatch(server.url);
    expect(server.mails).toHaveLength(3);
  });
});

describe("a database that goes away", () => {
  it("again and again, in the middle of 600 mails, loses none", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const ids: string[] = [];
    for (let request = 0; request < 6; request++) {
      const to = Array.from({ length: 100 }, (_, index) => `p${request}-${index}@example.org`);
      ids.push(...(await send(ctx, { from: `shop@${domain}`, to })));
    }
    const stop = new AbortController();
    const own = connect(database.url, { name: "interrupted", max: 4 });
    const dispatcher = new Dispatcher({ db: own, transport: smtpTransport(server.url) });
    const running = dispatcher.run(stop.signal);
    for (const mails of [50, 100, 150, 200]) {
      await until(() => server.mails.length >= mails, { seconds: 30 });
      await database.db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'interrupted' and datname = current_database()
          and backend_start < now() - interval '0.2 seconds'`);
    }
    await until(
      async () => {
        // What a claim held whose answer never came is due again when its lease ends.
        await database.travel("2 minutes");
        const [row] = await database.db.execute<{ sent: number }>(sql`
        select count(*)::int as sent from emails
        where status = 'SENT' and project_id = ${ctx.projectId}`);
        return row?.sent === ids.length;
      },
      { seconds: 30 },
    );
    stop.abort();
    await running;
    await own.$client.end({ timeout: 1 });
    expect(new Set(server.mails.map(({ from }) => readReturnPath(from)))).toEqual(new Set(ids));
  }, 60_000);
});

it("claims and leases are taken by the statements that stand beside this test", async () => {
  const { ctx } = await makeProject(database.db);
  await database.db.execute(sql`truncate emails, email_queue cascade`);
  await send(ctx, { from: "shop@sandbox.test", to: "ada@sandbox.test" });
  const text = await recordStatements(
    database.url,
    async (db) => {
      const { emails } = await claimEmails(db, { limit: 10, leaseSeconds: 60 });
      await renewLeases(db, emails, 60);
      await recheckClaims(db, emails);
      await releaseEmails(db, emails);
    },
    /./,
  );
  await expect(text).toMatchFileSnapshot("./claim.sql");
});
