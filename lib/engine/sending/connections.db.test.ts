import { eq, sql } from "drizzle-orm";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { suppressions } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import {
  createConnection,
  deleteConnection,
  getConnection,
  updateConnection,
} from "@/lib/domain/connections/connections";
import type { SmtpConnectionInput } from "@/lib/domain/connections/schema";
import { updateDomain } from "@/lib/domain/sending-domains/domains";
import { testConnection } from "@/lib/engine/transports/test-connection";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { send, smtpError, storedEmail } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { freePort } from "@/db/embedded/free-port";
import { Dispatcher } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

/** Runs until the test ends; what leaves through no connection goes to `url`. */
function startDispatcher(url: string, leaseSeconds?: number) {
  const stop = new AbortController();
  const transport = smtpTransport(url);
  const dispatcher = new Dispatcher({
    db: database.db,
    transport,
    ...(leaseSeconds ? { leaseSeconds } : {}),
  });
  const running = dispatcher.run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
  return { notify: () => dispatcher.notify() };
}

let connectionsSoFar = 0;
function connect(ctx: Context, port: number, more: Partial<SmtpConnectionInput> = {}) {
  const name = `Server ${++connectionsSoFar}`;
  return createConnection(ctx, { name, kind: "smtp", host: "127.0.0.1", port, ...more });
}
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}@example.org`);

async function statuses(ctx: Context): Promise<Record<string, number>> {
  const rows = await database.db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from emails where project_id = ${ctx.projectId} group by status`);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

async function parked(ctx: Context): Promise<number> {
  const [row] = await database.db.execute<{ n: number }>(sql`
    select count(*)::int as n from email_queue
    where project_id = ${ctx.projectId} and due_at = 'infinity' and attempts = 0`);
  return row?.n ?? 0;
}

/** Lets workers try held connections now. */
async function tryNow(): Promise<void> {
  await database.db.execute(
    sql`update sending_connections set probe_at = app_now() where held_since is not null`,
  );
}

