import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { root } from "@/bin/start/root";
import { openClient } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { endHold, holdMail } from "@/lib/domain/sending-state/hold";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { storedCampaign } from "@/lib/testing/campaigns";
import { send, startMailServer } from "@/lib/testing/delivery";
import { until } from "@/lib/testing/until";
import { emptyTable } from "./copy";
import { openSource, openTarget } from "./ends";
import { cancelMove } from "./leave";
import { lockMove } from "./lock";
import { earlyTables } from "./plan";
import {
  copiesTo,
  countsOf,
  doubled,
  endPace,
  fencesOf,
  filledTables,
  keepSending,
  makeSender,
  startCampaign,
  startWorker,
  there,
  useMoveEnds,
  type Sender,
} from "./testing/moves";

/* Moves that end before their time: killed, failed, cancelled, refused. */

const ends = useMoveEnds();
const { source, move } = ends;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** Fails when the move says the step. */
const failsAt = (deadly: string) => (step: string) => {
  if (step === deadly) throw new Error(`broken off at ${deadly}`);
};

const stateHere = async (projectId: string) => {
  const [row] = await source.db.execute<{ state: string }>(sql`
    select state from project_moves where project_id = ${projectId}`);
  return row?.state ?? null;
};

/** Waits until a contact may be added, which takes until the programs have learned of it. */
const isOpen = (apiKey: string, email: string) =>
  until(async () => (await bearerClient(apiKey)("POST", "/v1/contacts", { email })).status < 300, {
    what: "the project to be open",
    seconds: 30,
  });

/** What a project's people and changes are, as text. */
const peopleOf = (db: typeof source.db, projectId: string) =>
  db.execute<{ row: string }>(sql`
    select to_jsonb(c)::text as row from contacts c where project_id = ${projectId}
    union all select to_jsonb(c)::text from contact_changes c where project_id = ${projectId}
    order by 1`);

/** A command that is killed when it says the step; resolves to whether it came to that, and what it said besides. */
async function killAt(projectId: string, deadly: string) {
  const command = spawn(
    process.execPath,
    [
      ...["--import", "tsx", "bin/move/testing/killed-move-process.ts"],
      ...[source.url, ends.targetUrl, projectId, there, deadly],
    ],
    { cwd: root, env: process.env, stdio: ["ignore", "ignore", "pipe"] },
  );
  const ended = new Promise<string | null>((resolve) =>
    command.once("exit", (_, signal) => resolve(signal)),
  );
  const words = await text(command.stderr);
  return { killed: (await ended) === "SIGKILL", words };
}

test("killed in the middle of any step and run again, it ends right", async () => {
  const people = 400;
  const server = await startMailServer();
  stops.push(() => server.stop());
  const sender = await makeSender(source.db, people, "killed.example");
  const { projectId } = sender;
  const campaign = await startCampaign(sender, 3_600);
  const workers = [source.db, ends.target].map((db) => startWorker(db, server.url));
  const sending = keepSending(sender, "urgent.example");
  stops.push(...workers, sending.stop);
  const steps = [
    ...["fence", "copy contacts", "copy emails", "files", "changes 1", "compare 1", "drain"],
    ...["close", "closed", "compare", "open", "end here"],
  ];
  for (const step of steps) {
    expect({ step, ...(await killAt(projectId, step)) }).toMatchObject({ step, killed: true });
  }
  expect(await stateHere(projectId)).toBe("closed");
  // It is open at the target by now: what is left is to end it here.
  expect(await move(projectId)).toBeNull();
  expect(await stateHere(projectId)).toBe("moved");
  await expect(move(projectId)).rejects.toThrow(`has moved to ${there}`);

  await sending.stop();
  await endPace(ends.target, projectId);
  await until(async () => (await storedCampaign(ends.target, campaign)).status === "SENT", {
    what: "the end of the campaign there",
    seconds: 120,
    everyMilliseconds: 200,
  });
  await until(() => copiesTo(server, "urgent.example").size >= sending.acknowledged.length, {
    what: "all that was acknowledged",
    seconds: 60,
  });
  for (const stop of workers) await stop();
  const [readers, urgent] = [
    copiesTo(server, "killed.example"),
    copiesTo(server, "urgent.example"),
  ];
  expect([readers.size, doubled(readers)]).toEqual([people, []]);
  expect(new Set(urgent.keys())).toEqual(new Set(sending.acknowledged));
  expect(doubled(urgent)).toEqual([]);
  expect(sending.refused.filter(({ status }) => status !== 503)).toEqual([]);
  expect(await storedCampaign(ends.target, campaign)).toMatchObject({
    people,
    by_status: { SENT: people },
  });
}, 900_000);

