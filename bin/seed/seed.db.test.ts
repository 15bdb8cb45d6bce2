import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getCampaign, listCampaigns } from "@/lib/domain/campaigns/read";
import { getDepartures } from "@/lib/domain/departures/departures";
import { listLists } from "@/lib/domain/lists/lists";
import { segmentFilter } from "@/lib/domain/segments/schema";
import { listSegments } from "@/lib/domain/segments/segments";
import { systemContext } from "@/lib/ground/context";
import { decodeId } from "@/lib/ground/ids/ids";
import { seedProject } from "./project";

const database = useTestDatabase();
const options = { project: "Northwind Tea", contacts: 400, emails: 3_000 };

test("a seeded project has a history whose figures add up, and nothing that would be sent", async () => {
  const { db } = database;
  const { projectId, campaigns } = await seedProject(db, options);
  const uuid = decodeId("project", projectId) ?? "";
  const ctx = systemContext(db, uuid);

  const page = await listCampaigns(ctx, { limit: 100 });
  const sent = page.data.filter(({ status }) => status === "SENT");
  expect(sent).toHaveLength(campaigns);
  for (const { id } of sent) {
    const { stats } = await getCampaign(ctx, id);
    const [mail] = await db.execute<Record<string, number>>(sql`
      select count(*)::int as recipients, count(opened_at)::int as opened, count(clicked_at)::int as clicked,
        count(bounced_at)::int as bounced
      from emails where campaign_id = ${decodeId("campaign", id) ?? ""}`);
    expect(stats).toMatchObject({ ...mail, pending: 0, failed: 0 });
    expect(stats.opened).toBeGreaterThan(stats.recipients / 10);
    expect(stats.opened).toBeLessThan(stats.recipients * 0.8);
    expect(stats.clicked).toBeGreaterThan(0);
    expect(stats.clicked).toBeLessThan(stats.opened);
  }
  const [mail] = await db.execute(sql`
    select count(*)::int as n, (select count(*)::int from email_queue) as waiting, count(*) filter (where created_at > now())::int as ahead
    from emails where project_id = ${uuid}`);
  expect(mail).toEqual({ n: options.emails, waiting: 0, ahead: 0 });
  // As many programs wrote them: what one transaction wrote is sorted anew for each page of events.
  const [written] = await db.execute<{ most: number }>(sql`
    select max(n)::int as most from (select count(*) as n from email_events group by position) as transactions`);
  expect(written?.most).toBeLessThan(100);
  const [left] = await db.execute<{ consents: string[] }>(sql`
    select array_agg(distinct consent) as consents from consent_changes
    join contacts on contacts.id = contact_id where after = 'unsubscribed'`);
  expect(left?.consents).toEqual(["unsubscribed"]);
  expect((await getDepartures(ctx, {})).people).toBeGreaterThan(0);
  const lists = await listLists(ctx, { limit: 10 });
  expect(lists.data).toHaveLength(3);
  const segments = await listSegments(ctx, { limit: 10 });
  for (const { contactCount, filter } of segments.data) {
    expect(contactCount).toBeGreaterThan(0);
    expect(segmentFilter.safeParse(filter).error).toBeUndefined();
  }
});

test("a project that exists is left alone", async () => {
  await seedProject(database.db, { ...options, project: "Twice", contacts: 10, emails: 20 });
  await expect(
    seedProject(database.db, { ...options, project: "Twice", contacts: 10, emails: 20 }),
  ).rejects.toThrow("There is a project Twice already");
});
