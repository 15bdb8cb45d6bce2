import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { makeCampaign, seedContacts, storedCampaign } from "@/lib/testing/campaigns";
import { advanceCampaigns } from "./advance";

const database = useTestDatabase();

afterEach(async () => {
  await database.db.execute(sql`drop trigger if exists broken on emails`);
});

/** A campaign whose recipients cannot be written down: each time, Postgres answers with this SQLSTATE. */
async function brokenCampaign(state: string): Promise<string> {
  const { projectId } = await makeProject(database.db);
  await seedContacts(database.db, projectId, 3);
  const id = await makeCampaign(database.db, { projectId, fromEmail: "news@sandbox.test" });
  await database.db.execute(
    sql.raw(`
    create or replace function break_it() returns trigger language plpgsql as $$
      begin raise exception 'broken' using errcode = '${state}'; end $$;
    create trigger broken before insert on emails for each row execute function break_it();`),
  );
  return id;
}

/** Looks after campaigns as often as they are due; resolves to the steps it took. */
async function tryAgain(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await advanceCampaigns(database.db, AbortSignal.timeout(20_000));
    await database.travel("301 seconds");
  }
}

const failedSteps = async (id: string) => {
  const [row] = await database.db.execute<{ failed: number; due: number }>(sql`
    select failed_steps as failed, extract(epoch from due_at - app_now())::float8 as due
    from campaigns where id = ${id}`);
  return row;
};

it("a campaign whose step keeps failing by our fault is given up in the end, and says so", async () => {
  const id = await brokenCampaign("XX000");
  await advanceCampaigns(database.db, AbortSignal.timeout(20_000));
  expect((await failedSteps(id))?.failed).toBe(1);
  await database.travel("6 seconds");
  await advanceCampaigns(database.db, AbortSignal.timeout(20_000));
  const second = await failedSteps(id);
  expect(second?.failed).toBe(2);
  expect(second?.due).toBeGreaterThan(5);
  await tryAgain(8);
  expect((await failedSteps(id))?.failed).toBe(9);
  expect((await storedCampaign(database.db, id)).status).toBe("SENDING");
  await tryAgain(1);
  expect(await storedCampaign(database.db, id)).toMatchObject({
    status: "FAILED",
    failure_reason: expect.stringContaining("ten times in a row") as string,
    waits: false,
  });
});

it("one step that works forgets those that failed, and a database that is busy is nobody's fault", async () => {
  const id = await brokenCampaign("XX000");
  await tryAgain(9);
  expect((await failedSteps(id))?.failed).toBe(9);
  await database.db.execute(sql`drop trigger broken on emails`);
  await tryAgain(1);
  expect((await failedSteps(id))?.failed).toBe(0);
  const busy = await brokenCampaign("53200");
  await tryAgain(12);
  expect((await failedSteps(busy))?.failed).toBe(0);
  expect((await storedCampaign(database.db, busy)).status).toBe("SENDING");
});
