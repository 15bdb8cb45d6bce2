import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { messages } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { makeCampaign } from "@/lib/testing/campaigns";
import { addFigureDeltas } from "@/lib/testing/figures";
import { listEmails } from "./read";
import { emailQuery, type EmailSummary } from "./schema";
import { logEvents, type LogEvent } from "./terms";

const database = useTestDatabase();
let project: TestProject;
/** uuid */
let campaign: string;

/** One email for each of these: its status, and what has happened to it. */
const stories: Record<string, { status: string; happened: readonly LogEvent[] }> = {
  waiting: { status: "QUEUED", happened: [] },
  sent: { status: "SENT", happened: ["sent"] },
  opened: { status: "OPENED", happened: ["sent", "delivered", "opened"] },
  clicked: { status: "CLICKED", happened: ["sent", "delivered", "opened", "clicked"] },
  left: { status: "OPENED", happened: ["sent", "delivered", "opened", "unsubscribed"] },
  bounced: { status: "BOUNCED", happened: ["sent", "bounced"] },
  complained: {
    status: "COMPLAINED",
    happened: ["sent", "delivered", "opened", "clicked", "complained"],
  },
  failed: { status: "FAILED", happened: ["failed"] },
};
const times = { sent: "sent_at", delivered: "delivered_at", opened: "opened_at" } as const;
const more = { clicked: "clicked_at", unsubscribed: "unsubscribed_at" } as const;

