import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { connect, type Database } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { confirmAppSecret } from "@/lib/ground/installation";
import { send, storedEmail } from "@/lib/testing/delivery";
import { openGate } from "@/lib/testing/gate";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher, type DispatcherOptions } from "./dispatcher";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs until the test ends, or is told to stop. */
function startDispatcher(url: string, options: Partial<DispatcherOptions> = {}) {
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(url), ...options });
  const running = dispatcher.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  stops.unshift(end);
  return { notify: () => dispatcher.notify(), end };
}

/** A server that keeps its answers to what it took until they are asked for; copies are counted. */
async function holdingServer() {
  const held: (() => void)[] = [];
  const copies = new Map<string, number>();
  const state = { holds: true };
  const server = await mailServer({
    onData(stream, { envelope }, callback) {
      stream.resume();
      stream.on("end", () => {
        const to = envelope.rcptTo[0]?.address ?? "";
        copies.set(to, (copies.get(to) ?? 0) + 1);
        if (state.holds) held.push(() => callback());
        else callback();
      });
    },
  });
  return {
    url: server.url,
    copies,
    held,
    answer: () => {
      state.holds = false;
      for (const answer of held.splice(0)) answer();
    },
  };
}

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}@example.org`);

async function allSent(ids: string[]): Promise<boolean> {
  const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
  return emails.every(({ status }) => status === "SENT");
}

/** Postgres takes no result until the function that is returned is called. */
async function refuseResults(): Promise<() => Promise<void>> {
  await database.db.execute(sql`
    create function refuse_results() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$`);
  await database.db.execute(sql`
    create trigger refuse_results before update of sent_at on emails for each row
    when (new.sent_at is not null) execute function refuse_results()`);
  return async () => {
    await database.db.execute(sql`drop function refuse_results cascade`);
  };
}

describe("a result that Postgres does not take", () => {
  it("is kept, with its lease, and recorded before anything more is claimed", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    const accept = await refuseResults();
    const dispatcher = startDispatcher(server.url, { leaseSeconds: 1 });
    const first = await send(ctx, { from: `shop@${domain}`, to: people(2) });
    dispatcher.notify();
    await until(() => server.mails.length === 2);
    const refused = performance.now();
    const second = await send(ctx, { from: `shop@${domain}`, to: "later@example.org" });
    dispatcher.notify();
    await until(() => performance.now() - refused > 4_000);
    expect(server.mails).toHaveLength(2);
    await accept();
    await until(async () => (await allSent(first)) && (await allSent(second)));
    expect(server.mails.map(({ to }) => to[0]).toSorted()).toEqual([
      "later@example.org",
      ...people(2),
    ]);
  });

  it("nor its words takes along no other's, and is recorded without them", async () => {
    const { ctx, domain } = await sender();
    const server = await mailServer();
    await database.db.execute(sql`
      create function refuse_words() returns trigger language plpgsql as
      $$ begin raise exception 'bad text' using errcode = '22021'; end $$`);
    await database.db.execute(sql`
      create trigger refuse_words before insert on email_events for each row
      when (new.data ->> 'response' is not null) execute function refuse_words()`);
    stops.push(async () => {
      await database.db.execute(sql`drop function refuse_words cascade`);
    });
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(3) });
    startDispatcher(server.url);
    await until(() => allSent(ids));
    expect(server.mails).toHaveLength(3);
    const email = await storedEmail(database.db, ids[0] ?? "");
    expect(email.events).toMatchObject([{ name: "sent", data: { code: 250 } }]);
  });
});

describe("mail in flight", () => {
  /** A pool of its own that passes a gate. */
  async function gatedDatabase(): Promise<{
    db: Database;
    gate: Awaited<ReturnType<typeof openGate>>;
  }> {
    const url = new URL(database.url);
    const gate = await openGate(Number(url.port));
    url.port = String(gate.port);
    const db = connect(url.href, { name: "gated", max: 4 });
    stops.push(async () => {
      gate.stop();
      await db.$client.end({ timeout: 1 });
    });
    return { db, gate };
  }

  it("while the database is away for several leases is sent once, however many workers come back", async () => {
    const { ctx, domain } = await sender();
    const server = await holdingServer();
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(10) });
    const leaseSeconds = 4;
    const mine = await gatedDatabase();
    startDispatcher(server.url, { db: mine.db, leaseSeconds });
    await until(() => server.held.length === 10);
    const others = [await gatedDatabase(), await gatedDatabase(), await gatedDatabase()];
    for (const { db } of others) startDispatcher(server.url, { db, leaseSeconds });
    const gates = [mine, ...others].map(({ gate }) => gate);
    const away = performance.now();
    for (const gate of gates) gate.shut();
    server.answer();
    await until(() => performance.now() - away > 9_000);
    for (const gate of gates) gate.open();
    await until(() => allSent(ids), { seconds: 20 });
    expect([...server.copies.values()]).toEqual(people(10).map(() => 1));
  }, 40_000);

  it("is finished and recorded once after SIGTERM, though the server takes 20 s to answer", async () => {
    const { ctx, domain } = await sender();
    const server = await holdingServer();
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(10) });
    const stopped = startDispatcher(server.url);
    await until(() => server.held.length === 10);
    const ending = stopped.end();
    startDispatcher(server.url);
    const asked = performance.now();
    await until(() => performance.now() - asked > 20_000, { seconds: 30 });
    server.answer();
    await ending;
    expect(await allSent(ids)).toBe(true);
    expect([...server.copies.values()]).toEqual(people(10).map(() => 1));
  }, 60_000);

  it("is all that a worker finishes after SIGTERM: what waits for a session is given back", async () => {
    const { ctx, domain } = await sender();
    const server = await holdingServer();
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(10) });
    const stopped = startDispatcher(`${server.url}?connections=2`);
    await until(() => server.held.length === 2);
    const ending = stopped.end();
    server.answer();
    await ending;
    expect(server.copies.size).toBe(2);
    const emails = await Promise.all(ids.map((id) => storedEmail(database.db, id)));
    expect(emails.filter(({ status }) => status === "SENT")).toHaveLength(2);
    expect(
      emails.filter(({ waits, claimed, attempts }) => waits && !claimed && attempts === 0),
    ).toHaveLength(8);
    startDispatcher(server.url);
    await until(() => allSent(ids));
    expect([...server.copies.values()]).toEqual(people(10).map(() => 1));
  });

  it("of a worker that is killed with -9 goes on with another within 15 s", async () => {
    await confirmAppSecret(database.db);
    const { ctx, domain } = await sender();
    const dead = await holdingServer();
    const worker = spawn(process.execPath, ["--import", "tsx", "bin/worker.ts"], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: database.url, MAIL_TRANSPORT: dead.url },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    const ids = await send(ctx, { from: `shop@${domain}`, to: people(5) });
    await until(() => dead.held.length === 5, { seconds: 30 });
    const living = await mailServer();
    startDispatcher(living.url);
    worker.kill("SIGKILL");
    await ended;
    dead.answer();
    await until(() => living.mails.length === 5, { seconds: 15 });
    await until(() => allSent(ids));
  }, 60_000);
});
