import { beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { createCampaign, updateCampaign } from "./campaigns";
import { getCampaign } from "./read";
import {
  cancelCampaign,
  pauseCampaign,
  resumeCampaign,
  scheduleCampaign,
  sendCampaign,
  unscheduleCampaign,
} from "./transitions";

const database = useTestDatabase();
let live: Context;
let tests: Context;

beforeAll(async () => {
  live = (await makeProject(database.db)).ctx;
  tests = { ...live, testMode: true };
});

const draft = async () =>
  (
    await createCampaign(live, {
      ...{ name: "News", subject: "News", from: "news@sandbox.test", body: "<p>Hello</p>" },
    })
  ).id;
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const schedule = (ctx: Context, id: string) =>
  scheduleCampaign(ctx, id, { scheduledAt: tomorrow() });
const send = (ctx: Context, id: string) => sendCampaign(ctx, id, {});
const pause = async (ctx: Context, id: string) => {
  await send(ctx, id);
  return pauseCampaign(ctx, id);
};
const change = (ctx: Context, id: string) => updateCampaign(ctx, id, { subject: "Other news" });

describe("a test key", () => {
  test.each([
    ["sends", "SCHEDULED", schedule, send],
    ["takes back", "SCHEDULED", schedule, unscheduleCampaign],
    ["changes", "SCHEDULED", schedule, change],
    ["cancels", "SCHEDULED", schedule, cancelCampaign],
    ["pauses", "SENDING", send, pauseCampaign],
    ["resumes", "PAUSED", pause, resumeCampaign],
    ["cancels", "PAUSED", pause, cancelCampaign],
  ] as const)(
    "%s what is %s only if it was a test from the start",
    async (_, state, begin, act) => {
      const id = await draft();
      await begin(live, id);
      const before = await getCampaign(live, id);
      expect(before.status).toBe(state);
      await expect(act(tests, id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
      expect(await getCampaign(live, id)).toEqual(before);

      const own = await draft();
      await begin(tests, own);
      await act(tests, own);
    },
  );

  test("is told of the state where nobody could do it", async () => {
    const id = await draft();
    await send(live, id);
    await expect(unscheduleCampaign(tests, id)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
