import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { campaigns, emails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createList } from "@/lib/domain/lists/lists";
import { previewSegment } from "@/lib/domain/segment-members/segment-members";
import { getSegment, listSegments } from "@/lib/domain/segments/segments";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance } from "@/lib/testing/campaigns";
import { createCampaign } from "./campaigns";
import { followUpCampaign } from "./copies";
import type { CampaignInput } from "./schema";
import { sendCampaign } from "./transitions";

const database = useTestDatabase();
const uuid = (id: string) => decodeId("campaign", id) ?? "";

async function sent(ctx: Context, fields: CampaignInput = {}): Promise<string> {
  const { id } = await createCampaign(ctx, {
    ...{ name: "News", subject: "News", from: "news@sandbox.test", body: "<p>Hello</p>" },
    ...fields,
  });
  await sendCampaign(ctx, id, {});
  await advance(database.db);
  return id;
}

const outcomes = ["opened", "clicked", "unopened", "bounced", "waiting"] as const;
async function people(ctx: Context): Promise<void> {
  for (const name of outcomes) {
    await upsertContact(ctx, { email: `${name}@example.org`, unsubscribed: false });
  }
}

/** What came of the mail to each of them, as their names say. */
async function happened(id: string): Promise<void> {
  await database.db.execute(sql`
    update emails set
      sent_at = case when recipient not like 'waiting@%' then app_now() end,
      delivered_at = case when recipient !~ '^(waiting|bounced)@' then app_now() end,
      opened_at = case when recipient like 'opened@%' then app_now() end,
      clicked_at = case when recipient like 'clicked@%' then app_now() end,
      bounced_at = case when recipient like 'bounced@%' then app_now() end
    where campaign_id = ${uuid(id)}`);
}

test("goes to those who got it and did not open it: no click, no bounce, nobody who never got it", async () => {
  const { ctx } = await makeProject(database.db);
  await people(ctx);
  const id = await sent(ctx);
  await happened(id);
  const members = async (audience: string) => {
    const filter = { and: [{ field: `campaign.${id}`, op: "eq" as const, value: audience }] };
    const { sample } = await previewSegment(ctx, filter);
    return sample.map(({ email }) => email.replace("@example.org", "")).sort();
  };
  expect(await members("not_opened")).toEqual(["unopened"]);
  expect(await members("not_clicked")).toEqual(["opened", "unopened"]);
  expect(await members("delivered")).toEqual(["clicked", "opened", "unopened"]);
  expect(await members("sent")).toEqual(["bounced", "clicked", "opened", "unopened"]);
  const draft = await followUpCampaign(ctx, id, { audience: "not_opened" });
  expect(draft).toMatchObject({
    status: "DRAFT",
    name: "Follow-up: News",
    subject: "News",
    body: "<p>Hello</p>",
    listId: null,
  });
  const segment = await getSegment(ctx, draft.segmentId ?? "");
  expect(segment).toMatchObject({ name: "Did not open: News", contactCount: 1 });
  await sendCampaign(ctx, draft.id, {});
  await advance(database.db);
  const sentTo = await database.db
    .select({ recipient: emails.recipient })
    .from(emails)
    .where(eq(emails.campaignId, uuid(draft.id)));
  expect(sentTo).toEqual([{ recipient: "unopened@example.org" }]);
});

test("makes one segment however often it is asked for", async () => {
  const { ctx } = await makeProject(database.db);
  await people(ctx);
  const id = await sent(ctx);
  const drafts = await Promise.all(
    [1, 2, 3].map(() => followUpCampaign(ctx, id, { audience: "not_opened" })),
  );
  expect(new Set(drafts.map(({ segmentId }) => segmentId)).size).toBe(1);
  await followUpCampaign(ctx, id, { audience: "clicked" });
  expect((await listSegments(ctx, { limit: 10 })).data).toHaveLength(2);
});

test("keeps to the list, and says what the winner of an A/B test said", async () => {
  const { ctx } = await makeProject(database.db);
  await people(ctx);
  const list = await createList(ctx, { name: "Weekly", fromEmail: "a@sandbox.test" });
  const variants = [{ subject: "A" }, { subject: "B", body: "<p>B</p>" }];
  const id = await sent(ctx, { listId: list.id, abTest: { variants } });
  await database.db
    .update(campaigns)
    .set({ winner: 2 })
    .where(eq(campaigns.id, uuid(id)));
  const draft = await followUpCampaign(ctx, id, { audience: "not_clicked" });
  expect(draft).toMatchObject({ subject: "B", body: "<p>B</p>", abTest: null, listId: null });
  expect((await getSegment(ctx, draft.segmentId ?? "")).filter).toEqual({
    and: [
      { field: `campaign.${id}`, op: "eq", value: "not_clicked" },
      { field: "list", op: "eq", value: list.id },
    ],
  });
});

test("is refused for a campaign that has not begun", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createCampaign(ctx, { name: "News", incomplete: true });
  await expect(followUpCampaign(ctx, id, { audience: "opened" })).rejects.toMatchObject({
    code: "CONFLICT",
  });
});
