import { sql } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { campaigns } from "@/db/schema";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { setCampaignPace } from "@/lib/domain/sending-state/pace";
import type { Context } from "@/lib/ground/context";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { send } from "@/lib/testing/delivery";
import { claimEmails } from "./claim";
import { postponeEmails, releaseEmails } from "./leases";

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.execute(sql`truncate emails, email_queue, project_paces cascade`);
});

const claim = async (limit: number, db = database.db) =>
  (await claimEmails(db, { limit, leaseSeconds: 1_000_000 })).emails;

/** A campaign of the project with so many emails that are due. */
async function sending({ projectId }: Context, count: number): Promise<string> {
  const id = newId(projectId);
  await database.db.insert(campaigns).values({ id, projectId, name: "News", status: "SENDING" });
  await database.db.execute(sql`
    with people as (
      insert into contacts (id, project_id, email, consent)
      select new_id(), ${projectId}, n || '@' || ${id} || '.example', 'subscribed'
      from generate_series(1, ${count}) n returning id, email
    ), written as (
      insert into emails (id, project_id, message_id, campaign_id, contact_id, recipient, source, status)
      select new_id(), ${projectId}, ${newId(projectId)}, ${id}, id, email, 'CAMPAIGN', 'PENDING' from people
      returning id
    ) insert into email_queue (email_id, project_id, campaign_id, due_at)
      select id, ${projectId}, ${id}, app_now() from written`);
  return id;
}

async function pacedProject(perHour: number | null): Promise<Context> {
  const { ctx } = await makeProject(database.db);
  await setCampaignPace(ctx, { emailsPerHour: perHour });
  return ctx;
}

const clock = async () => {
  const [row] = await database.db.execute<{ at: number }>(sql`
    select extract(epoch from app_now())::float8 as at`);
  return row?.at ?? 0;
};

it("no hour has more than the pace, and little less, however many workers claim at once", async () => {
  const ctx = await pacedProject(120);
  await sending(ctx, 200);
  const workers = [connect(database.url, { max: 1 }), connect(database.url, { max: 1 })];
  const claimedAt: number[] = [];
  for (let turn = 0; turn < 190; turn++) {
    const at = await clock();
    const answers = await Promise.all(workers.map((db) => claim(50, db)));
    claimedAt.push(...answers.flat().map(() => at));
    await database.travel("20 seconds");
  }
  await Promise.all(workers.map((db) => db.$client.end()));
  const within = (from: number) => claimedAt.filter((at) => at >= from && at < from + 3_600).length;
  const busiest = Math.max(...claimedAt.map(within));
  expect(busiest).toBeLessThanOrEqual(120);
  expect(busiest).toBeGreaterThan(114);
  // Evenly: no turn had more than two.
  expect(new Set(claimedAt).size).toBeGreaterThan(110);
}, 120_000);

it("workers that claim at the same moment share what there is", async () => {
  const ctx = await pacedProject(72_000);
  await sending(ctx, 400);
  await claim(1);
  await database.travel("1 minute");
  const workers = Array.from({ length: 4 }, () => connect(database.url, { max: 1 }));
  await Promise.all(workers.map((db) => db.execute(sql`select 1`)));
  const began = await clock();
  const answers = await Promise.all(workers.map((db) => claim(80, db)));
  const rest = await claim(400);
  const seconds = (await clock()) - began;
  await Promise.all(workers.map((db) => db.$client.end()));
  const claimed = answers.flat().length + rest.length;
  expect(claimed).toBeGreaterThanOrEqual(100);
  expect(claimed).toBeLessThanOrEqual(100 + 20 * seconds);
});

it("only campaigns of the project are held to it", async () => {
  const ctx = await pacedProject(1);
  const other = await pacedProject(null);
  await sending(ctx, 5);
  await sending(other, 5);
  const urgent = await send(ctx, { from: "shop@sandbox.test", to: "ada@sandbox.test" });
  const emails = await claim(100);
  expect(emails.filter(({ projectId }) => projectId === other.projectId)).toHaveLength(5);
  const mine = emails.filter(({ projectId }) => projectId === ctx.projectId);
  expect(mine.map(({ source }) => source).sort()).toEqual(["CAMPAIGN", "TRANSACTIONAL"]);
  expect(mine.map(({ id }) => id)).toContain(urgent[0]);
  await database.travel("59 minutes");
  expect(await claim(100)).toHaveLength(0);
  await database.travel("1 minute");
  expect(await claim(100)).toHaveLength(1);
});

it("campaigns of one project share its pace", async () => {
  const ctx = await pacedProject(7_200);
  const ids = [await sending(ctx, 50), await sending(ctx, 50)];
  await sending(ctx, 1);
  await claim(1);
  await database.travel("1 hour");
  const emails = await claim(100);
  expect(emails).toHaveLength(10);
  const shares = ids.map((id) => emails.filter(({ campaignId }) => campaignId === id).length);
  expect(Math.min(...shares)).toBeGreaterThan(0);
});

it("what was claimed and did not begin takes nothing of it", async () => {
  const ctx = await pacedProject(7_200);
  await sending(ctx, 50);
  await claim(1);
  await database.travel("1 hour");
  const emails = await claim(100);
  expect(emails).toHaveLength(10);
  expect(await claim(100)).toHaveLength(0);
  await releaseEmails(database.db, emails.slice(0, 3));
  expect(await claim(100)).toHaveLength(3);
  await postponeEmails(
    database.db,
    emails.slice(3, 7).map((email) => ({ email, seconds: 300 })),
  );
  expect(await claim(100)).toHaveLength(4);
});

it("a change holds from the next claim on, and none lets out all", async () => {
  const ctx = await pacedProject(60);
  await sending(ctx, 50);
  expect(await claim(100)).toHaveLength(1);
  const tests = setCampaignPace({ ...ctx, testMode: true }, { emailsPerHour: null });
  await expect(tests).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await setCampaignPace(ctx, { emailsPerHour: 3_600 });
  await database.travel("10 seconds");
  expect(await claim(100)).toHaveLength(5);
  await setCampaignPace(ctx, { emailsPerHour: null });
  expect(await claim(100)).toHaveLength(44);
});
