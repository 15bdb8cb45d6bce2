import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { addFigureDeltas } from "@/lib/testing/figures";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { getOverviewProviders } from "./providers";
import { overviewProviders } from "./schema";
import { mostProviderEmails } from "./terms";

const database = useTestDatabase();

/** Mail of the project to so many people at a domain, sent so many days ago, or waiting. */
const sentTo = (
  projectId: string,
  domain: string,
  people: number,
  { daysAgo = 0, waits = false } = {},
) =>
  database.db.execute(sql`
    insert into emails (id, project_id, message_id, recipient, source, status, sent_at, created_at)
    select gen_random_uuid(), ${projectId}, ${newId(projectId)}, 'person' || n || '@' || ${domain}::text,
      'SEND', ${waits ? "PENDING" : "SENT"}, ${waits ? sql`null` : sql`app_now()`},
      app_now() - make_interval(days => ${daysAgo}, secs => 60)
    from generate_series(1, ${people}::int) n`);

test("a week's mail counts by provider, with the verdict, and nobody else's", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const other = await makeProject(database.db);
  await sentTo(projectId, "gmail.com", 300);
  await sentTo(projectId, "firm.example", 20, { daysAgo: 6 });
  await sentTo(projectId, "firm.example", 50, { daysAgo: 8 });
  await sentTo(other.projectId, "yahoo.com", 10);
  await database.db.execute(sql`
    update emails set status = 'BOUNCED', bounced_at = app_now(), sent_at = null
    where project_id = ${projectId} and recipient like 'person1_@%'`);
  await addFigureDeltas(database.db, [
    { projectId, campaignId: null, sent: 320, bounced: 20, delivered: 5, inferred: 5 },
  ]);
  const found = overviewProviders.parse(await getOverviewProviders({ ...ctx, role: "viewer" }));
  expect(found).toMatchObject({
    ...{ deliveryConfirmed: false, newestOnly: false },
    providers: [
      {
        ...{ name: "Google", recipients: 300, sent: 300, bounced: 10, bounceRate: 0.0333 },
        health: { bounces: "healthy", complaints: "healthy" },
      },
      {
        ...{ name: "firm.example", recipients: 20, bounced: 10, bounceRate: 0.5 },
        health: { bounces: null, complaints: null },
      },
    ],
  });
  expect(found.providers).toHaveLength(2);
});

test("where reports confirm deliveries, readers are a share of what was delivered", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await sentTo(projectId, "gmail.com", 10);
  await database.db.execute(sql`
    update emails set delivered_at = app_now(), opened_at = case when recipient < 'person5' then app_now() end
    where project_id = ${projectId} and recipient < 'person9'`);
  await addFigureDeltas(database.db, [{ projectId, campaignId: null, sent: 10, delivered: 9 }]);
  expect(await getOverviewProviders(ctx)).toMatchObject({
    deliveryConfirmed: true,
    providers: [{ name: "Google", delivered: 9, opened: 5, openRate: 0.5556 }],
  });
});

test("a campaign that waits hides nothing of what has left", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await sentTo(projectId, "gmail.com", 300, { daysAgo: 1 });
  await sentTo(projectId, "yahoo.com", mostProviderEmails, { waits: true });
  await addFigureDeltas(database.db, [{ projectId, campaignId: null, sent: 300 }]);
  expect(await getOverviewProviders(ctx)).toMatchObject({
    newestOnly: false,
    providers: [{ name: "Google", recipients: 300, sent: 300 }],
  });
  // Once it has left, the newest are counted.
  const later = await makeProject(database.db);
  await database.db.execute(sql`
    update emails set status = 'SENT', sent_at = app_now(), project_id = ${later.projectId}
    where project_id = ${projectId} and (recipient like '%@yahoo.com' or recipient = 'person1@gmail.com')`);
  expect(await getOverviewProviders(later.ctx)).toMatchObject({
    newestOnly: true,
    providers: [{ name: "Yahoo", recipients: mostProviderEmails }],
  });
}, 60_000);

test("a project without mail has no providers", async () => {
  const { ctx } = await makeProject(database.db);
  expect(await getOverviewProviders(ctx)).toEqual({
    ...{ deliveryConfirmed: false, newestOnly: false, providers: [] },
  });
});
