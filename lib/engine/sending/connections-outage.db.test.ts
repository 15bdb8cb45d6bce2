import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { freePort } from "@/db/embedded/free-port";
import { useTestDatabase } from "@/db/testing";
import { createConnection } from "@/lib/domain/connections/connections";
import { updateDomain } from "@/lib/domain/sending-domains/domains";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { send, verifiedDomain } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";

/* What leaves through sending connections while the installation's own mail server is away. */

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
  return dispatcher;
}

const statuses = async (ctx: Context) => {
  const rows = await database.db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from emails where project_id = ${ctx.projectId} group by status`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
};
/** Lets what waits for a later try be tried now. */
const dueNow = () =>
  database.db.execute(sql`
    update email_queue set due_at = app_now() where asleep and due_at < 'infinity'`);
const people = (count: number, name = "p") =>
  Array.from({ length: count }, (_, index) => `${name}${index}@example.org`);

test("mail of projects with servers of their own leaves, all other mail waits without a try, and leaves when it is back", async () => {
  const port = await freePort();
  const own = await mailServer();
  const [mine, other] = [await sender(), await sender()];
  const { id } = await createConnection(mine.ctx, {
    ...{ name: "Own", kind: "smtp", host: "127.0.0.1", port: own.port },
  });
  const domainId = encodeId("domain", mine.key.id);
  await updateDomain(mine.ctx, domainId, { connectionId: id });
  // The same project has a domain that sends through the installation's server.
  const through = `through.${mine.domain}`;
  const throughKey = await verifiedDomain(database.db, mine.ctx.projectId, through);

  const dispatcher = startDispatcher(`smtp://127.0.0.1:${port}`);
  await send(other.ctx, { from: `shop@${other.domain}`, to: people(30) });
  await send(mine.ctx, { from: `shop@${through}`, to: people(5) });
  await sendingCampaign(
    mine.ctx,
    { id: throughKey.id, name: through },
    people(40, "reader").map((email) => ({ email })),
    { html: "<p>News</p>" },
  );
  dispatcher.notify();
  await until(async () => {
    const [row] = await database.db.execute<{ told: boolean }>(
      sql`select exists (select from workers where mail_server ->> 'state' = 'unavailable') as told`,
    );
    return row?.told === true;
  });

  for (let round = 1; round <= 3; round++) {
    await send(mine.ctx, { from: `shop@${mine.domain}`, to: people(20, `round${round}-`) });
    dispatcher.notify();
    await until(() => own.mails.length === 20 * round, { seconds: 20 });
  }
  expect(await statuses(other.ctx)).toEqual({ PENDING: 30 });
  const waiting = async () => {
    const [row] = await database.db.execute<{ mails: number; attempts: number }>(sql`
      select count(*)::int as mails, coalesce(sum(attempts), 0)::int as attempts
      from email_queue where lease_id is null`);
    return row;
  };
  await until(async () => (await waiting())?.mails === 75);
  expect(await waiting()).toEqual({ mails: 75, attempts: 0 });

  const back = await mailServer({}, port);
  await until(
    async () => {
      await dueNow();
      return back.mails.length >= 75;
    },
    { seconds: 40, everyMilliseconds: 500 },
  );
  await until(async () => (await statuses(mine.ctx))["PENDING"] === undefined);
  await until(async () => (await statuses(other.ctx))["PENDING"] === undefined);
  expect(new Set(back.mails.map(({ from, to }) => `${from.split("@")[1]} ${to[0]}`)).size).toBe(75);
  expect(back.mails).toHaveLength(75);
  expect(own.mails).toHaveLength(60);
}, 120_000);
