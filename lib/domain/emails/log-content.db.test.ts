import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { testCampaign } from "@/lib/domain/campaigns/test-mail";
import { deleteTemplate } from "@/lib/domain/templates/delete";
import { createTemplate } from "@/lib/domain/templates/templates";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts } from "@/lib/testing/campaigns";
import { listEmails } from "./read";
import { emailQuery } from "./schema";
import { sendBatch, sendEmail } from "./send";

const database = useTestDatabase();
let project: TestProject;
/** Wire ids. */
let campaign: string;
let welcome: string;
let gone: string;

const from = "hello@sandbox.test";
const template = async (name: string, by = project) =>
  (await createTemplate(by.ctx, { name, subject: `${name}!`, body: "<p>Hi</p>" })).id;
const send = (to: string, fields: object) => sendEmail(project.ctx, { from, to, ...fields });
const page = (query: object, by = project) => listEmails(by.ctx, emailQuery.parse(query));

/** Who the emails went to, newest first: the part before the @. */
async function listed(query: object): Promise<string[]> {
  const { data, searchedTo } = await page({ limit: 100, ...query });
  expect(searchedTo).toBeUndefined();
  return data.map(({ contact }) => contact?.email.split("@")[0] ?? "");
}

beforeAll(async () => {
  project = await makeProject(database.db);
  const { ctx, projectId } = project;
  await seedContacts(database.db, projectId, 3);
  [welcome, gone] = [await template("Welcome"), await template("Gone")];
  campaign = encodeId(
    "campaign",
    await makeCampaign(database.db, {
      ...{ projectId, fromEmail: "news@sandbox.test", name: "Week 1", subject: "Weekly news" },
      templateId: decodeId("template", gone),
    }),
  );
  await advance(database.db);
  await send("receipt1@example.com", { subject: "Your receipt", body: "Hi" });
  await send("welcome1@example.com", { template: welcome });
  await send("gone1@example.com", { template: gone });
  await sendBatch(
    ctx,
    ["receipt2", "welcome2", "receipt3"].map((name) => ({
      ...{ from, to: `${name}@example.com` },
      ...(name === "welcome2" ? { template: welcome } : { subject: "Your receipt", body: "Hi" }),
    })),
  );
  await send("order@example.com", {
    ...{ subject: "Your order {{ number }}", body: "Hi", data: { number: 4711 } },
  });
  await database.db.execute(sql`
    update emails set subject = 'Your order 4711', status = 'SENT', sent_at = app_now()
    where recipient = 'order@example.com'`);
  await database.db.execute(sql`
    update campaigns set status = 'SENT', finished_at = app_now() where project_id = ${projectId}`);
  await deleteTemplate(ctx, gone);
});

describe("the log by subject", () => {
  test("has single mail and each mail of a batch, newest first", async () => {
    const receipts = await listed({ subject: "Your receipt" });
    expect(receipts.at(-1)).toBe("receipt1");
    expect(receipts.toSorted()).toEqual(["receipt1", "receipt2", "receipt3"]);
  });

  test("has a campaign's mail, and the tests of a campaign", async () => {
    expect((await listed({ subject: "Weekly news" })).toSorted()).toEqual(["p0", "p1", "p2"]);
    const { id } = await createCampaign(project.ctx, {
      ...{ name: "Draft", subject: "Soon", from: "news@sandbox.test", body: "<p>Hi</p>" },
    });
    await testCampaign(project.ctx, id, { to: ["tester@example.com"] });
    expect(await listed({ subject: "[Test] Soon" })).toEqual(["tester"]);
  });

  test("finds it as it was written and as the recipient got it", async () => {
    expect(await listed({ subject: "Your order {{ number }}" })).toEqual(["order"]);
    expect(await listed({ subject: "Your order 4711" })).toEqual(["order"]);
    expect(await listed({ subject: "Your order 4711", status: "SENT" })).toEqual(["order"]);
    expect(await listed({ subject: "Your order 4711", status: "BOUNCED" })).toEqual([]);
  });

  test("is exact, and knows no other project's", async () => {
    for (const subject of ["your receipt", "Your", "Nothing", "%", "x".repeat(998)]) {
      expect(await listed({ subject })).toEqual([]);
    }
    const stranger = await makeProject(database.db);
    expect((await page({ subject: "Your receipt" }, stranger)).data).toEqual([]);
    expect(emailQuery.safeParse({ subject: "x".repeat(999) }).success).toBe(false);
  });

  test("together with other filters", async () => {
    const subject = "Your receipt";
    expect(await listed({ subject, search: "receipt2@" })).toEqual(["receipt2"]);
    expect(await listed({ subject, search: "welcome" })).toEqual([]);
    expect(await listed({ subject, status: "PENDING" })).toHaveLength(3);
    expect(await listed({ subject, status: "FAILED" })).toEqual([]);
    expect(await listed({ subject, event: "opened" })).toEqual([]);
    expect(await listed({ subject, source: "CAMPAIGN" })).toEqual([]);
    expect(await listed({ subject, endDate: "2020-01-01" })).toEqual([]);
    expect(await listed({ subject, startDate: "2020-01-01" })).toHaveLength(3);
    expect(await listed({ subject: "Weekly news", campaignId: campaign })).toHaveLength(3);
    expect(await listed({ subject, campaignId: campaign })).toEqual([]);
    const [{ id: messageId } = { id: "" }] = (await page({ subject })).data;
    expect(await listed({ subject, messageId })).toHaveLength(1);
    expect(await listed({ subject: "Weekly news", messageId })).toEqual([]);
  });
});

