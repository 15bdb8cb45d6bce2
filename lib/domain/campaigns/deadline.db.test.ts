import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { campaigns } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { createCampaign, updateCampaign } from "./campaigns";
import type { CampaignUpdate } from "./schema";
import { scheduleCampaign } from "./transitions";

/* The latest time of a scheduled campaign: it stays after the start, whichever of them is changed. */
const database = useTestDatabase();
let ctx: Context;

beforeAll(async () => {
  ({ ctx } = await makeProject(database.db));
});

const hours = (number: number) => new Date(Date.now() + number * 3_600_000).toISOString();
const rowOf = (id: string) =>
  database.db
    .select()
    .from(campaigns)
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));

async function scheduled(sendBefore: string | null, personal = false): Promise<string> {
  const { id } = await createCampaign(ctx, {
    ...{ name: "News", subject: "News", from: "news@sandbox.test", body: "<p>News</p>" },
    ...{ sendBefore, personalTime: personal ? { mode: "local", at: "09:00" } : null },
  });
  await scheduleCampaign(ctx, id, { scheduledAt: hours(10) });
  return id;
}

async function refused(id: string, update: CampaignUpdate, message: string): Promise<void> {
  const before = await rowOf(id);
  await expect(updateCampaign(ctx, id, update)).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "sendBefore", message }],
  });
  expect(await rowOf(id)).toEqual(before);
}

test.each([false, true])(
  "neither is moved past the other (personal times: %s)",
  async (personal) => {
    const id = await scheduled(hours(20), personal);
    await refused(id, { scheduledAt: hours(21) }, "is not after scheduledAt");
    await refused(id, { sendBefore: hours(9) }, "is not after scheduledAt");
    await refused(id, { sendBefore: hours(-1) }, "is in the past");
    const same = hours(15);
    await refused(id, { scheduledAt: same, sendBefore: same }, "is not after scheduledAt");
    const times = { scheduledAt: hours(30), sendBefore: hours(40) };
    expect(await updateCampaign(ctx, id, times)).toMatchObject(times);
    const [row] = await rowOf(id);
    expect(row?.dueAt?.toISOString()).toBe(times.scheduledAt);
  },
);

test("without a latest time any start will do, and taking it away with the move is one change", async () => {
  const id = await scheduled(null);
  await updateCampaign(ctx, id, { scheduledAt: hours(50) });
  await refused(id, { sendBefore: hours(49) }, "is not after scheduledAt");
  await updateCampaign(ctx, id, { sendBefore: hours(60) });
  const update = { scheduledAt: hours(70), sendBefore: null };
  expect(await updateCampaign(ctx, id, update)).toMatchObject(update);
});

test("what is no time can be changed whatever has become of the times, and a draft has no start", async () => {
  const id = await scheduled(hours(20));
  await database.db
    .update(campaigns)
    .set({ sendBefore: new Date(hours(5)) })
    .where(eq(campaigns.id, decodeId("campaign", id) ?? ""));
  expect(await updateCampaign(ctx, id, { subject: "Other" })).toMatchObject({ subject: "Other" });
  const draft = await createCampaign(ctx, { name: "Draft", incomplete: true });
  const update = { sendBefore: hours(1), incomplete: true };
  expect(await updateCampaign(ctx, draft.id, update)).toMatchObject({ status: "DRAFT" });
});
