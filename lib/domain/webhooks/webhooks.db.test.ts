import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditLog, webhooks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { reloadEnv } from "@/lib/ground/env/env";
import { decodeId } from "@/lib/ground/ids/ids";
import { unseal } from "@/lib/ground/secrets";
import { makeProject } from "@/lib/testing";
import { webhookInput } from "./schema";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  mostWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from "./webhooks";

const database = useTestDatabase();
const url = "https://example.com/hooks";

test.each(["https://ada@example.com/", "https://:secret@example.com/", "https://a:b@example.com/"])(
  "an address with a name or a password is none: %s",
  (address) => {
    expect(webhookInput.safeParse({ url: address, events: ["*"] }).success).toBe(false);
  },
);

describe("a webhook", () => {
  test("shows its secret once, and keeps it sealed", async () => {
    const { ctx } = await makeProject(database.db);
    const created = await createWebhook(ctx, { url, events: ["email.sent", "email.sent"] });
    expect(created.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(created.events).toEqual(["email.sent"]);
    expect(await getWebhook(ctx, created.id)).not.toHaveProperty("secret");
    const rotated = await rotateWebhookSecret(ctx, created.id);
    expect(rotated.secret).not.toBe(created.secret);
    const [row] = await database.db
      .select()
      .from(webhooks)
      .where(eq(webhooks.projectId, ctx.projectId));
    expect(row?.secretSealed).not.toContain(rotated.secret);
    expect(unseal(row?.secretSealed ?? "")).toBe(rotated.secret);
  });

  test("changes only what is given, and says who did it", async () => {
    const { ctx } = await makeProject(database.db);
    const created = await createWebhook(ctx, { url, events: ["*"] });
    expect(await updateWebhook(ctx, created.id, { enabled: false })).toMatchObject({
      url,
      events: ["*"],
      enabled: false,
    });
    const rows = await database.db
      .select({ action: auditLog.action })
      .from(auditLog)
      .where(eq(auditLog.target, created.id));
    expect(rows.map(({ action }) => action).sort()).toEqual(["create.webhook", "update.webhook"]);
  });
});

test("a project has so many at most, however many are asked for at once", async () => {
  const { ctx } = await makeProject(database.db);
  const input = { url, events: ["*" as const] };
  const { id } = await createWebhook(ctx, input);
  await database.db.execute(sql`
    insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
    from webhooks w, generate_series(4, ${mostWebhooks}::int) n
    where w.id = ${decodeId("webhook", id)}`);
  const asked = await Promise.allSettled([1, 2, 3, 4, 5].map(() => createWebhook(ctx, input)));
  const refused = asked.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  expect(refused).toHaveLength(3);
  for (const error of refused) expect(error).toMatchObject({ code: "CONFLICT" });
  const mine = eq(webhooks.projectId, ctx.projectId);
  expect(await database.db.$count(webhooks, mine)).toBe(mostWebhooks);
  await deleteWebhook(ctx, id);
  await createWebhook(ctx, input);
});

describe("its address, where private ones are not allowed", () => {
  afterEach(() => {
    delete process.env["ALLOW_PRIVATE_ADDRESSES"];
    reloadEnv();
  });

  test.each([
    "http://example.com/",
    "https://localhost/",
    "https://intranet/",
    "https://db.internal/",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://169.254.169.254/latest/meta-data",
    "https://10.1.2.3/",
    "https://100.64.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
  ])("%s is refused", async (bad) => {
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    reloadEnv();
    const { ctx } = await makeProject(database.db);
    await expect(createWebhook(ctx, { url: bad, events: ["*"] })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ path: "url" }],
    });
  });

  test("a public https address is taken", async () => {
    process.env["ALLOW_PRIVATE_ADDRESSES"] = "0";
    reloadEnv();
    const { ctx } = await makeProject(database.db);
    expect((await createWebhook(ctx, { url, events: ["*"] })).url).toBe(url);
  });
});