describe("mail of a project with a sending connection", () => {
  it("leaves through the standard one, that of a domain through its own, and others' as before", async () => {
    const [installation, standard, own] = [
      await mailServer(),
      await mailServer(),
      await mailServer(),
    ];
    const { ctx, domain } = await sender();
    const other = await sender();
    await connect(ctx, standard.port, { standard: true });
    startDispatcher(installation.url);
    const [id = ""] = await send(ctx, { from: `shop@${domain}` });
    await send(other.ctx, { from: `shop@${other.domain}` });
    await until(() => standard.mails.length === 1 && installation.mails.length === 1);
    await until(async () => (await storedEmail(database.db, id)).status === "SENT");
    expect(installation.mails[0]?.from).toContain(other.domain);

    const special = await connect(other.ctx, own.port);
    await updateDomain(other.ctx, encodeId("domain", other.key.id), { connectionId: special.id });
    await send(other.ctx, { from: `shop@${other.domain}`, subject: "Another message" });
    await until(() => own.mails.length === 1);
    expect(installation.mails).toHaveLength(1);
  });

  it("waits while its server is away, holds no other project's up, and leaves when it is back", async () => {
    const installation = await mailServer();
    const port = await freePort();
    const { ctx, domain } = await sender();
    const other = await sender();
    const { id } = await connect(ctx, port, { standard: true });
    startDispatcher(installation.url);
    await send(ctx, { from: `shop@${domain}`, to: people(100) });
    await until(async () => (await getConnection(ctx, id)).state.name === "unreachable");
    await until(async () => (await parked(ctx)) === 100);
    await send(other.ctx, { from: `shop@${other.domain}`, to: people(100) });
    await until(() => installation.mails.length === 100);
    expect(await statuses(ctx)).toEqual({ PENDING: 100 });
    expect((await getConnection(ctx, id)).state.words).toMatch(/ECONNREFUSED/);

    const back = await mailServer({}, port);
    await tryNow();
    await until(async () => (await statuses(ctx))["SENT"] === 100, { seconds: 20 });
    expect(back.mails).toHaveLength(100);
    expect((await getConnection(ctx, id)).state).toEqual({
      name: "working",
      since: null,
      words: null,
      perMinute: null,
    });
    expect(installation.mails).toHaveLength(100);
  });

  it("waits for the right password, its owners are told once, and a change of it sends all", async () => {
    const installation = await mailServer();
    const { ctx, domain } = await sender();
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _, callback) {
        if (password === "right") callback(null, { user: username });
        else callback(smtpError(535, "5.7.8 Bad credentials"));
      },
    });
    const { id } = await connect(ctx, server.port, {
      standard: true,
      tls: "opportunistic",
      user: "mail",
      password: "wrong",
    });
    startDispatcher(installation.url);
    await send(ctx, { from: `shop@${domain}`, to: people(30) });
    await until(async () => (await getConnection(ctx, id)).state.name === "refused");
    await until(async () => (await parked(ctx)) === 30);
    await tryNow();
    const letters = async () => {
      const rows = await database.db.execute<{ raw: Buffer }>(sql`
        select raw from captured_emails where reader_user_id = ${ctx.actor.id}`);
      const texts = await Promise.all(
        rows.map(async ({ raw }) => (await PostalMime.parse(raw)).text),
      );
      return texts.filter((text) => text?.includes("Bad credentials"));
    };
    await until(async () => (await letters()).length === 1);
    expect(await testConnection(ctx, id)).toMatchObject({
      ok: false,
      words: expect.stringContaining("535 5.7.8 Bad credentials"),
    });
    expect(await statuses(ctx)).toEqual({ PENDING: 30 });
    const suppressed = await database.db
      .select()
      .from(suppressions)
      .where(eq(suppressions.projectId, ctx.projectId));
    expect(suppressed).toEqual([]);

    await updateConnection(ctx, id, { password: "right" });
    await until(async () => (await statuses(ctx))["SENT"] === 30, { seconds: 20 });
    expect(installation.mails).toEqual([]);
    expect(await testConnection(ctx, id)).toMatchObject({ ok: true });
    expect(await letters()).toHaveLength(1);
  });

  it("leaves through the fallback while the first is away", async () => {
    const [installation, second] = [await mailServer(), await mailServer()];
    const { ctx, domain } = await sender();
    const fallback = await connect(ctx, second.port);
    await connect(ctx, await freePort(), { standard: true, fallbackId: fallback.id });
    startDispatcher(installation.url);
    await send(ctx, { from: `shop@${domain}`, to: people(60) });
    await until(() => second.mails.length === 60);
    await until(async () => (await statuses(ctx))["SENT"] === 60);
    expect(new Set(second.mails.flatMap(({ to }) => to)).size).toBe(60);
  });

  it("is slowed alone when its server asks for less, and all of it is tried again", async () => {
    const installation = await mailServer();
    const { ctx, domain } = await sender();
    const other = await sender();
    const server = await mailServer({
      onMailFrom(_address, _session, callback) {
        callback(smtpError(451, "4.7.0 Too much mail"));
      },
    });
    const { id } = await connect(ctx, server.port, { standard: true });
    startDispatcher(installation.url);
    await send(ctx, { from: `shop@${domain}`, to: people(40) });
    await until(async () => (await getConnection(ctx, id)).state.name === "throttled");
    await send(other.ctx, { from: `shop@${other.domain}`, to: people(100) });
    await until(() => installation.mails.length === 100);
    expect(await statuses(ctx)).toEqual({ PENDING: 40 });
    expect((await getConnection(ctx, id)).state).toMatchObject({
      words: expect.stringContaining("4.7.0 Too much mail"),
      perMinute: expect.any(Number),
    });
    const [waiting] = await database.db.execute<{ soon: number }>(sql`
      select count(*) filter (where due_at < app_now() + interval '20 minutes')::int as soon
      from email_queue where project_id = ${ctx.projectId}`);
    expect(waiting?.soon).toBe(40);
  });

  it("that never answers keeps no place from others", async () => {
    const installation = await mailServer();
    const { ctx, domain } = await sender();
    const other = await sender();
    const open: (() => void)[] = [];
    let answering = false;
    const server = await mailServer({
      onData(stream, _session, callback) {
        stream.resume();
        stream.on("end", () => (answering ? callback() : open.push(() => callback())));
      },
    });
    await connect(ctx, server.port, { standard: true, sessions: 20 });
    startDispatcher(installation.url);
    for (let round = 0; round < 3; round++) {
      await send(ctx, { from: `shop@${domain}`, to: people(100), subject: `Round ${round}` });
    }
    await until(() => open.length >= 20);
    await send(other.ctx, { from: `shop@${other.domain}`, to: people(100) });
    const started = performance.now();
    await until(() => installation.mails.length === 100);
    expect(performance.now() - started).toBeLessThan(5_000);
    answering = true;
    for (const answer of open) answer();
    await until(async () => (await statuses(ctx))["SENT"] === 300, { seconds: 20 });
  });

  it("goes on through the installation's server once its connection is deleted", async () => {
    const installation = await mailServer();
    const { ctx, domain } = await sender();
    const { id } = await connect(ctx, await freePort(), { standard: true });
    startDispatcher(installation.url);
    await send(ctx, { from: `shop@${domain}`, to: people(5) });
    await until(async () => (await parked(ctx)) === 5);
    await deleteConnection(ctx, id);
    await until(() => installation.mails.length === 5, { seconds: 10 });
  });
});