describe("the log by template", () => {
  test("has what was made from it, whichever way it was sent", async () => {
    const templateId = welcome;
    expect(await listed({ templateId })).toEqual(["welcome2", "welcome1"]);
    expect(await listed({ templateId, subject: "Welcome!" })).toEqual(["welcome2", "welcome1"]);
    expect(await listed({ templateId, subject: "Your receipt" })).toEqual([]);
  });

  test("also after it was deleted, campaigns' mail included", async () => {
    const templateId = gone;
    expect((await listed({ templateId })).toSorted()).toEqual(["gone1", "p0", "p1", "p2"]);
    expect((await listed({ templateId, subject: "Weekly news" })).toSorted()).toEqual([
      ...["p0", "p1", "p2"],
    ]);
    expect(await listed({ templateId, campaignId: campaign, search: "p1@" })).toEqual(["p1"]);
  });

  test("is empty for one that was never used; there is none of another project", async () => {
    expect(await listed({ templateId: await template("Unused") })).toEqual([]);
    const stranger = await makeProject(database.db);
    const foreign = await template("Foreign", stranger);
    const never = encodeId("template", newId(project.projectId));
    for (const templateId of [foreign, never, "nonsense", "em_1"]) {
      await expect(page({ templateId })).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
    await expect(page({ templateId: gone }, stranger)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

test("its pages have every email once, in the order of the whole", async () => {
  for (const query of [{ subject: "Your receipt" }, { templateId: gone }]) {
    const { data: whole } = await page({ ...query, limit: 100 });
    const ids: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const { data, nextCursor } = await page({ ...query, limit: 1, cursor });
      ids.push(...data.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(ids).toEqual(whole.map(({ id }) => id));
  }
});

describe("much mail of which little matches", () => {
  const count = 12_000;
  const subject = "Digest";
  let digests: TestProject;

  beforeAll(async () => {
    digests = await makeProject(database.db);
    const { projectId } = digests;
    await database.db.execute(sql`
      with mail as materialized (
        select n, new_id() as id, app_now() - interval '1 minute' * n as at from generate_series(1, ${count}::int) n
      ), written as (
        insert into messages (id, project_id, from_email, subject, created_at)
        select id, ${projectId}, ${from}, ${subject}, at from mail
      )
      insert into emails (id, project_id, message_id, recipient, source, status, created_at)
      select new_id(), ${projectId}, id, 'a@example.org', 'TRANSACTIONAL',
        case when n in (2, 7000, ${count}::int) then 'CLICKED' else 'SENT' end, at
      from mail`);
  });

  test("is searched so far at once, and says how far", async () => {
    const found: string[] = [];
    const stops: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const { data, nextCursor, searchedTo } = await page(
        { subject, status: "CLICKED", cursor },
        digests,
      );
      expect(nextCursor !== undefined).toBe(searchedTo !== undefined);
      found.push(...data.map(({ createdAt }) => createdAt));
      if (searchedTo) stops.push(searchedTo);
      // Nothing that was found lies further back than was searched.
      for (const { createdAt } of data) expect(createdAt >= (searchedTo ?? "")).toBe(true);
      cursor = nextCursor;
    }
    expect(found).toHaveLength(3);
    expect(stops.length).toBeGreaterThan(0);
    expect(stops).toEqual(stops.toSorted().toReversed());
  });

  test("is not searched for what was never counted", async () => {
    expect(await page({ subject, event: "clicked" }, digests)).toEqual({ data: [] });
  });

  test("is searched where it is rare", async () => {
    const failed = { subject, status: "BOUNCED" };
    expect(await page(failed, digests)).toEqual({ data: [] });
  });

  test("a cursor of something else is refused", async () => {
    for (const cursor of ["nonsense", Buffer.from('["x","y"]').toString("base64url")]) {
      await expect(page({ subject, cursor }, digests)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
  });
});
