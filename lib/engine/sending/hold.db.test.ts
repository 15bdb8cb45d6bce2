import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { startDatabaseProxy } from "@/lib/testing/database-proxy";
import { send } from "@/lib/testing/delivery";
import { smtpTransport, useMailServers } from "@/lib/testing/mail-servers";
import { until } from "@/lib/testing/until";
import { Dispatcher } from "./dispatcher";
import {
  endHold,
  findHold,
  holdMail,
  releaseProject,
  waitingMail,
} from "@/lib/domain/sending-state/hold";
import { getSendingState } from "@/lib/domain/sending-state/read";
import { sendingCampaign } from "@/lib/testing/campaign-mail";
import { Witness } from "./witness";

const database = useTestDatabase();
const { sender, mailServer, stops } = useMailServers(database);

it("a database restored from a backup sends nothing again until somebody lets it go on", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-witness-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const { ctx, domain } = await sender();
  const server = await mailServer();
  const work = () => {
    const stop = new AbortController();
    const dispatcher = new Dispatcher({
      db: database.db,
      transport: smtpTransport(server.url),
      witnessFile: join(folder, "witness.json"),
    });
    const running = dispatcher.run(stop.signal);
    const end = async () => {
      stop.abort();
      await running;
    };
    stops.unshift(end);
    return { notify: () => dispatcher.notify(), end };
  };
  const beats = async () => {
    const [row] = await database.db.execute<{ beats: number }>(sql`
      select value::int as beats from installation where key like 'witness/%'`);
    return row?.beats ?? 0;
  };
  const before = work();
  await until(async () => (await beats()) >= 2);
  // The backup: its counts, and mail that it believes to wait.
  const backup = await beats();
  const ids = sql.param(
    await send(ctx, { from: `shop@${domain}`, to: ["a@example.org", "b@example.org"] }),
  );
  before.notify();
  await until(() => server.mails.length === 2);
  await until(async () => (await beats()) >= backup + 4, { seconds: 20 });
  await before.end();
  await database.db.execute(sql`
    update installation set value = ${String(backup)} where key like 'witness/%'`);
  await database.db.execute(sql`
    with restored as (
      update emails set status = 'PENDING', sent_at = null, attempts = 0
      where id = any(${ids}::uuid[]) returning id, project_id
    ) insert into email_queue (email_id, project_id, due_at)
      select id, project_id, app_now() from restored`);

  const after = work();
  await until(() => findHold(database.db));
  const beatsBefore = await beats();
  await until(async () => (await beats()) >= beatsBefore + 2);
  expect(server.mails).toHaveLength(2);
  expect(await findHold(database.db)).toMatchObject({ reason: "restored" });
  expect(await waitingMail(database.db)).toMatchObject([{ transactional: 2, campaigns: 0 }]);

  expect(await endHold(database.db)).toBe(true);
  await until(() => {
    after.notify();
    return server.mails.length === 4;
  });
  expect(await findHold(database.db)).toBeNull();
});

it("held after a restore, one project's mail goes on with a press, campaign and all, and no other's", async () => {
  const [released, other] = [await sender(), await sender()];
  const server = await mailServer();
  await holdMail(database.db, "restored");
  for (const { ctx, domain } of [released, other]) {
    await send(ctx, { from: `shop@${domain}`, to: ["a@example.org", "b@example.org"] });
  }
  await sendingCampaign(
    released.ctx,
    { id: released.key.id, name: released.domain },
    [{ email: "c@example.org" }],
    {
      html: "<p>News</p>",
    },
  );
  const stop = new AbortController();
  const dispatcher = new Dispatcher({ db: database.db, transport: smtpTransport(server.url) });
  const running = dispatcher.run(stop.signal);
  stops.unshift(async () => {
    stop.abort();
    await running;
  });
  expect(await getSendingState(released.ctx)).toMatchObject({
    hold: { reason: "restored" },
    waiting: { transactional: 2, campaigns: 1 },
  });
  await expect(releaseProject({ ...released.ctx, role: "editor" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await expect(releaseProject({ ...released.ctx, testMode: true })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  expect(await releaseProject(released.ctx)).toBe(true);
  await until(() => {
    dispatcher.notify();
    return server.mails.length === 3;
  });
  expect((await getSendingState(released.ctx)).hold).toBeNull();
  expect(await getSendingState(other.ctx)).toMatchObject({ hold: { reason: "restored" } });
  expect(server.mails.every(({ from }) => from.endsWith(released.domain))).toBe(true);
  expect(await findHold(database.db)).toMatchObject({ released: [released.ctx.projectId] });

  // Nobody else's mail waits any more: the hold is over.
  expect(await releaseProject(other.ctx)).toBe(true);
  expect(await findHold(database.db)).toBeNull();
  await until(() => {
    dispatcher.notify();
    return server.mails.length === 5;
  });
});

it("no project lifts what the operator holds", async () => {
  const { ctx } = await sender();
  await holdMail(database.db, "asked");
  await expect(releaseProject(ctx)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await endHold(database.db)).toBe(true);
});

it("an answer of the database that comes late is not taken for a restored one", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-witness-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const proxy = await startDatabaseProxy(database.url);
  stops.unshift(() => proxy.stop());
  const db = connect(proxy.url, { max: 2 });
  stops.unshift(() => db.$client.end({ timeout: 1 }));
  const file = join(folder, "witness.json");
  const witness = new Witness(db, file);
  await witness.beat();
  const { witness: name } = JSON.parse(await readFile(file, "utf8")) as { witness: string };
  const beats = async () => {
    const [row] = await database.db.execute<{ beats: number }>(sql`
      select value::int as beats from installation where key = ${`witness/${name}`}`);
    return row?.beats ?? 0;
  };
  const release = proxy.holdAnswers();
  const late = witness.beat();
  await until(async () => (await beats()) === 2);
  // Whoever keeps the beat gives one up after a while, and begins with the next.
  await witness.beat();
  await witness.beat();
  release();
  await late;
  expect(await findHold(database.db)).toBeNull();
});

it("mail is sent though the folder of the witness is not there, or takes no file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lettermill-witness-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "file"), "");
  const { ctx, domain } = await sender();
  for (const witnessFile of [join(folder, "new", "witness.json"), join(folder, "file", "w.json")]) {
    const server = await mailServer();
    const stop = new AbortController();
    const transport = smtpTransport(server.url);
    const dispatcher = new Dispatcher({ db: database.db, transport, witnessFile });
    const running = dispatcher.run(stop.signal);
    stops.unshift(async () => {
      stop.abort();
      await running;
    });
    await send(ctx, { from: `shop@${domain}`, to: ["a@example.org"] });
    dispatcher.notify();
    await until(() => server.mails.length === 1, { seconds: 10 });
    stop.abort();
    await running;
  }
  await expect(readFile(join(folder, "new", "witness.json"), "utf8")).resolves.toContain("beats");
});