/** Rows of large tables that come, change and go. */
async function changePeople({ projectId, ctx }: Sender): Promise<void> {
  await source.db.execute(sql`
    delete from contacts where id in (
      select id from contacts where project_id = ${projectId} order by id limit 40)`);
  await source.db.execute(sql`
    update contacts set first_name = 'Other', updated_at = app_now() where id in (
      select id from contacts where project_id = ${projectId} order by id desc limit 40)`);
  await upsertContact(ctx, { email: `new-${Math.random()}@changed.example` });
}

test("what changes between any two steps comes along, deletions included", async () => {
  const sender = await makeSender(source.db, 300, "changed.example");
  const { projectId } = sender;
  for (const step of ["copy emails", "changes 1", "compare 1", "drain", "close"]) {
    await expect(move(projectId, failsAt(step))).rejects.toThrow("broken off");
    await changePeople(sender);
  }
  const before = [...(await peopleOf(source.db, projectId))];
  expect(before.length).toBeGreaterThan(100);
  await move(projectId);
  expect([...(await peopleOf(ends.target, projectId))]).toEqual(before);
}, 300_000);

test("changes leave alone what another project of the target has under the same number", async () => {
  const { projectId } = await makeSender(source.db, 5, "numbered.example");
  const stays = await makeProject(ends.target);
  const addLink = (db: typeof source.db, owner: string) =>
    db.execute(sql`
      insert into links (id, project_id, message_id, url)
      values (7, ${owner}, gen_random_uuid(), 'https://shop.example')`);
  await addLink(ends.target, stays.projectId);
  await expect(move(projectId, failsAt("changes 1"))).rejects.toThrow("broken off");
  await addLink(source.db, projectId);
  await source.db.execute(sql`delete from links where project_id = ${projectId}`);
  await move(projectId);
  const links = await ends.target.execute(sql`select project_id from links where id = 7`);
  expect([...links]).toEqual([{ project_id: stays.projectId }]);
}, 100_000);

test("a move that fails while the project is closed opens it again", async () => {
  const { projectId, apiKey } = await makeSender(source.db, 20, "failed.example");
  for (const step of ["closed", "compare", "open"]) {
    await expect(move(projectId, failsAt(step))).rejects.toThrow("broken off");
    expect(await stateHere(projectId)).toBe("copying");
    expect((await filledTables(ends.target, projectId)).includes("projects")).toBe(false);
  }
  await isOpen(apiKey, "new@failed.example");
  await cancelMove(source.url, ends.targetUrl, projectId);
}, 200_000);

test("a project whose mail is still being handed over goes on", async () => {
  const sender = await makeSender(source.db, 5, "handed.example");
  const { projectId } = sender;
  await send(sender.ctx, { from: sender.from, to: "slow@handed.example" });
  await source.db.execute(sql`
    update email_queue set lease_id = gen_random_uuid(), lease_until = app_now() + interval '1 hour'
    where project_id = ${projectId}`);
  const refused = move(projectId, () => {}, { waitSeconds: 1 });
  await expect(refused).rejects.toThrow("still being handed over after 1 s (1 email)");
  expect(await stateHere(projectId)).toBe("copying");
  await cancelMove(source.url, ends.targetUrl, projectId);
}, 100_000);

test("a command that was held up for long changes nothing once the project is open at the target", async () => {
  const { projectId } = await makeSender(source.db, 20, "late.example");
  await move(projectId);
  const [contacts] = earlyTables.filter(({ name }) => name === "contacts");
  const [arrival] = await ends.target.execute<{ id: string }>(sql`
    select move_id as id from project_moves where project_id = ${projectId}`);
  if (!contacts || !arrival) throw new Error("The project has not arrived.");
  const connections = { source: openSource(source.url), target: await openTarget(ends.targetUrl) };
  try {
    const late = {
      ...connections,
      projectId,
      moveId: arrival.id,
      people: new Map<string, string>(),
    };
    await expect(emptyTable(late, contacts)).rejects.toThrow("has ended this move");
    expect((await countsOf(ends.target, projectId))["contacts"]).toBe(20);
  } finally {
    for (const client of Object.values(connections)) await client.end({ timeout: 1 });
  }
}, 100_000);

