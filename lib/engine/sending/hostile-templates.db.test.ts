import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send } from "@/lib/testing/delivery";
import { loopDuring } from "@/lib/testing/loop-during";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer } = useMailServers(database);

/** Sixty turns of an array pushed into itself: 2^60 steps, in what no limit of Liquid counts. */
const bomb = (n: number) =>
  `{% assign a = "" | split: "," | push: "${n}" %}{% for i in (1..60) %}{% assign a = a | push: a %}{% endfor %}{{ a | append: "!" }}`;

const failedMail = (projectId: string) =>
  database.db.execute<{ id: string; data: { reason: string } }>(sql`
    select e.id, v.data from emails e join email_events v on v.email_id = e.id
    where e.project_id = ${projectId} and e.status = 'FAILED' and v.name = 'failed'`);

it("mail that would never end FAILS, and a neighbour's is there within a second", async () => {
  const [attacker, neighbour] = [await sender(), await sender()];
  const server = await mailServer();
  const key = { ...attacker.ctx, sendingOnly: true };
  const from = `shop@${attacker.domain}`;
  const bombs: string[] = [];
  for (let n = 0; n < 100; n++) {
    bombs.push(...(await send(key, { from, to: "x@example.org", subject: bomb(n), body: "x" })));
  }
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(server.url) });
  const stop = new AbortController();
  const running = dispatcher.run(stop.signal);
  const arrived = (address: string) =>
    until(() => server.mails.some(({ to }) => to[0] === address));
  const sendTo = (to: string) =>
    send(neighbour.ctx, { from: `shop@${neighbour.domain}`, to, body: "<p>Hi {{ email }}</p>" });
  const failed = () => failedMail(attacker.ctx.projectId);
  await until(async () => (await failed()).length > 0, { seconds: 30 });
  for (let turn = 0; turn < 3; turn++) {
    const started = performance.now();
    await sendTo(`n${turn}@example.org`);
    dispatcher.notify();
    await arrived(`n${turn}@example.org`);
    expect(performance.now() - started).toBeLessThan(1_000);
  }
  const rows = await failed();
  expect(rows.length).toBeLessThan(bombs.length);
  expect(JSON.stringify(rows[0]?.data)).toContain("takes too much time to render");
  const stopped = performance.now();
  stop.abort();
  await running;
  // What waits for a thread is given back, not waited for.
  expect(performance.now() - stopped).toBeLessThan(10_000);
}, 60_000);

it("a campaign that cannot be rendered for one person after the other is paused, with the reason", async () => {
  const { ctx, key, domain } = await sender();
  const server = await mailServer();
  const people = Array.from({ length: 150 }, (_, n) => ({ email: `p${n}@example.org` }));
  await sendingCampaign(ctx, { id: key.id, name: domain }, people, { subject: bomb(0) });
  const stop = new AbortController();
  const running = new Dispatcher({
    db: database.db,
    transport: smtpTransport(server.url),
    concurrency: 4,
  }).run(stop.signal);
  const paused = await until(
    async () => {
      const [row] = await database.db.execute<{ status: string; failure_reason: string }>(sql`
        select status, failure_reason from campaigns where project_id = ${ctx.projectId}`);
      return row?.status === "PAUSED" ? row : null;
    },
    { seconds: 50 },
  );
  stop.abort();
  await running;
  expect(paused.failure_reason).toContain("cannot be rendered");
  expect(paused.failure_reason).toContain("takes too much time to render");
  const [row] = await database.db.execute<{ failed: number; waiting: number }>(sql`
    select count(*) filter (where status = 'FAILED')::int as failed,
      count(*) filter (where status = 'PENDING' and email_queue.due_at is not null)::int as waiting
    from emails left join email_queue on email_id = id
    where emails.project_id = ${ctx.projectId}`);
  // Those that had been started: 64 may wait for a thread beside the four under way.
  expect(row?.failed).toBeLessThan(100);
  expect(row?.waiting).toBe(150 - (row?.failed ?? 0));
}, 60_000);

it("a megabyte of variables for each of a hundred people leaves a neighbour's mail its turn", async () => {
  const [attacker, neighbour] = [await sender(), await sender()];
  const server = await mailServer();
  const to = Array.from({ length: 100 }, (_, n) => `x${n}@example.org`);
  const data = { x: "x".repeat(1_000_000), list: ["a"] };
  const body = "{% for one in list %}<p>{{ one }} {{ x | size }} {{ email }}</p>{% endfor %}";
  const from = `shop@${attacker.domain}`;
  for (let turn = 0; turn < 2; turn++) await send(attacker.ctx, { from, to, body, data });
  const stop = new AbortController();
  const running = new Dispatcher({
    db: database.db,
    transport: smtpTransport(server.url),
  }).run(stop.signal);
  const arrived = (address: string) => server.mails.filter((mail) => mail.to[0] === address).length;
  const loop = await loopDuring(async () => {
    await until(() => arrived("x0@example.org") > 0, { seconds: 30 });
    await send(neighbour.ctx, { from: `shop@${neighbour.domain}`, to: "n@example.org" });
    const before = server.mails.length;
    await until(() => arrived("n@example.org") > 0, { seconds: 30 });
    // What was under way, whose share of the time is as large on a slow machine.
    expect(server.mails.length - before).toBeLessThan(100);
    await until(
      async () =>
        server.mails.length > 200 || (await failedMail(attacker.ctx.projectId)).length > 0,
      { seconds: 90, everyMilliseconds: 100 },
    );
  });
  expect(await failedMail(attacker.ctx.projectId)).toEqual([]);
  expect(server.mails.length).toBe(201);
  expect(loop).toBeLessThan(200);
  expect(server.mails.find((mail) => mail.to[0] === "x7@example.org")?.raw.toString()).toContain(
    "a 1000000 x7@example.org",
  );
  stop.abort();
  await running;
}, 150_000);
