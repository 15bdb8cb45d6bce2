import { and, eq, sql, type SQL } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { contacts, emails, links, reportLinks } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createReportLink, deleteReportLink } from "@/lib/domain/campaign-reports/links";
import { createCampaign } from "@/lib/domain/campaigns/campaigns";
import { sendCampaign } from "@/lib/domain/campaigns/transitions";
import { recordVisits } from "@/lib/domain/tracking/record";
import type { Context } from "@/lib/ground/context";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { recipientToken } from "@/lib/mail/tracking/tokens";
import { advance, seedContacts } from "@/lib/testing/campaigns";
import { dispatchDue } from "@/lib/testing/delivery";
import { makeProject } from "@/lib/testing";
import { withSettings } from "@/lib/testing/hosts";
import { until } from "@/lib/testing/until";
import { htmlFaults } from "@/lib/testing/valid-html";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const visitor = {
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
  address: "203.0.113.7",
};

let addresses = 0;
/** From an address of its own, unless one is named: limits are by address. */
const ask = (
  path: string,
  { method = "GET", address = `198.51.100.${++addresses % 250}`, hostProjectId = "" } = {},
) =>
  app.fetch(
    new Request(`http://localhost${path}`, { method, headers: { "x-forwarded-for": address } }),
    hostProjectId ? { hostProjectId } : {},
  );
const pathOf = (url: string) => new URL(url).pathname;

const html = `<h1>Dear {{ firstName | default: "reader" }}</h1>
<p>{{ email }} {{ lastName }} {{ plan | default: "any plan" }} {{ unsubscribeUrl }}</p>
<a href="https://shop.example/news?page=1">News</a>
<a href="https://shop.example/me?mail={{ email | url_encode }}&amp;x=1">Me</a>
<a href="https://{{ firstName | downcase }}.example/gift">Gift</a>`;

/** Everybody got the campaign; some have opened it, and each who clicked has followed every link. */
async function sentCampaign(ctx: Context, abTest = false) {
  const { db } = database;
  // Eleven at Google, ten at Yahoo, and one at a domain that names her.
  await seedContacts(db, ctx.projectId, 22, {
    email: sql`case when n < 11 then 'secretreader' || n || '@gmail.com'
      when n < 21 then 'secretreader' || n || '@yahoo.com' else 'mail@lovelace-family.example' end`,
  });
  await db
    .update(contacts)
    .set({
      firstName: sql`'Firstname' || right(email, 3)`,
      lastName: "Lovelace",
      data: { plan: "Platinum" },
    })
    .where(eq(contacts.projectId, ctx.projectId));
  const { id } = await createCampaign(ctx, {
    name: "November news",
    subject: 'News for {{ firstName | default: "you" }}',
    from: { email: "news@sandbox.test", name: "Tea Shop" },
    body: html,
    tracking: { opens: true, clicks: true },
    utm: { source: "letter" },
    ...(abTest
      ? {
          abTest: {
            testPercentage: 50,
            variants: [
              { subject: 'Alpha {{ lastName | default: "one" }}' },
              { subject: "Beta", body: "<p>The other {{ email }}</p>" },
            ],
          },
        }
      : {}),
  });
  await sendCampaign(ctx, id, {});
  await advance(db);
  await dispatchDue({ db, transport: null });
  const uuid = decodeId("campaign", id) ?? "";
  const sent = await db
    .select()
    .from(emails)
    .where(and(eq(emails.projectId, ctx.projectId), eq(emails.campaignId, uuid)));
  const registered = await db.select().from(links).where(eq(links.campaignId, uuid));
  const readers = sent.slice(0, 4);
  await recordVisits(
    db,
    readers.map(({ id: emailId }) => ({ emailId, link: null, visitor })),
  );
  for (const { id: emailId, recipient } of readers) {
    for (const link of registered) {
      const isPersonal =
        link.url.includes("%40") && !link.url.includes(encodeURIComponent(recipient ?? ""));
      if (isPersonal) continue;
      await recordVisits(db, [
        { emailId, link: { id: link.id, url: link.url, links: 1 }, visitor },
      ]);
    }
  }
  return { id, sent, registered };
}