test("a move that is cancelled leaves the project as it was, and nothing at the target", async () => {
  const { projectId, apiKey } = await makeSender(source.db, 200, "cancelled.example");
  const before = await countsOf(source.db, projectId);
  await expect(move(projectId, failsAt("drain"))).rejects.toThrow("broken off");
  expect((await countsOf(ends.target, projectId))["contacts"]).toBe(200);
  await source.db.execute(sql`
    update project_moves set state = 'closed' where project_id = ${projectId}`);

  await cancelMove(source.url, ends.targetUrl, projectId);
  expect(await countsOf(source.db, projectId)).toEqual(before);
  expect(await filledTables(ends.target, projectId)).toEqual([]);
  expect(await fencesOf(source.db, projectId)).toBe(0);
  expect(await stateHere(projectId)).toBeNull();
  await expect(cancelMove(source.url, ends.targetUrl, projectId)).rejects.toThrow(
    "not being moved",
  );
  await isOpen(apiKey, "new@cancelled.example");
}, 200_000);

test("a project that is deleted meanwhile does not arrive", async () => {
  const { projectId } = await makeSender(source.db, 20, "deleted.example");
  await expect(move(projectId, failsAt("drain"))).rejects.toThrow("broken off");
  const remove = sql`insert into project_deletions (project_id) values (${projectId})`;
  await source.db.execute(remove);
  await expect(move(projectId)).rejects.toThrow("The project was deleted");
  await source.db.execute(sql`delete from project_deletions where project_id = ${projectId}`);
  // Also in the last moment: what is under way is waited for some seconds, in which this is long done.
  const removing: Promise<unknown>[] = [];
  const say = (step: string) => {
    if (step === "drain") removing.push(Promise.resolve(source.db.execute(remove)));
  };
  await expect(move(projectId, say)).rejects.toThrow("The project was deleted");
  await Promise.all(removing);
  expect(await stateHere(projectId)).toBe("copying");
  await cancelMove(source.url, ends.targetUrl, projectId);
  expect(await filledTables(ends.target, projectId)).toEqual([]);
  expect(await fencesOf(source.db, projectId)).toBe(0);
  await source.db.execute(sql`delete from project_deletions where project_id = ${projectId}`);
}, 200_000);

test("one command moves a project at a time, and only to the database it began with", async () => {
  const { projectId } = await makeSender(source.db, 20, "twice.example");
  const other = openSource(source.url);
  try {
    await lockMove(other, projectId);
    await expect(move(projectId)).rejects.toThrow("Another command is moving this project");
  } finally {
    await other.end({ timeout: 5 });
  }
  await expect(move(projectId, failsAt("drain"))).rejects.toThrow("broken off");
  await ends.target.$client.unsafe("create database elsewhere");
  const elsewhere = new URL(ends.targetUrl);
  elsewhere.pathname = "/elsewhere";
  await migrateDatabase(elsewhere.href);
  await expect(move(projectId, () => {}, { to: elsewhere.href })).rejects.toThrow(
    "to another database",
  );
  await expect(cancelMove(source.url, elsewhere.href, projectId)).rejects.toThrow(
    "to another database",
  );
  expect(await stateHere(projectId)).toBe("copying");
  await cancelMove(source.url, ends.targetUrl, projectId);
}, 200_000);

test("it does not begin where it could not end", async () => {
  const { projectId } = await makeSender(source.db, 5, "refused.example");
  const admin = openClient(ends.targetUrl, { max: 1 });
  const refused = async (reason: string, make: string, undo: string) => {
    await admin.unsafe(make);
    await expect(move(projectId)).rejects.toThrow(reason);
    await admin.unsafe(undo);
    expect(await stateHere(projectId)).toBeNull();
    expect(await fencesOf(source.db, projectId)).toBe(0);
  };
  try {
    await expect(move(projectId, () => {}, { to: source.url })).rejects.toThrow(
      "that the project is in",
    );
    await holdMail(source.db, "asked");
    await expect(move(projectId)).rejects.toThrow("is held here");
    await endHold(source.db);
    await refused(
      "still has what it held",
      `insert into projects (id, name) values ('${projectId}', 'There')`,
      `delete from projects where id = '${projectId}'`,
    );
    await refused(
      "is still deleting",
      `insert into project_deletions (project_id) values ('${projectId}')`,
      `delete from project_deletions where project_id = '${projectId}'`,
    );
    await refused(
      "by a later release",
      "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)",
      "delete from drizzle.__drizzle_migrations where hash = 'later'",
    );
    await refused(
      "lacks migrations",
      `update drizzle.__drizzle_migrations set created_at = -created_at
        where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
      "update drizzle.__drizzle_migrations set created_at = -created_at where created_at < 0",
    );
    await refused(
      "another APP_SECRET",
      "update installation set value = reverse(value) where key = 'appSecretFingerprint'",
      "update installation set value = reverse(value) where key = 'appSecretFingerprint'",
    );
  } finally {
    await admin.end({ timeout: 5 });
  }
}, 200_000);
