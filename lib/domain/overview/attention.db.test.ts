import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { createWebhook } from "@/lib/domain/webhooks/webhooks";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { makeCampaign } from "@/lib/testing/campaigns";
import { verifiedDomain } from "@/lib/testing/delivery";
import { addFigureDeltas } from "@/lib/testing/figures";
import { getOverview } from "./overview";
import { overview } from "./schema";

const database = useTestDatabase();

const read = async (ctx: Parameters<typeof getOverview>[0]) =>
  overview.parse(await getOverview(ctx, { range: "7d" }));

test("nothing needs anybody in a project where nothing is wrong", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await verifiedDomain(database.db, projectId, "well.example");
  await createWebhook(ctx, { url: "https://example.com/hook", events: ["*"] });
  expect(await read(ctx)).toMatchObject({
    attention: [],
    next: { scheduled: null, draft: null },
  });
});

test("what is wrong is named with its reason, and another project hears nothing of it", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const stranger = await makeProject(database.db);
  const { id: lost } = await verifiedDomain(database.db, projectId, "lost.example");
  const { id: failed } = await verifiedDomain(database.db, projectId, "failed.example");
  await database.db.execute(sql`update domains set dkim_misses = 1 where id = ${lost}`);
  await database.db.execute(sql`update domains set status = 'FAILED' where id = ${failed}`);
  const fromEmail = "news@lost.example";
  const guarded = await makeCampaign(database.db, { projectId, fromEmail, name: "Harmful" });
  await database.db.execute(sql`
    update campaigns set status = 'PAUSED', failure_reason = '9% bounced.', guard = '{}'
    where id = ${guarded}`);
  await makeCampaign(database.db, { projectId, fromEmail, status: "PAUSED", name: "By hand" });
  const [off, failing, stopped, brief] = await Promise.all(
    ["off", "failing", "stopped", "brief"].map((name) =>
      createWebhook(ctx, { url: `https://example.com/${name}`, events: ["*"] }),
    ),
  );
  const uuid = (webhook: { id: string } | undefined) => decodeId("webhook", webhook?.id ?? "");
  await database.db.execute(sql`
    update webhooks set
      enabled = id not in (${uuid(off)}, ${uuid(stopped)}),
      disabled_reason = case when id = ${uuid(off)} then 'It failed for five days.' end,
      failing_since = case id when ${uuid(failing)} then app_now() - interval '1 hour'
        when ${uuid(brief)} then app_now() - interval '1 minute' end
    where project_id = ${projectId}`);
  const { attention } = await read(ctx);
  const named = attention.map(({ kind, id, name, words }) => [kind, id, name, words]);
  expect(named.toSorted()).toEqual(
    [
      ["domain", encodeId("domain", lost), "lost.example", null],
      ["domain", encodeId("domain", failed), "failed.example", null],
      ["campaign", encodeId("campaign", guarded), "Harmful", "9% bounced."],
      ["webhook", off?.id, "https://example.com/off", "It failed for five days."],
      ["webhook", failing?.id, "https://example.com/failing", null],
    ].toSorted(),
  );
  expect((await read(stranger.ctx)).attention).toEqual([]);
});

test("a month's limit is told of from four fifths on", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await database.db.execute(
    sql`update projects set monthly_email_limit = 1000 where id = ${projectId}`,
  );
  const use = (emails: number) =>
    database.db.execute(sql`
      insert into monthly_usage (project_id, month, slot, emails)
      values (${projectId}, date_trunc('month', app_now() at time zone 'UTC'), 0, ${emails})
      on conflict (project_id, month, slot) do update set emails = excluded.emails`);
  await use(799);
  expect((await read(ctx)).attention).toEqual([]);
  await use(800);
  expect((await read(ctx)).attention).toEqual([
    { kind: "limit", id: null, name: "800 of 1,000", words: null },
  ]);
});

test("the campaign that goes out next and the draft begun last are named", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const fromEmail = "news@example.com";
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const make = (name: string, values: object) =>
    makeCampaign(database.db, { projectId, fromEmail, name, ...values });
  await make("Later", { status: "SCHEDULED", scheduledAt: at(48) });
  const sooner = at(5);
  const first = await make("Sooner", { status: "SCHEDULED", scheduledAt: sooner });
  await make("Old draft", { status: "DRAFT" });
  const draft = await make("New draft", { status: "DRAFT" });
  expect((await read(ctx)).next).toEqual({
    scheduled: { id: encodeId("campaign", first), name: "Sooner", at: sooner.toISOString() },
    draft: { id: encodeId("campaign", draft), name: "New draft" },
  });
});

test("the period before is as long, and ends where the range begins", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const put = async (sent: number, hours: number) => {
    await addFigureDeltas(database.db, [{ projectId, campaignId: null, sent, bounced: sent / 10 }]);
    await database.db.execute(sql`
      update hourly_figures set hour = date_trunc('day', app_now(), 'UTC') - make_interval(hours => ${hours})
      where project_id = ${projectId} and hour > app_now() - interval '2 hours'`);
  };
  // The range is today and the six days before it.
  await put(1_000, 6 * 24);
  await put(200, 6 * 24 + 1);
  await put(50, 13 * 24);
  await put(8_000, 13 * 24 + 1);
  const { totals, before } = await read(ctx);
  expect(totals.sent).toBe(1_000);
  expect(before).toMatchObject({ totals: { sent: 250, bounced: 25 }, rates: { bounces: 0.1 } });
});
