import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { inboundEmails } from "@/db/schema";
import type { OriginChecks } from "@/db/schema/inbound";
import { useTestDatabase } from "@/db/testing";
import { getBulkChange } from "@/lib/domain/contact-fields/bulk-change-rows";
import { startBulkChange } from "@/lib/domain/contact-fields/bulk-changes";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { runBulkChanges } from "@/lib/engine/bulk-changes/run";
import { getOverview } from "@/lib/domain/overview/overview";
import { getProjectSettings, updateProjectSettings } from "@/lib/domain/projects/settings";
import { env, reloadEnv } from "@/lib/ground/env/env";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { dispatchDue, send, storedEmail } from "@/lib/testing/delivery";
import { cleanUp } from "./cleanup";

const database = useTestDatabase();
const from = "shop@sandbox.test";
const checks: OriginChecks = {
  spf: { result: "none", domain: null },
  dkim: [],
  dmarc: { result: "none", domain: null, policy: null },
  arc: { result: "none" },
};

afterEach(() => {
  delete process.env["KEEP_EMAILS_DAYS"];
  delete process.env["KEEP_RECEIVED_DAYS"];
  reloadEnv();
});

async function count(table: string, projectId: string): Promise<number> {
  const [row] = await database.db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${sql.raw(table)} where project_id = ${projectId}`,
  );
  return row?.n ?? -1;
}

const clean = () => cleanUp(database.db, AbortSignal.timeout(60_000));

it("each project's history ends where it says, in full, and its figures stay", async () => {
  const [short, long] = [await makeProject(database.db), await makeProject(database.db)];
  await updateProjectSettings(short.ctx, { retention: { emails: 60, audit: 30 } });
  for (const { ctx } of [short, long]) {
    // More than one batch, and several emails of one message.
    for (let n = 0; n < 11; n++) {
      const to = Array.from({ length: 100 }, (_, i) => `p${n}-${i}@example.org`);
      await send(ctx, { from, to });
    }
  }
  for (const { ctx } of [short, long]) {
    await upsertContact(ctx, { email: "p0-0@example.org", firstName: "Ada" });
  }
  await dispatchDue({ db: database.db, transport: null });
  await database.db.execute(sql`
    insert into link_clicks (email_id, link_id) select id, 1 from emails`);
  await database.travel("61 days");
  const [young = ""] = await send(short.ctx, { from });
  const sentBefore = (await getOverview(short.ctx, { range: "90d" })).totals.sent;
  expect((await clean()).emails).toBe(1_100);
  expect(await count("emails", short.projectId)).toBe(1);
  expect(await count("email_events", short.projectId)).toBe(0);
  // The clicks of the other project's emails are left.
  const [clicks] = await database.db.execute(sql`select count(*)::int as left from link_clicks`);
  expect(clicks).toEqual({ left: 1_100 });
  expect(await count("messages", short.projectId)).toBe(1);
  expect(await count("audit_log", short.projectId)).toBe(0);
  expect(await count("contact_changes", short.projectId)).toBe(0);
  expect(await count("contact_changes", long.projectId)).toBe(1);
  expect((await storedEmail(database.db, young)).status).toBe("PENDING");
  expect((await getOverview(short.ctx, { range: "90d" })).totals.sent).toBe(sentBefore);
  expect(sentBefore).toBe(1_100);
  expect(await count("emails", long.projectId)).toBe(1_100);
  expect(await count("email_events", long.projectId)).toBe(2_200);
}, 60_000);

it("received mail goes when the project keeps it no longer, or the installation does", async () => {
  const [short, long] = [await makeProject(database.db), await makeProject(database.db)];
  await updateProjectSettings(short.ctx, { retention: { received: 7 } });
  await expect(
    updateProjectSettings(short.ctx, { retention: { received: 91 } }),
  ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const receive = async (days: number) => {
    for (const { projectId } of [short, long]) {
      await database.db.insert(inboundEmails).values({
        ...{ id: newId(projectId), projectId, fingerprint: randomBytes(32) },
        ...{ envelopeFrom: "ada@example.org", recipients: ["support@shop.example"], size: 2 },
        ...{ fromEmail: "ada@example.org", fromName: "", subject: "Hi", headerId: null },
        ...{ inReplyTo: null, references: [], text: "", html: null, attachments: [] },
        ...{ automatic: false, routePatterns: [], unrouted: true, raw: Buffer.from("Hi"), checks },
        createdAt: sql`app_now() - make_interval(days => ${days})`,
      });
    }
  };
  await database.travel("60 days");
  await receive(8);
  await receive(6);
  expect((await clean()).received).toBe(1);
  const kept = () =>
    Promise.all([short, long].map(({ projectId }) => count("inbound_emails", projectId)));
  expect(await kept()).toEqual([1, 2]);
  process.env["KEEP_RECEIVED_DAYS"] = "3";
  reloadEnv();
  expect((await clean()).received).toBe(3);
  expect(await kept()).toEqual([0, 0]);
});

it("reports on a domain go with their rows when the project keeps them no longer, others' stay", async () => {
  const [short, long] = [await makeProject(database.db), await makeProject(database.db)];
  await updateProjectSettings(short.ctx, { retention: { reports: 7 } });
  await expect(
    updateProjectSettings(short.ctx, { retention: { reports: 91 } }),
  ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  const report = async ({ projectId }: { projectId: string }) => {
    await database.db.execute(sql`
      with report as (
        insert into domain_reports (id, project_id, domain_id, kind, reporter, organization,
          report_id, begins_at, ends_at)
        select new_id(project_id), project_id, id, 'tls', 'google.com', 'Google', '1', app_now(), app_now()
        from domains where project_id = ${projectId} returning id
      ) insert into tls_report_rows (report_id, position, policy_type, sessions)
      select id, 1, 'sts', 9 from report`);
  };
  await report(short);
  await report(long);
  await database.travel("6 days");
  await clean();
  expect(await count("domain_reports", short.projectId)).toBe(1);
  await database.travel("2 days");
  await clean();
  expect(await count("domain_reports", short.projectId)).toBe(0);
  expect(await count("domain_reports", long.projectId)).toBe(1);
});

it("what still waits in the queue is kept, whatever its age, and so is its content", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await updateProjectSettings(ctx, { retention: { emails: 60 } });
  const [waits = ""] = await send(ctx, { from, to: ["a@example.org", "b@example.org"] });
  await database.db.execute(sql`
    update email_queue set due_at = app_now() + interval '1 year', asleep = true
    where email_id = ${waits}`);
  await dispatchDue({ db: database.db, transport: null });
  await database.travel("61 days");
  await clean();
  expect(await count("emails", projectId)).toBe(1);
  expect(await count("messages", projectId)).toBe(1);
  expect((await storedEmail(database.db, waits)).status).toBe("PENDING");
});

it("a project keeps nothing longer than the installation, and cannot ask for it", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  expect((await getProjectSettings(ctx)).retention).toMatchObject({
    emails: { days: null, atMost: null },
    captured: { days: null, atMost: 30 },
  });
  const invalid = { code: "VALIDATION_ERROR" };
  await expect(updateProjectSettings(ctx, { retention: { captured: 31 } })).rejects.toMatchObject(
    invalid,
  );
  await updateProjectSettings(ctx, { retention: { emails: 400 } });
  process.env["KEEP_EMAILS_DAYS"] = "90";
  reloadEnv();
  expect(env().KEEP_EMAILS_DAYS).toBe(90);
  await send(ctx, { from });
  await dispatchDue({ db: database.db, transport: null });
  await database.travel("91 days");
  await clean();
  expect(await count("emails", projectId)).toBe(0);
});

it("whom a bulk change was about is forgotten after seven days, and the change can no longer be taken back", async () => {
  const { ctx } = await makeProject(database.db);
  await upsertContact(ctx, { email: "ada@example.com" });
  const { id } = await startBulkChange(ctx, { action: "tag", name: "vip", filter: {} });
  await runBulkChanges(database.db, AbortSignal.timeout(20_000));
  await database.travel("6 days");
  expect((await clean()).bulkChangeChunks).toBe(0);
  expect((await getBulkChange(ctx, id)).undoable).toBe(true);
  await database.travel("2 days");
  expect((await clean()).bulkChangeChunks).toBe(1);
  expect(await getBulkChange(ctx, id)).toMatchObject({ status: "COMPLETED", undoable: false });
});
