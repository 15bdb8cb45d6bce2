import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { pagesRead } from "@/db/testing/rows-read";
import { createSegment } from "@/lib/domain/segments/segments";
import { createTopic } from "@/lib/domain/topics/topics";
import { decodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { seedContacts } from "@/lib/testing/campaigns";
import { until } from "@/lib/testing/until";
import { estimateAudience } from "./audience";

const database = useTestDatabase();
const count = 20_000;

test("everybody is counted as a segment of everybody is, without reading those of whom an index says enough", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const { id: topicId } = await createTopic(ctx, { name: "Offers", description: "" });
  await seedContacts(database.db, projectId, count, {
    email: sql`'p' || n || case when n % 100 = 0 then '@shut.example' else '@open.example' end`,
    consent: sql`(array['subscribed', 'subscribed', 'unsubscribed', 'never'])[1 + n % 4]`,
  });
  // Of 100: paused 20 (4 of them no longer), weekly 20 (half had a campaign), left 20, suppressed 20; several at once.
  await database.db.execute(sql`
    update contacts set
      paused_until = case when n % 5 = 0 then app_now() + make_interval(days => case when n % 25 = 0 then -1 else 1 end) end,
      weekly = n % 7 = 0
    from (select id as was, substring(email from '\\d+')::int as n from contacts) numbered
    where was = contacts.id and n < 100`);
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, campaign_id, source, status)
    select new_id(project_id), project_id, gen_random_uuid(), id, gen_random_uuid(), 'CAMPAIGN', 'SENT'
    from contacts where weekly and substring(email from '\\d+')::int % 2 = 0`);
  await database.db.execute(sql`
    insert into topic_departures (topic_id, contact_id, project_id)
    select ${decodeId("topic", topicId)}::uuid, id, project_id from contacts
    where substring(email from '\\d+')::int < 100 and substring(email from '\\d+')::int % 3 = 0`);
  await database.db.execute(sql`
    insert into suppressions (id, project_id, email, reason)
    select new_id(project_id), project_id, upper(email), 'hard_bounce' from contacts
    where substring(email from '\\d+')::int < 100 and substring(email from '\\d+')::int % 11 = 0
    union all select new_id(${projectId}::uuid), ${projectId}::uuid, '@shut.example', 'domain'`);
  const filter = { and: [{ field: "email" as const, op: "contains" as const, value: "@" }] };
  const { id: segmentId } = await createSegment(ctx, { name: "All", filter });
  const everybody = { segmentId: null, listId: null };
  for (const topic of [null, topicId]) {
    const audience = await estimateAudience(ctx, { ...everybody, topicId: topic });
    expect(audience.total).toBe(count);
    const { excluded } = audience;
    expect(audience.count + Object.values(excluded).reduce((sum, some) => sum + some, 0)).toBe(
      count,
    );
    expect(excluded.paused).toBeGreaterThan(0);
    expect(excluded.less_often).toBeGreaterThan(0);
    expect(excluded.left_topic > 0).toBe(topic !== null);
    expect(audience).toEqual(
      await estimateAudience(ctx, { listId: null, segmentId, topicId: topic }),
    );
  }
  await database.db.execute(sql`delete from suppressions where reason = 'domain'`);
  // VACUUM may leave pages that are not all visible, and then each of them is read.
  await until(async () => {
    await database.db.execute(sql`vacuum contacts`);
    const [table] = await database.db.execute<{ visible: number }>(
      sql`select relallvisible as visible from pg_class where oid = 'contacts'::regclass`,
    );
    return table && table.visible > 0;
  });
  const db = connect(database.url, { max: 1 });
  try {
    const heap = await database.db.execute<{ pages: number }>(sql`
      select (pg_relation_size('contacts') / 8192)::int as pages`);
    const read = await pagesRead(db, ["contacts"], () =>
      estimateAudience({ ...ctx, db }, { ...everybody, topicId }),
    );
    // Reading each of them would take this twice: to count them, and to find those who are kept out.
    expect(read).toBeLessThan(heap[0]!.pages * 2);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
});
