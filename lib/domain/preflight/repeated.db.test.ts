import { beforeEach, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import type { CampaignInput } from "@/lib/domain/campaigns/schema";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createSegment } from "@/lib/domain/segments/segments";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { advance, seedContacts } from "@/lib/testing/campaigns";
import { dispatchDue } from "@/lib/testing/delivery";
import { preflightCampaign } from "./preflight";

const database = useTestDatabase();
let ctx: Context;

beforeEach(async () => {
  ({ ctx } = await makeProject(database.db));
});

async function make(fields: CampaignInput = {}): Promise<string> {
  const campaign = await createCampaign(ctx, {
    name: "News",
    subject: "News",
    from: "news@sandbox.test",
    body: "<p>Hello {{ firstName | default: 'you' }}</p>",
    ...fields,
  });
  return campaign.id;
}

async function findEarlier(fields: CampaignInput = {}) {
  const { advisory } = await preflightCampaign(ctx, await make(fields));
  return advisory.filter(({ code }) => code === "already_sent");
}

async function send(fields: CampaignInput): Promise<void> {
  await sendCampaign(ctx, await make(fields), {});
  await advance(database.db);
  await dispatchDue({ db: database.db, transport: null });
}

test("the same email to the same people is told, with the campaign before", async () => {
  await seedContacts(database.db, ctx.projectId, 3);
  await send({ name: "First" });
  expect(await findEarlier()).toMatchObject([
    { count: 3, message: expect.stringContaining("“First”") as string },
  ]);
  expect(await findEarlier({ subject: "Other news" })).toEqual([]);
});

test("it is told although the last campaign with it went to others", async () => {
  for (const email of ["ada@sandbox.test", "bob@sandbox.test"]) {
    await upsertContact(ctx, { email, tags: [email.slice(0, 3)], subscribed: true });
  }
  const tagged = async (value: string) =>
    (await createSegment(ctx, { name: value, filter: { field: "tags", op: "eq", value } })).id;
  const segmentId = await tagged("ada");
  await send({ name: "To Ada", segmentId });
  await send({ name: "To Bob", segmentId: await tagged("bob") });
  expect(await findEarlier({ segmentId })).toMatchObject([
    { count: 1, message: expect.stringContaining("“To Ada”") as string },
  ]);
});