/** What must not be in a report: addresses, names, data and ids of its recipients. */
async function secretsOf(ctx: Context, sent: readonly (typeof emails.$inferSelect)[]) {
  const people = await database.db
    .select()
    .from(contacts)
    .where(eq(contacts.projectId, ctx.projectId));
  return [
    ...["secretreader", "lovelace", "firstname", "platinum", "%40", "mail@"],
    ...people.flatMap((one) => [one.email, one.id, encodeId("contact", one.id)]),
    ...sent.flatMap((one) => [one.id, encodeId("email", one.id), recipientToken(one.id)]),
    encodeId("project", ctx.projectId),
    ctx.projectId,
  ].map((secret) => secret.toLowerCase());
}

describe("a campaign that was sent", () => {
  let ctx: Context;
  let campaign: Awaited<ReturnType<typeof sentCampaign>>;
  let path: string;
  beforeAll(async () => {
    ({ ctx } = await makeProject(database.db, { name: "Tea Shop" }));
    campaign = await sentCampaign(ctx);
    path = pathOf((await createReportLink(ctx, campaign.id, { name: "Internal words" })).url);
  }, 60_000);

  test("its report has its sums, and no recipient's address, name, data or id", async () => {
    // The test would prove nothing if these were not what people got.
    expect(campaign.registered.some(({ url }) => url.includes("secretreader"))).toBe(true);
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    for (const words of [
      ...["November news", "News for you", "22", "Google", "All others", "Tea Shop"],
      "https://shop.example/news?page=1",
      "https://shop.example/me?mail={{ email | url_encode }}&amp;x=1",
      "Other addresses, made for each reader",
    ]) {
      expect(page).toContain(words);
    }
    const mail = await ask(`${path}/mail/A`);
    expect(mail.status).toBe(200);
    const shown = await mail.text();
    expect(shown).toContain("<h1>Dear reader</h1>");
    expect(shown).toContain("any plan");
    const secrets = await secretsOf(ctx, campaign.sent);
    expect(secrets.length).toBeGreaterThan(100);
    for (const text of [page.toLowerCase(), shown.toLowerCase()]) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    expect(page).not.toContain("Internal words");
    expect(await htmlFaults(page)).toEqual([]);
  });

  test("it says that nobody has received it where mail is captured, and only there", async () => {
    const page = async (transport: string) =>
      withSettings({ MAIL_TRANSPORT: transport }, async () => (await ask(path)).text());
    expect(await page("capture")).toContain("nobody outside has received it");
    expect(await page("smtp://127.0.0.1:2525")).not.toContain("nobody outside has received it");
  });

  test("it is private, runs nothing, and its frame shows the mail alone", async () => {
    const [page, mail] = [await ask(path), await ask(`${path}/mail/A`)];
    for (const { headers } of [page, mail]) {
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
      expect(headers.get("set-cookie")).toBeNull();
    }
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-src 'self'");
    expect(policy).not.toContain("script-src");
    expect(await page.text()).not.toContain("<script");
    expect(mail.headers.get("content-security-policy")).toMatch(
      /frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox$/,
    );
    expect((await ask(`${path}/mail/B`)).status).toBe(404);
    expect((await ask(path, { method: "POST" })).status).toBe(405);
  });

  test("opening it is counted; its frame, HEAD and what comes from elsewhere are not", async () => {
    const { url, id } = await createReportLink(ctx, campaign.id, {});
    const opens = async () => {
      const [row] = await database.db
        .select()
        .from(reportLinks)
        .where(eq(reportLinks.id, decodeId("reportLink", id) ?? ""));
      return row?.opens;
    };
    expect((await ask(pathOf(url), { method: "HEAD" })).status).toBe(200);
    await ask(`${pathOf(url)}/mail/A`);
    expect(await opens()).toBe(0);
    await ask(pathOf(url));
    expect(await opens()).toBe(1);
    // Reports are under APP_URL alone.
    for (const hostProjectId of [ctx.projectId, (await makeProject(database.db)).projectId]) {
      expect((await ask(pathOf(url), { hostProjectId })).status).toBe(404);
    }
    expect(await opens()).toBe(1);
  });

  test("unknown, revoked and expired links get a plain page", async () => {
    const revoked = await createReportLink(ctx, campaign.id, {});
    const expiring = await createReportLink(ctx, campaign.id, {
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await deleteReportLink(ctx, campaign.id, revoked.id);
    expect((await ask(pathOf(expiring.url))).status).toBe(200);
    await database.travel("2 hours");
    const ended = [pathOf(revoked.url), pathOf(expiring.url), `${pathOf(revoked.url)}/mail/A`];
    for (const one of ended) {
      const answer = await ask(one);
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain("This report is no longer shared");
    }
    for (const one of [
      "/report/x",
      `${path}x`,
      `/report/${recipientToken(campaign.sent[0]!.id)}`,
    ]) {
      expect((await ask(one)).status).toBe(404);
    }
    expect((await ask(path)).status).toBe(200);
  });

  test("guesses are throttled by address, and nobody else is", async () => {
    const address = "203.0.113.99";
    const statuses = new Map<number, number>();
    for (let n = 0; n < 125; n++) {
      const { status, headers } = await ask(`/report/guess${n}`, { address });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect([...statuses]).toEqual([
      [404, 120],
      [429, 5],
    ]);
    expect((await ask(path, { address })).status).toBe(429);
    expect((await ask(path)).status).toBe(200);
  });
});

test("however many open a report at once, it is read once", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await sentCampaign(ctx);
  const [one, other] = [await createReportLink(ctx, id, {}), await createReportLink(ctx, id, {})];
  const { asked } = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table emails in access exclusive mode`);
    const count = async (what: SQL) =>
      (await tx.execute<{ count: number }>(what))[0]?.count ?? Number.NaN;
    const reading = () =>
      count(sql`select count(*)::int as count from pg_locks
        where relation = 'emails'::regclass and not granted`);
    const opened = () =>
      count(sql`select sum(opens)::int as count from report_links
        where campaign_id = ${decodeId("campaign", id)}`);
    const visits = [one, other, one, other, one, other].map(({ url }) =>
      Promise.resolve(ask(pathOf(url))),
    );
    await until(async () => (await opened()) === 6, { what: "all six have opened it" });
    await until(async () => (await reading()) > 0, { what: "one reads it" });
    for (let looks = 0; looks < 100; looks++) expect(await reading()).toBe(1);
    return { asked: visits };
  });
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
});

test("an A/B test's report has each variant's figures and mail, without anybody's data", async () => {
  const { ctx } = await makeProject(database.db);
  const { id, sent } = await sentCampaign(ctx, true);
  const path = pathOf((await createReportLink(ctx, id, {})).url);
  const page = await (await ask(path)).text();
  expect(page).toContain("A: Alpha one");
  expect(page).toContain("B: Beta");
  expect(page).toContain("Probably best");
  const other = await (await ask(`${path}/mail/B`)).text();
  expect(other).toContain("<p>The other </p>");
  const secrets = await secretsOf(ctx, sent);
  for (const text of [page.toLowerCase(), other.toLowerCase()]) {
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
  expect(await htmlFaults(page)).toEqual([]);
}, 60_000);

test("a campaign that was not sent and says nothing yet has a report that says so", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createCampaign(ctx, { name: "Later", incomplete: true });
  const path = pathOf((await createReportLink(ctx, id, {})).url);
  const answer = await ask(path);
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain("It has not been sent yet");
  expect(page).toContain("It cannot be shown without somebody’s data");
  expect(await htmlFaults(page)).toEqual([]);
  expect((await ask(`${path}/mail/A`)).status).toBe(404);
});
