import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { SMTPServerOptions } from "smtp-server";
import { useTestDatabase } from "@/db/testing";
import { createConnection, getConnection } from "@/lib/domain/connections/connections";
import type { Context } from "@/lib/ground/context";
import { send, smtpError } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { freePort } from "@/db/embedded/free-port";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

function startDispatcher(url: string) {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url) });
  const running = dispatcher.run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
}

async function statuses(ctx: Context): Promise<Record<string, number>> {
  const rows = await database.db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from emails where project_id = ${ctx.projectId} group by status`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

/** Lets what waits for a later try be tried now. */
async function dueNow(ctx: Context): Promise<void> {
  await database.db.execute(sql`
    update email_queue set due_at = app_now()
    where project_id = ${ctx.projectId} and due_at < 'infinity' and lease_id is null`);
  await database.db.execute(sql`notify emails_due`);
}

test.each([
  ["each sender", 451, "4.7.0 Too much mail"],
  ["each session", 421, "4.7.0 Try again later"],
])(
  "a server that tells %s %i gets less, its fallback takes over, and it has its mail back when it accepts",
  async (_, code, words) => {
    let busy = true;
    const refuseSender: SMTPServerOptions["onMailFrom"] = (_address, _session, callback) =>
      callback(busy ? smtpError(code, words) : null);
    const [installation, second] = [await mailServer(), await mailServer()];
    const first = await mailServer({ onMailFrom: refuseSender });
    const { ctx, domain } = await sender();
    const at = { kind: "smtp" as const, host: "127.0.0.1" };
    const fallback = await createConnection(ctx, { ...at, name: "Second", port: second.port });
    const { id } = await createConnection(ctx, {
      ...{ ...at, name: "First", port: first.port },
      ...{ standard: true, fallbackId: fallback.id },
    });
    startDispatcher(installation.url);
    let soFar = 0;
    const sendMany = (count: number) =>
      send(ctx, {
        from: `shop@${domain}`,
        to: Array.from({ length: count }, () => `p${soFar++}@example.org`),
      });

    await sendMany(20);
    await until(async () => (await getConnection(ctx, id)).state.name === "throttled", {
      seconds: 20,
    });
    await sendMany(60);
    await until(() => second.mails.length >= 50, { seconds: 20 });
    // What the first one put off is nobody's failure, and leaves through the second when it is tried again.
    await until(
      async () => {
        await dueNow(ctx);
        return (await statuses(ctx))["SENT"] === 80;
      },
      { seconds: 40, everyMilliseconds: 500 },
    );
    expect(first.mails).toEqual([]);
    expect(installation.mails).toEqual([]);

    busy = false;
    await until(
      async () => {
        await sendMany(5);
        return first.mails.length > 2;
      },
      { seconds: 60, everyMilliseconds: 1_000 },
    );
    await until(
      async () => {
        await dueNow(ctx);
        return (await statuses(ctx))["PENDING"] === undefined;
      },
      { seconds: 20, everyMilliseconds: 500 },
    );
    expect(await statuses(ctx)).toEqual({ SENT: soFar });
    const got = [...first.mails, ...second.mails].flatMap(({ to }) => to);
    expect(got).toHaveLength(soFar);
    expect(new Set(got).size).toBe(soFar);
  },
  120_000,
);

test("mail waits for a fallback that asks for less, and not for a first server that stays away", async () => {
  let busy = true;
  const installation = await mailServer();
  const second = await mailServer({
    onMailFrom: (_address, _session, callback) =>
      callback(busy ? smtpError(451, "4.7.0 Too much mail") : null),
  });
  const { ctx, domain } = await sender();
  const at = { kind: "smtp" as const, host: "127.0.0.1" };
  const fallback = await createConnection(ctx, { ...at, name: "Second", port: second.port });
  await createConnection(ctx, {
    ...{ ...at, name: "First", port: await freePort() },
    ...{ standard: true, fallbackId: fallback.id },
  });
  startDispatcher(installation.url);
  await send(ctx, {
    from: `shop@${domain}`,
    to: Array.from({ length: 40 }, (_, index) => `p${index}@example.org`),
  });
  await until(async () => (await getConnection(ctx, fallback.id)).state.name === "throttled", {
    seconds: 20,
  });
  await until(async () => {
    const [row] = await database.db.execute<{ waiting: number }>(sql`
      select count(*)::int as waiting from email_queue
      where project_id = ${ctx.projectId} and asleep and lease_id is null`);
    return row?.waiting === 40;
  });
  busy = false;
  await until(
    async () => {
      await dueNow(ctx);
      return (await statuses(ctx))["PENDING"] === undefined;
    },
    { seconds: 40, everyMilliseconds: 500 },
  );
  expect(await statuses(ctx)).toEqual({ SENT: 40 });
  expect(new Set(second.mails.flatMap(({ to }) => to)).size).toBe(40);
  expect(installation.mails).toEqual([]);
}, 120_000);
