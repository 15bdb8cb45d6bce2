import { readFileSync } from "node:fs";
import { sql } from "drizzle-orm";
const info = JSON.parse(readFileSync("/tmp/pace-perf/info.json", "utf8"));
process.env.DATABASE_URL = info.url;
process.env.APP_SECRET = "a secret that only benchmarks use";
process.env.CRON_SECRET = "a cron secret that only benchmarks use";
const { connect } = await import("@/db/client");
const { systemContext } = await import("@/lib/ground/context");
const { encodeId } = await import("@/lib/ground/ids/ids");
const { compileFilter } = await import("@/lib/domain/segments/compile");
const { countMatching } = await import("@/lib/domain/segments/count");
const { suggestSunset } = await import("@/lib/domain/engagement/read");
const { getCampaignBreakdown } = await import("@/lib/domain/campaigns/breakdown");
const db = connect(info.url, { max: 4 });
const want = process.argv[2] ?? "all";
const time = async (what: string, f: () => Promise<unknown>) => {
  for (let i = 0; i < 2; i++) {
    const t = performance.now();
    const r = await f();
    console.log(what, Math.round(performance.now() - t), "ms", JSON.stringify(r).slice(0, 200));
  }
};
await time("floor", () =>
  db.execute(sql`select count(*) from emails where project_id=${info.a} and sent_at is not null`),
);
if (want === "all" || want === "breakdown") {
  const c = systemContext(db, info.b);
  const t = performance.now();
  const r = await getCampaignBreakdown(c, encodeId("campaign", info.camps[5]));
  console.log(
    "breakdown",
    Math.round(performance.now() - t),
    JSON.stringify(r.providers.slice(0, 4)),
  );
}
const filters: any = {
  lastSeen: { and: [{ field: "lastSeenAt", op: "gt", value: "2026-10-01" }] },
  score: { and: [{ field: "engagementScore", op: "gt", value: 50 }] },
  inactive: { and: [{ field: "inactiveDays", op: "gt", value: 90 }] },
  inactiveLt: { and: [{ field: "inactiveDays", op: "lt", value: 90 }] },
  ignored: { and: [{ field: "ignoredEmails", op: "gt", value: 2 }] },
  sunset: {
    and: [
      { field: "subscribed", op: "eq", value: true },
      { field: "inactiveDays", op: "gt", value: 90 },
      { field: "ignoredEmails", op: "gt", value: 2 },
    ],
  },
};
const f = process.argv[3];
if (want === "all")
  for (const [name, filter] of Object.entries(filters))
    await time(name, () => countMatching(db as any, info.a, compileFilter(filter as any, info.a)));
if (want === "all") {
  const t = performance.now();
  const r = await suggestSunset(systemContext(db, info.a));
  console.log("sunset suggestions", Math.round(performance.now() - t), JSON.stringify(r));
}
if (f)
  for (const r of await db.execute<any>(
    sql`explain (analyze, buffers) select count(*) from contacts c where c.project_id=${info.a} and ${compileFilter(filters[f], info.a)}`,
  ))
    console.log(r["QUERY PLAN"]);
await db.$client.end();
