import { expect, test } from "vitest";
import { inboundRoutes, webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { createInboundRoute } from "./routes";

const database = useTestDatabase();

/** A project with a webhook and as many routes. */
async function mailbox(routes: number) {
  const { ctx } = await makeProject(database.db);
  const webhook = await createWebhook(ctx, { url: "https://example.com/in", events: ["*"] });
  const webhookId = decodeId("webhook", webhook.id) ?? "";
  const row = (n: number) => ({
    ...{ id: newId(ctx.projectId), projectId: ctx.projectId, webhookId },
    pattern: `before${n}@`,
  });
  if (routes > 0) {
    await database.db
      .insert(inboundRoutes)
      .values(Array.from({ length: routes }, (_, n) => row(n)));
  }
  const create = (n: number) =>
    createInboundRoute(ctx, { pattern: `support${n}@`, webhookId: webhook.id });
  return { create };
}

test("a project has 200 routes, however many ask for the last one, and another's do not count", async () => {
  const full = await mailbox(198);
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => full.create(n)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  await expect(full.create(9)).rejects.toMatchObject({
    code: "CONFLICT",
    message: "A project has at most 200 inbound routes.",
  });
  const other = await mailbox(0);
  expect(await other.create(1)).toMatchObject({ pattern: "support1@" });
  expect(await database.db.$count(webhooks)).toBe(2);
});
