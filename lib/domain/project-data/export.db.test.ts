import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditLog, segments } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { createCampaign, updateCampaign } from "@/lib/domain/campaigns/campaigns";
import { createConnection, getConnection } from "@/lib/domain/connections/connections";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { createForm } from "@/lib/domain/forms/forms";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { createSegment } from "@/lib/domain/segments/segments";
import { createTemplate } from "@/lib/domain/templates/templates";
import { createTopic } from "@/lib/domain/topics/topics";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { systemContext, type Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { verifiedDomain } from "@/lib/testing/delivery";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { until } from "@/lib/testing/until";
import { readZip } from "@/lib/testing/zip";
import { exportProject } from "./export";

const database = useTestDatabase();
let projects = 0;

const bytesOf = async (ctx: Context) =>
  Buffer.from(await new Response(await exportProject(ctx)).arrayBuffer());
const linesIn = (files: Map<string, string>, name: string) =>
  (files.get(`${name}.ndjson`) ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function fullProject() {
  const project = await makeProject(database.db);
  const { ctx } = project;
  await upsertContact(ctx, {
    ...{ email: "ada@example.com", firstName: "Ada", tags: ["vip"] },
    data: { plan: "pro", formula: "=1+1" },
  });
  await upsertContact(ctx, { email: "bob@example.com" });
  const list = await makeList(ctx, { name: "Weekly" });
  const member = await join(ctx, list.id, "ada@example.com");
  const topic = await createTopic(ctx, { name: "Offers" });
  const mail = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const evidence = { ipAddress: "192.0.2.7", userAgent: "Firefox", text: "Leave offers" };
  const leaving = { action: "leave-topic", topic: topic.id } as const;
  await changePreferences(database.db, mail.token, leaving, evidence);
  await createSegment(ctx, {
    name: "Pro",
    filter: { field: "data.plan", op: "eq", value: "pro" },
  });
  await createTemplate(ctx, { name: "Hello", subject: "Hello", body: "<p>Template text</p>" });
  const november = { name: "November", body: "<p>Earlier text</p>", incomplete: true };
  const { id } = await createCampaign(systemContext(database.db, project.projectId), november);
  await updateCampaign(ctx, id, { body: "<p>Campaign text</p>", incomplete: true });
  await createForm(ctx, { name: "Footer" });
  await createWebhook(ctx, { url: "https://example.com/hook", events: ["*"] });
  await createApiKey(ctx, { name: "Shop" });
  const postmark = await createConnection(ctx, {
    ...{ name: "Postmark", kind: "postmark", apiKey: "11111111-2222-3333-4444-555555555555" },
  });
  await verifiedDomain(database.db, project.projectId, `mill-${++projects}.example`);
  return { ...project, postmarkId: postmark.id };
}

test("holds everything of the project, with full contents, and of no other", async () => {
  const { ctx } = await fullProject();
  const other = await makeProject(database.db);
  await upsertContact(other.ctx, { email: "eve@elsewhere.example" });
  const longAgo = new Date("2026-01-01");
  await database.db.update(segments).set({ viewedAt: longAgo, countedAt: longAgo });
  const bytes = await bytesOf(ctx);
  const files = readZip(bytes);
  // Nobody looks at them, so there is nothing to count.
  const [segment] = await database.db.select().from(segments);
  expect(segment).toMatchObject({ viewedAt: longAgo, countedAt: longAgo });
  expect([...files.keys()].at(0)).toBe("README.txt");
  expect([...files.keys()].at(-1)).toBe("manifest.json");
  expect(linesIn(files, "contacts").map(({ email }) => email)).toEqual([
    ...["bob@example.com", "ada@example.com"],
  ]);
  expect(linesIn(files, "contacts")[1]).toMatchObject({ tags: ["vip"], data: { plan: "pro" } });
  expect(linesIn(files, "list-members")).toMatchObject([{ status: "subscribed" }]);
  expect(linesIn(files, "topic-departures")).toHaveLength(1);
  expect(linesIn(files, "segments")).toMatchObject([{ name: "Pro" }]);
  expect(linesIn(files, "templates")).toMatchObject([{ body: "<p>Template text</p>" }]);
  const campaigns = linesIn(files, "campaigns");
  expect(campaigns.find(({ name }) => name === "November")).toMatchObject({
    body: "<p>Campaign text</p>",
    stats: { recipients: 0 },
  });
  expect(linesIn(files, "campaign-versions")).toMatchObject([
    { campaignId: expect.stringMatching(/^cmp_/) as unknown, body: "<p>Earlier text</p>" },
  ]);
  for (const name of ["lists", "topics", "forms", "webhooks", "domains", "api-keys", "members"]) {
    expect([name, linesIn(files, name).length > 0]).toEqual([name, true]);
  }
  expect(files.get("contacts.csv")).toContain("'=1+1");
  expect(files.get("consent.csv")).toContain("Leave offers");
  expect(files.get("suppressions.csv")).toContain("email,reason");
  const manifest = JSON.parse(files.get("manifest.json") ?? "") as { rows: object };
  expect(manifest.rows).toMatchObject({ contacts: 2, "list-members": 1, templates: 1 });
  expect(bytes.includes("eve@elsewhere.example")).toBe(false);
  const acts = await database.db.select({ action: auditLog.action }).from(auditLog);
  const exports = acts.filter(({ action }) => action.startsWith("export."));
  expect(exports).toEqual([{ action: "export.project" }]);
});

test("no secret of the project is in it", async () => {
  const { ctx, apiKey, postmarkId } = await fullProject();
  const bytes = await bytesOf(ctx);
  expect(bytes.includes(apiKey)).toBe(false);
  // An admin reads it in the address that Postmark is to be given.
  const postmark = await getConnection(ctx, postmarkId);
  const { password } = new URL("webhookUrl" in postmark ? (postmark.webhookUrl ?? "") : "");
  expect(password).toHaveLength(32);
  expect(bytes.includes(password)).toBe(false);
  expect(linesIn(readZip(bytes), "connections")).toMatchObject([{ name: "Postmark" }]);
  const sealed = await database.db.execute<{ secret: string }>(sql`
    select dkim_private_key_sealed as secret from domains
    union all select secret_sealed from webhooks union all select encode(hash, 'hex') from api_keys`);
  expect(sealed.length).toBeGreaterThan(3);
  for (const { secret } of sealed) expect(bytes.includes(secret)).toBe(false);
  expect(bytes.toString("latin1")).not.toMatch(/whsec_|PRIVATE KEY|Sealed/);
});

test("only admins and owners take it", async () => {
  const { ctx } = await makeProject(database.db);
  await expect(exportProject({ ...ctx, role: "editor" })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
  await expect(exportProject({ ...ctx, role: "admin" })).resolves.toBeInstanceOf(ReadableStream);
});

test("what keeps the contacts from being read is told before the archive begins", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await database.db.execute(sql`alter table contacts rename column data to elsewhere`);
  try {
    await expect(exportProject(ctx)).rejects.toThrow();
  } finally {
    await database.db.execute(sql`alter table contacts rename column elsewhere to data`);
  }
  const exported = and(eq(auditLog.projectId, projectId), eq(auditLog.action, "export.project"));
  expect(await database.db.$count(auditLog, exported)).toBe(0);
});

test("reads as far as it is taken, and holds no connection meanwhile", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  // More than fits into what is read at once, each with much to say.
  await database.db.execute(sql`
    insert into contacts (id, project_id, email, consent, data)
    select gen_random_uuid(), ${projectId}, 'p' || n || '@example.com', 'subscribed', jsonb_build_object('text', repeat('x', 500))
    from generate_series(1, 9000) n`);
  const reader = (await exportProject(ctx)).getReader();
  const busy = async () =>
    (
      await database.db.execute<{ n: number }>(sql`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
    )[0]?.n;
  const readers = await Promise.all(
    Array.from({ length: env().DATABASE_POOL + 2 }, async () => {
      const another = (await exportProject(ctx)).getReader();
      await another.read();
      return another;
    }),
  );
  await reader.read();
  // All of them wait for whoever downloads, and none for the database.
  await until(async () => (await busy()) === 0, { what: "connections at rest" });
  // The library ends what it reads by throwing the reason into it, and so refuses with it.
  for (const another of readers) await another.cancel().catch(() => undefined);
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
  }
  expect(bytes).toBeGreaterThan(9_000 * 500 * 2);
});
