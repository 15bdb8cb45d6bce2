import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect, type Database } from "@/db/client";
import { links, messages, receivingDomains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { pagesRead } from "@/db/testing/rows-read";
import { getCampaignBreakdown } from "@/lib/domain/campaigns/breakdown";
import { getCampaign } from "@/lib/domain/campaigns/read";
import { getOverviewProviders } from "@/lib/domain/overview/providers";
import { recordVisits } from "@/lib/domain/tracking/record";
import type { Context } from "@/lib/ground/context";
import { encodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { reader, useAbTests } from "@/lib/testing/ab-tests";
import { advance, makeCampaign } from "@/lib/testing/campaigns";
import { smtpError } from "@/lib/testing/delivery";
import { logQuery } from "./log-schema";
import { listEmails } from "./read";

/* The log lists what a figure counts: as many as the figure says. */
const database = useTestDatabase();
const { tested, inTest, open, sendDue, mailServer } = useAbTests(database);

/** Everything that the log lists, page by page. */
async function listed(ctx: Context, query: object) {
  const found: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await listEmails(ctx, logQuery.parse({ limit: 7, ...query, cursor }));
    found.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(new Set(found).size).toBe(found.length);
  return found;
}
/** Resolves to its uuid. */
async function makeMessage(db: Database, projectId: string): Promise<string> {
  const id = newId(projectId);
  await db
    .insert(messages)
    .values({ id, projectId, fromEmail: "news@example.com", subject: "News" });
  return id;
}
const countOf = async (ctx: Context, query: object) => (await listed(ctx, query)).length;

test("of an A/B test's variants, and of the links that people followed", async () => {
  const { ctx, id, result } = await tested(100, 2, { testPercentage: 40 });
  const campaignId = encodeId("campaign", id);
  const unknown = new Set<string>();
  const server = await mailServer({
    onRcptTo: ({ address }, _session, callback) =>
      callback(unknown.has(address) ? smtpError(550, "5.1.1 No such user") : null),
  });
  await advance(database.db);
  // Who gets which variant is up to chance.
  const people = await inTest(id);
  for (const chosen of [1, 2]) {
    const got = people.filter(({ variant }) => variant === chosen);
    for (const { recipient } of got.slice(0, 4)) unknown.add(recipient);
  }
  await sendDue(server);
  const arrived = people.filter(({ recipient }) => !unknown.has(recipient));
  const of = (variant: number) => arrived.filter((one) => one.variant === variant);
  await open([...of(1).slice(0, 9), ...of(2).slice(0, 4)]);

  // Each variant's content has a link of its own to the same address.
  const url = "https://shop.example/sale?a=1&b=%20";
  const contents = await database.db.execute<{ id: string; message_id: string }>(sql`
    select e.id, e.message_id from emails e where e.campaign_id = ${id} and e.variant is not null`);
  const messageOf = new Map(contents.map((row) => [row.id, row.message_id]));
  const linkOf = new Map<string, bigint>();
  for (const messageId of new Set(messageOf.values())) {
    for (const to of [url, "https://shop.example/"]) {
      const [link] = await database.db
        .insert(links)
        .values({ projectId: ctx.projectId, campaignId: id, messageId, url: to })
        .returning();
      linkOf.set(`${messageId} ${to}`, link?.id ?? 0n);
    }
  }
  const click = (to: string, emails: readonly { id: string }[]) =>
    recordVisits(
      database.db,
      emails.map((email) => ({
        emailId: email.id,
        link: { id: linkOf.get(`${messageOf.get(email.id)} ${to}`) ?? 0n, url: to, links: 1 },
        visitor: reader,
      })),
    );
  await click(url, [...of(1).slice(2, 5), ...of(2).slice(1, 3)]);
  await click(url, of(1).slice(2, 4));
  await click("https://shop.example/", of(1).slice(4, 8));

  const variants = (await result())?.variants ?? [];
  expect(variants.map(({ sent, bounced }) => [sent > 10, bounced > 0])).toEqual([
    [true, true],
    [true, true],
  ]);
  for (const { variant, ...figures } of variants) {
    for (const [event, figure] of [
      ["handed_over", figures.sent],
      ["delivered", figures.delivered],
      ["opened", figures.opened],
      ["clicked", figures.clicked],
      ["bounced", figures.bounced],
    ] as const) {
      expect(await countOf(ctx, { campaignId, variant, event }), event).toBe(figure);
    }
  }
  const { stats } = await getCampaign(ctx, campaignId);
  expect(stats.links.map(({ uniqueClicks }) => uniqueClicks)).toEqual([5, 4]);
  for (const { url: link, uniqueClicks } of stats.links) {
    const clicked = await listed(ctx, { campaignId, link });
    expect(clicked).toHaveLength(uniqueClicks);
    expect(await listed(ctx, { campaignId, link, event: "clicked" })).toEqual(clicked);
  }
  expect(await countOf(ctx, { campaignId, link: url, variant: "B" })).toBe(2);
  expect(await listed(ctx, { campaignId, link: "https://shop.example/never" })).toEqual([]);
  expect(await listed(ctx, { campaignId, variant: "E" })).toEqual([]);
  for (const query of [{ variant: "A" }, { link: url }]) {
    await expect(listed(ctx, query)).rejects.toMatchObject({
      ...{ code: "VALIDATION_ERROR", details: [{ path: "campaignId" }] },
    });
  }
});

test("by provider, of a campaign and of the last days", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  await database.db
    .insert(receivingDomains)
    .values([
      { name: "customer.example", receiver: "google.com" },
      { name: "branch.example", receiver: "host.example" },
    ])
    .onConflictDoNothing();
  const campaign = await makeCampaign(database.db, { projectId, fromEmail: "news@example.com" });
  const campaignId = encodeId("campaign", campaign);
  const messageId = await makeMessage(database.db, projectId);
  const domains = ["gmail.com", "CUSTOMER.example", "branch.example", "own.example", "t-online.de"];
  await database.db.execute(sql`
    insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status,
      sent_at, delivered_at, opened_at, clicked_at, bounced_at, created_at)
    select new_id(), ${projectId}, ${messageId}, gen_random_uuid(),
      case when n % 2 = 0 then ${campaign}::uuid end,
      'p' || n || '@' || (${sql.param(domains)}::text[])[1 + n % 5],
      case when n % 2 = 0 then 'CAMPAIGN' else 'TRANSACTIONAL' end,
      case when n % 7 = 0 then 'FAILED' when n % 11 = 0 then 'BOUNCED' when n % 13 = 0 then 'PENDING' else 'DELIVERED' end,
      case when n % 7 <> 0 and n % 11 <> 0 and n % 13 <> 0 then app_now() end,
      case when n % 7 <> 0 and n % 11 <> 0 and n % 13 <> 0 then app_now() end,
      case when n % 9 = 1 then app_now() end, case when n % 9 = 1 and n % 2 = 1 then app_now() end,
      case when n % 7 <> 0 and n % 11 = 0 then app_now() end,
      app_now() + interval '1 second'
    from generate_series(1, 300) n`);
  // The figures say that there are such.
  await database.db.execute(sql`
    insert into hourly_figures (project_id, campaign_id, hour, slot, sent, delivered, opened, clicked, bounced)
    values (${projectId}, ${campaign}, date_trunc('hour', app_now()), 0, 1, 1, 1, 1, 1)`);
  const startDate = new Date(Date.now() - 86_400_000).toISOString();
  const answers = [
    { given: { startDate }, providers: (await getOverviewProviders(ctx)).providers },
    { given: { campaignId }, providers: (await getCampaignBreakdown(ctx, campaignId)).providers },
  ];
  for (const { given, providers } of answers) {
    expect(providers.map(({ name }) => name).toSorted()).toEqual([
      ...["Google", "T-Online", "host.example", "own.example"],
    ]);
    for (const { name: provider, ...figures } of providers) {
      for (const [event, figure] of [
        ["handed_over", figures.sent],
        ["delivered", figures.delivered],
        ["opened", figures.opened],
        ["clicked", figures.clicked],
        ["bounced", figures.bounced],
      ] as const) {
        const query = { ...given, provider, event };
        if (given.startDate) {
          // Overview's are of mail that has left.
          const left = await listed(ctx, { ...given, provider, event: "handed_over" });
          const found = await listed(ctx, query);
          expect(
            found.filter((id) => left.includes(id)),
            `${provider} ${event}`,
          ).toHaveLength(figure);
        } else expect(await countOf(ctx, query), `${provider} ${event}`).toBe(figure);
      }
    }
  }
  const of = (provider: string) => countOf(ctx, { provider });
  expect(await of("gmail.com")).toBe(await of("Google"));
  expect(await of("OWN.example")).toBe(await of("own.example"));
  expect(await of("nobody.example")).toBe(0);
});

test("a link that few followed is found without reading the campaign's mail", async () => {
  const db = connect(database.url, { max: 1 });
  try {
    const { ctx, projectId } = await makeProject(db);
    const campaign = await makeCampaign(db, { projectId, fromEmail: "news@example.com" });
    const messageId = await makeMessage(db, projectId);
    await db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, campaign_id, recipient, source, status,
        clicked_at, created_at)
      select new_id(), ${projectId}, ${messageId}, gen_random_uuid(), ${campaign}, 'p' || n || '@example.org',
        'CAMPAIGN', 'CLICKED', app_now(), app_now() + interval '1 millisecond' * n
      from generate_series(1, 20000) n`);
    const [link] = await db
      .insert(links)
      .values({ projectId, campaignId: campaign, messageId, url: "https://shop.example/" })
      .returning();
    await db.execute(sql`
      insert into link_clicks (email_id, link_id)
      select id, ${String(link?.id)}::bigint from emails
      where campaign_id = ${campaign} and recipient in ('p1@example.org', 'p10000@example.org')`);
    await db.execute(sql`vacuum analyze emails`);
    const query = logQuery.parse({
      ...{ campaignId: encodeId("campaign", campaign), link: "https://shop.example/" },
    });
    const read = await pagesRead(db, ["emails"], async () => {
      const { data, nextCursor } = await listEmails({ ...ctx, db }, query);
      expect([data.length, nextCursor]).toEqual([2, undefined]);
    });
    expect(read).toBeLessThan(200);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
});
