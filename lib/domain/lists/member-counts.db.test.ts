import { eq, sql } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { countListMembers } from "@/db/count-list-members";
import { contacts, listFigures, lists, subscribers } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { makeList } from "@/lib/testing/opt-outs";
import { countMembers } from "./member-counts";

/* What is kept of how many members a list has is what counting them would say, whatever happens to them. */
const database = useTestDatabase();
const people = 2_000;
let project: TestProject;
let db: Database;
/** uuids */
let news: string;
let club: string;

beforeAll(async () => {
  db = connect(database.url, { max: 1 });
  project = await makeProject(db);
  await db.execute(sql`
    insert into contacts (id, project_id, email, consent)
    select new_id(${project.projectId}::uuid), ${project.projectId}, 'p' || n || '@example.org', 'subscribed'
    from generate_series(1, ${people}::int) n`);
  const listOf = async (name: string) =>
    decodeId("list", (await makeList({ ...project.ctx, db }, { name })).id) ?? "";
  [news, club] = [await listOf("News"), await listOf("Club")];
  return () => db.$client.end({ timeout: 5 });
});

async function counted(list: string) {
  const count = await countMembers(db, [list]);
  return count(list);
}
async function there(list: string) {
  const rows = await db.execute<{ status: string; n: number }>(sql`
    select status, count(*)::int as n from subscribers where list_id = ${list} group by 1`);
  const none = { subscribed: 0, unsubscribed: 0, unconfirmed: 0, bounced: 0, complained: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) };
}
const join = (executor: Pick<Database, "execute">, list: string, from: number, to: number) =>
  executor.execute(sql`
    insert into subscribers (id, project_id, list_id, contact_id, status, source)
    select new_id(project_id), project_id, ${list}, id,
      case when n % 5 = 0 then 'unconfirmed' else 'subscribed' end, 'api'
    from (select *, row_number() over (order by id) as n from contacts
      where project_id = ${project.projectId}) as person
    where n between ${from}::int and ${to}::int
    on conflict (list_id, contact_id) do update set updated_at = app_now()`);

afterEach(async () => {
  for (const list of [news, club]) expect(await counted(list)).toEqual(await there(list));
});

test("a new list has none", async () => {
  expect((await counted(news)).subscribed).toBe(0);
});

test("who joins, also again, moves and leaves", async () => {
  await join(db, news, 1, 500);
  await join(db, news, 400, 600);
  await join(db, club, 1, 100);
  expect(await counted(news)).toMatchObject({ subscribed: 480, unconfirmed: 120 });
  await db.execute(sql`
    update subscribers set status = 'subscribed' where list_id = ${news} and status = 'unconfirmed'`);
  await db.execute(sql`
    update subscribers set status = 'bounced' where contact_id in (
      select contact_id from subscribers where list_id = ${club} limit 10)`);
  await db.execute(sql`update subscribers set fields = '{"A": "b"}'`);
  expect(await counted(news)).toMatchObject({ subscribed: 590, unconfirmed: 0, bounced: 10 });
});

test("who is deleted, and a transaction that fails", async () => {
  await db
    .delete(contacts)
    .where(
      sql`${contacts.id} in (select contact_id from subscribers where list_id = ${club} limit 50)`,
    );
  expect(Object.values(await counted(club)).reduce((sum, n) => sum + n)).toBe(50);
  await expect(
    db.transaction(async (tx) => {
      await join(tx, club, 1, 500);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
});

test("many at once, none of whom waits for another", async () => {
  const others = [1, 2, 3, 4].map(() => connect(database.url, { max: 1 }));
  try {
    const [first, second, third, fourth] = others as [Database, Database, Database, Database];
    await first.transaction(async (one) => {
      await join(one, news, 601, 700);
      await join(one, club, 601, 700);
      await second.transaction(async (two) => {
        await join(two, club, 701, 800);
        await join(two, news, 701, 800);
      });
    });
    await Promise.all([
      join(first, news, 801, 900),
      join(second, news, 901, 1000),
      third.execute(sql`update subscribers set status = 'unsubscribed' where id = any(array(
        select id from subscribers where list_id = ${club} order by id limit 20))`),
      fourth.execute(sql`delete from subscribers where id = any(array(
        select id from subscribers where list_id = ${news} order by id desc limit 20))`),
    ]);
  } finally {
    await Promise.all(others.map(({ $client }) => $client.end({ timeout: 5 })));
  }
});

test("members are not read to be counted", async () => {
  expect(await rowsRead(db, ["subscribers"], () => counted(news))).toBe(0);
});

test("a list from before is counted anew, and once it was counted no more", async () => {
  await db.delete(listFigures).where(eq(listFigures.listId, news));
  expect(await counted(news)).toEqual(await there(news));
  // Somebody joins before it is counted: the trigger has noticed that.
  await join(db, news, 1_001, 1_050);
  expect(await counted(news)).toEqual(await there(news));
  await countListMembers(db.$client);
  await countListMembers(db.$client);
  await join(db, news, 1_051, 1_060);
  expect(await rowsRead(db, ["subscribers"], () => counted(news))).toBe(0);
});

test("a list that is deleted leaves nothing", async () => {
  await db.transaction(async (tx) => {
    await join(tx, club, 1_500, 1_510);
    await tx.delete(lists).where(eq(lists.id, club));
  });
  expect(await db.$count(subscribers, eq(subscribers.listId, club))).toBe(0);
  expect(await db.$count(listFigures, eq(listFigures.listId, club))).toBe(0);
});
