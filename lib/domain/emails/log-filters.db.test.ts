import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { pagesRead } from "@/db/testing/rows-read";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { makeCampaign } from "@/lib/testing/campaigns";
import { listEmailDetails } from "./log-details";
import { listEmails } from "./read";
import { emailQuery } from "./schema";

/* Much mail of which a filter leaves little: of 60,000 emails, one a minute, all but these are delivered and single. */
const database = useTestDatabase();
const count = 60_000;
const rare = {
  SENT: [1, 20_000, count],
  PENDING: [2, 30_000],
  LIST: [3, 59_000],
  CAMPAIGN: [10_000, 10_001],
};
const campaignBegan = 10_003;
let project: TestProject;
let db: Database;
/** Wire id. */
let campaignId: string;

const minute = 60_000;
const began = Date.now();
const ago = (minutes: number) =>
  sql`${new Date(began - minutes * minute).toISOString()}::timestamptz`;

beforeAll(async () => {
  db = connect(database.url, { max: 1 });
  const made = await makeProject(db);
  project = { ...made, ctx: { ...made.ctx, db } };
  const { projectId } = project;
  const [messageId, campaignMessage] = [newId(projectId), newId(projectId)];
  const campaign = await makeCampaign(db, { projectId, fromEmail: "news@example.com" });
  campaignId = encodeId("campaign", campaign);
  await db.execute(sql`
    update campaigns set status = 'SENT', recipients = 2, started_at = ${ago(campaignBegan)},
      audience_done_at = ${ago(campaignBegan - 3)} where id = ${campaign}`);
  await db.execute(sql`
    insert into messages (id, project_id, from_email, subject, campaign_id, created_at)
    values (${messageId}, ${projectId}, 'news@example.com', 'News', null, ${ago(0)}),
      (${campaignMessage}, ${projectId}, 'news@example.com', 'Week 1', ${campaign}, ${ago(campaignBegan)})`);
  const isOne = (of: number[]) => sql`n = any(${sql.param(of)}::int[])`;
  await db.execute(sql`
    insert into emails (id, project_id, message_id, recipient, source, status, campaign_id, created_at)
    select new_id(), ${projectId},
      case when ${isOne(rare.CAMPAIGN)} then ${campaignMessage}::uuid else ${messageId}::uuid end, n || '@example.org',
      case when ${isOne(rare.LIST)} then 'LIST' when ${isOne(rare.CAMPAIGN)} then 'CAMPAIGN' else 'TRANSACTIONAL' end,
      case when ${isOne(rare.SENT)} then 'SENT' when ${isOne(rare.PENDING)} then 'PENDING' else 'DELIVERED' end,
      case when ${isOne(rare.CAMPAIGN)} then ${campaign}::uuid end, ${ago(0)} - interval '1 minute' * n
    from generate_series(1, ${count}::int) n`);
  await db.execute(sql`
    insert into email_queue (email_id, project_id)
    select id, project_id from emails where status = 'PENDING'`);
  await db.execute(sql`vacuum analyze emails`);
  return () => db.$client.end({ timeout: 5 });
}, 120_000);

const page = (query: object) => listEmails(project.ctx, emailQuery.parse(query));

/** Which of them, newest first, and in how many answers. */
async function listed(query: object): Promise<{ found: number[]; answers: number }> {
  const found: number[] = [];
  let answers = 0;
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const { data, nextCursor } = await page({ ...query, cursor });
    found.push(...data.map(({ createdAt }) => (began - Date.parse(createdAt)) / minute));
    answers++;
    cursor = nextCursor;
  }
  return { found, answers };
}

test.each([
  [{ status: "PENDING" }, rare.PENDING],
  [{ source: "WORKFLOW" }, rare.LIST],
  [{ source: "CAMPAIGN" }, rare.CAMPAIGN],
  [{ source: "WORKFLOW", status: "SENT" }, []],
  [{ status: "PENDING", source: "CAMPAIGN" }, []],
  [{ status: "BOUNCED" }, []],
])("%o reads what it finds, and little else", async (query, expected) => {
  expect(await pagesRead(db, ["emails"], () => page(query))).toBeLessThan(200);
  expect(await listed(query)).toEqual({ found: expected, answers: 1 });
});

test("a status that little has is found, however far back, in two answers at most", async () => {
  const { found, answers } = await listed({ status: "SENT" });
  expect(found).toEqual(rare.SENT);
  expect(answers).toBeLessThanOrEqual(2);
  expect((await listed({ status: "SENT", limit: 1 })).found).toEqual(rare.SENT);
});

