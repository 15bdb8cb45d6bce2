import { expect, test, beforeAll } from "vitest";
import { useTestDatabase } from "@/db/testing";
import type { Context } from "@/lib/ground/context";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";
import { createCampaign, updateCampaign } from "./campaigns";
import type { CampaignInput } from "./schema";

const database = useTestDatabase();
let project: TestProject;
let ctx: Context;

beforeAll(async () => {
  project = await makeProject(database.db);
  ctx = project.ctx;
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const make = async (fields: CampaignInput = {}) =>
  (
    await createCampaign(ctx, {
      name: "News",
      subject: "News",
      from: "news@sandbox.test",
      body: "<p>Hello</p>",
      ...fields,
    })
  ).id;

const ask: ReturnType<typeof bearerClient> = (...request) =>
  bearerClient(project.apiKey)(...request);

test("send needs no body", async () => {
  const { status, body } = await ask("POST", `/v1/campaigns/${await make()}/send`);
  expect([status, body.status]).toEqual([200, "SENDING"]);
});

test("send with an Idempotency-Key is one send, and its answer comes again", async () => {
  const id = await make();
  const once = (key: string, body: unknown = {}) =>
    ask("POST", `/v1/campaigns/${id}/send`, body, { "idempotency-key": key });
  const answers = await Promise.all(Array.from({ length: 20 }, () => once("key-1")));
  const taken = answers.filter(({ status }) => status === 200);
  expect(new Set(taken.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  const again = await once("key-1");
  expect([again.status, again.text]).toEqual([200, taken[0]?.text]);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
  expect((await once("key-1", { scheduledAt: inDays(1) })).status).toBe(409);
  expect((await once("key-2")).status).toBe(409);
  // The same key for another campaign is another request.
  const otherCampaign = await make();
  const sent = await ask(
    "POST",
    `/v1/campaigns/${otherCampaign}/send`,
    {},
    { "idempotency-key": "key-1" },
  );
  expect(sent.status).toBe(200);
});

test("a refused send leaves the key free", async () => {
  const id = await make({ subject: "", incomplete: true });
  const once = () => ask("POST", `/v1/campaigns/${id}/send`, {}, { "idempotency-key": "key-3" });
  expect((await once()).status).toBe(400);
  await updateCampaign(ctx, id, { subject: "News" });
  expect((await once()).status).toBe(200);
});

test("a list by a state that does not exist is refused", async () => {
  expect((await ask("GET", "/v1/campaigns?status=RUNNING")).status).toBe(400);
});
