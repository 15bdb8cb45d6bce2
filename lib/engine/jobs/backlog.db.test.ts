import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { sendEmail } from "@/lib/domain/emails/send";
import { sendInput } from "@/lib/domain/emails/send-schema";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { holdMail } from "@/lib/domain/sending-state/hold";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { readBacklog } from "./backlog";

const database = useTestDatabase();
const nothing = { count: 0, oldestSeconds: 0 };

test("an installation at rest has no backlog", async () => {
  expect(await readBacklog(database.db)).toEqual({
    mail: { transactional: nothing, campaign: nothing, later: nothing, warming: nothing },
    webhooks: nothing,
    held: false,
  });
});

test("each lane is counted apart, and told how long its oldest has been due", async () => {
  const { ctx } = await makeProject(database.db);
  await createWebhook(ctx, { url: "http://127.0.0.1:9/hook", events: ["*"] } as never);
  const send = (more: object = {}) =>
    sendEmail(
      ctx,
      validate(sendInput, {
        from: "shop@sandbox.test",
        to: "ada@example.org",
        subject: "Hello",
        body: "<p>Hello</p>",
        ...more,
      }),
    );
  await send();
  await database.travel("10 minutes");
  await send();
  await send({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() });
  const { projectId } = ctx;
  const row = (columns: string, values: ReturnType<typeof sql>) =>
    database.db.execute(sql`
      insert into email_queue (email_id, project_id, campaign_id, ${sql.raw(columns)})
      values (${newUnownedId()}, ${projectId}, ${newUnownedId()}, ${values})`);
  await row("due_at", sql`app_now() - interval '90 seconds'`);
  await row("warmup_rank", sql`1`);
  await holdMail(database.db, "asked");

  const { mail, webhooks, held } = await readBacklog(database.db);
  expect(Object.entries(mail).map(([lane, { count }]) => [lane, count])).toEqual([
    ["transactional", 2],
    ["campaign", 1],
    ["later", 1],
    ["warming", 1],
  ]);
  expect(mail.transactional.oldestSeconds).toBeGreaterThanOrEqual(600);
  expect(mail.campaign.oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(mail.campaign.oldestSeconds).toBeLessThan(600);
  expect([mail.later.oldestSeconds, mail.warming.oldestSeconds]).toEqual([0, 0]);
  expect(webhooks.count).toBeGreaterThan(0);
  expect(webhooks.oldestSeconds).toBeGreaterThanOrEqual(600);
  expect(held).toBe(true);
});