async function writeEmails(campaignId: string | null): Promise<void> {
  const { projectId } = project;
  const messageId = newId(projectId);
  await database.db.insert(messages).values({
    ...{ id: messageId, projectId, fromEmail: "news@example.com", subject: "News" },
    ...(campaignId === null ? {} : { campaignId }),
  });
  for (const [name, { status, happened }] of Object.entries(stories)) {
    const columns = Object.entries({ ...times, ...more }).map(([event, column]) => ({
      column: sql.identifier(column),
      value: happened.includes(event as LogEvent) ? sql`app_now()` : sql`null`,
    }));
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, campaign_id, recipient, source, status,
        ${sql.join(
          columns.map(({ column }) => column),
          sql`, `,
        )})
      values (${newId(projectId)}, ${projectId}, ${messageId}, ${campaignId},
        ${`${name}@example.org`}, ${campaignId === null ? "TRANSACTIONAL" : "CAMPAIGN"}, ${status},
        ${sql.join(
          columns.map(({ value }) => value),
          sql`, `,
        )})`);
    const figures = Object.fromEntries(happened.map((event) => [event, 1]));
    await addFigureDeltas(database.db, [{ projectId, campaignId, ...figures }]);
  }
}

/** Who the emails went to, by the names of their stories. */
async function listed(query: object): Promise<string[]> {
  const page = await listEmails(project.ctx, emailQuery.parse(query));
  const rows = await database.db.execute<{ id: string; recipient: string }>(
    sql`select id, recipient from emails`,
  );
  const names = new Map(rows.map(({ id, recipient }) => [encodeId("email", id), recipient]));
  return page.data.map(({ id }) => (names.get(id) ?? "").replace("@example.org", "")).toSorted();
}
const withEvent = (event: LogEvent) =>
  Object.keys(stories)
    .filter((name) => stories[name]?.happened.includes(event))
    .toSorted();

beforeAll(async () => {
  project = await makeProject(database.db);
  const values = { projectId: project.projectId, fromEmail: "news@example.com" };
  campaign = await makeCampaign(database.db, values);
  await writeEmails(campaign);
});

describe("the log of a campaign", () => {
  test("has its emails, and no others", async () => {
    const campaignId = encodeId("campaign", campaign);
    const before = await listed({ campaignId });
    expect(before).toEqual(Object.keys(stories).toSorted());
    await writeEmails(null);
    expect(await listed({ campaignId })).toEqual(before);
    expect(await listed({})).toHaveLength(2 * before.length);
  });

  test.each(logEvents)("shows to whom that happened: %s", async (event) => {
    expect(await listed({ campaignId: encodeId("campaign", campaign), event })).toEqual(
      withEvent(event),
    );
  });

  test("once it is written, keeps to the time in which it was", async () => {
    await database.db.execute(
      sql`update campaigns set audience_done_at = app_now() where id = ${campaign}`,
    );
    expect(await listed({ campaignId: encodeId("campaign", campaign) })).toHaveLength(
      Object.keys(stories).length,
    );
  });

  test("is empty for a draft, and of another project's campaign there is none", async () => {
    const fromEmail = "news@example.com";
    const draft = await makeCampaign(database.db, {
      ...{ projectId: project.projectId, fromEmail, status: "DRAFT" },
    });
    expect(await listed({ campaignId: encodeId("campaign", draft) })).toEqual([]);
    const stranger = await makeProject(database.db);
    const foreign = await makeCampaign(database.db, { projectId: stranger.projectId, fromEmail });
    for (const campaignId of [encodeId("campaign", foreign), "nonsense", "em_1"]) {
      await expect(listed({ campaignId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

test("the whole log knows what happened, too, and together with other filters", async () => {
  const clicked = withEvent("clicked");
  expect(await listed({ event: "clicked", source: "TRANSACTIONAL" })).toEqual(clicked);
  expect(await listed({ event: "opened", status: "CLICKED", source: "TRANSACTIONAL" })).toEqual([
    "clicked",
  ]);
  const [last] = (await listEmails(project.ctx, emailQuery.parse({ event: "clicked", limit: 1 })))
    .data;
  expect(last).toBeDefined();
});

test("where nothing of the kind was ever counted, the log is not read", async () => {
  const { ctx } = await makeProject(database.db);
  expect((await listEmails(ctx, emailQuery.parse({ event: "opened" }))).data).toEqual([]);
});

describe.each([
  { where: "among the newest", from: 0 },
  { where: "behind 12,000 others", from: 12_000 },
])("mail of 300 people whose addresses hold a text, $where", ({ from }) => {
  const count = 300;

  test("is found whole, page by page, newest first", async () => {
    const { ctx, projectId } = await makeProject(database.db);
    const messageId = newId(projectId);
    await database.db
      .insert(messages)
      .values({ id: messageId, projectId, fromEmail: "news@example.com", subject: "News" });
    await database.db.execute(sql`
      with people as (
        insert into contacts (id, project_id, email, consent)
        select new_id(${projectId}::uuid), ${projectId}, 'crowd' || n || '@example.org', 'subscribed'
        from generate_series(1, ${count}::int) n returning id, email
      ), mail as (
        select id as contact_id, email, ${from}::int + row_number() over (order by email) as n from people
        union all select null, 'else@example.org', n + 0.5 from generate_series(0, ${from}::int) n
      )
      insert into emails (id, project_id, message_id, contact_id, recipient, source, status, created_at)
      select new_id(${projectId}::uuid), ${projectId}, ${messageId}, contact_id, email, 'TRANSACTIONAL', 'SENT',
        app_now() - interval '1 second' * n from mail`);
    // What is asked of each email besides may leave none of these people's: then it is searched on and on.
    for (const more of [{}, { status: "SENT" }]) {
      const found: EmailSummary[] = [];
      for (let cursor: string | undefined, first = true; first || cursor; first = false) {
        const asked = { search: "crowd", limit: 100, cursor, ...more };
        const page = await listEmails(ctx, emailQuery.parse(asked));
        if (!("status" in more)) {
          expect(page.searchedTo).toBeUndefined();
          expect(page.data.length).toBe(100);
        }
        if ("status" in more && from > 0 && first) expect(page.data).toEqual([]);
        found.push(...page.data);
        cursor = page.nextCursor;
      }
      expect(new Set(found.map(({ contact }) => contact?.email)).size).toBe(count);
      const times = found.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted().toReversed());
    }
  });
});