test("what most mail has comes at once, and goes on where it stopped", async () => {
  for (const query of [{ status: "DELIVERED" }, { source: "TRANSACTIONAL" }]) {
    const read = () => page({ ...query, limit: 100 });
    expect(await pagesRead(db, ["emails"], read)).toBeLessThan(2_000);
    const { data, nextCursor, searchedTo } = await read();
    expect([data.length, searchedTo]).toEqual([100, undefined]);
    const next = await page({ ...query, cursor: nextCursor });
    expect(next.data[0]!.createdAt < data.at(-1)!.createdAt).toBe(true);
  }
});

test("filters go together", async () => {
  const day = (minutes: number) => new Date(began - minutes * minute).toISOString().slice(0, 10);
  const [newer, older] = [day(0), day(20_000)];
  expect((await listed({ status: "SENT", startDate: older })).found).toEqual([1, 20_000]);
  expect((await listed({ status: "SENT", startDate: older, endDate: older })).found).toEqual([
    20_000,
  ]);
  expect((await listed({ status: "PENDING", startDate: newer })).found).not.toContain(30_000);
  expect((await listed({ campaignId, status: "DELIVERED" })).found).toEqual(rare.CAMPAIGN);
  expect((await listed({ campaignId, status: "SENT" })).found).toEqual([]);
  expect((await listed({ source: "WORKFLOW", search: "59000@" })).found).toEqual([]);
  expect((await listed({ source: "WORKFLOW", limit: 1 })).found).toEqual(rare.LIST);
  expect((await listed({ source: "CAMPAIGN", limit: 1 })).found).toEqual(rare.CAMPAIGN);
  expect((await listed({ status: "PENDING", limit: 1 })).found).toEqual(rare.PENDING);
});

test("what waits is found where the queue is too long to be asked", async () => {
  const { projectId } = await makeProject(db);
  await db.execute(sql`
    insert into email_queue (email_id, project_id)
    select new_id(), ${projectId} from generate_series(1, 25000)`);
  expect((await listed({ status: "PENDING" })).found).toEqual(rare.PENDING);
});

test("what the log can show besides is looked up by the key of each email", async () => {
  const { data } = await page({ source: "CAMPAIGN" });
  const ids = data.map(({ id }) => id);
  const read = () => listEmailDetails(project.ctx, ids);
  const tables = ["emails", "messages", "email_events", "campaigns", "templates"];
  expect(await pagesRead(db, tables, read)).toBeLessThan(100);
  const stranger = await makeProject(db);
  expect(await listEmailDetails({ ...stranger.ctx, db }, ids)).toEqual([]);
  const [first] = await read();
  const { name: campaign } = await getCampaign(project.ctx, campaignId);
  expect(first).toEqual({
    ...{ id: data.find(({ id }) => id === first?.id)?.id, from: "news@example.com" },
    ...{ campaign, template: null, provider: "example.org" },
    lastEventAt: data.find(({ id }) => id === first?.id)?.createdAt,
  });
  await db.execute(sql`
    insert into email_events (project_id, email_id, name, data, created_at)
    select project_id, id, 'opened', '{}', created_at + interval '1 hour' from emails
    where id = ${decodeId("email", first?.id ?? "")}`);
  const [opened] = await listEmailDetails(project.ctx, [first?.id ?? ""]);
  expect(Date.parse(opened?.lastEventAt ?? "")).toBe(
    Date.parse(first?.lastEventAt ?? "") + 3_600_000,
  );
  // Events go by age before their email does; its own times stay.
  const uuid = decodeId("email", first?.id ?? "");
  await db.execute(sql`delete from email_events where email_id = ${uuid}`);
  await db.execute(sql`
    update emails set opened_at = created_at + interval '1 hour' where id = ${uuid}`);
  expect(await listEmailDetails(project.ctx, [first?.id ?? ""])).toEqual([opened]);
  await db.execute(sql`update emails set opened_at = null where id = ${uuid}`);
  const many = Array.from({ length: 101 }, () => first?.id ?? "");
  await expect(listEmailDetails(project.ctx, many)).rejects.toThrow("more than 100");
});

test("a cancelled campaign's mail is found once the campaign was deleted", async () => {
  await db.delete(campaigns).where(eq(campaigns.id, decodeId("campaign", campaignId) ?? ""));
  for (const query of [{ source: "CAMPAIGN" }, { subject: "Week 1" }]) {
    expect((await listed(query)).found).toEqual(rare.CAMPAIGN);
  }
});
