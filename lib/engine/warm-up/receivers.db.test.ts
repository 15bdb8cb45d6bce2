import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { receivingDomains, workers } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { learnReceivers } from "@/lib/domain/receivers/learn";
import { getWarmup, setWarmup } from "@/lib/domain/sending-domains/warm-up";
import { reloadEnv } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { advance, makeCampaign, seedContacts } from "@/lib/testing/campaigns";
import { dispatchDue, verifiedDomain } from "@/lib/testing/delivery";
import { startDnsServer, type DnsServer } from "@/lib/testing/dns-server";
import { endOfNextDaysFirstHour, endOfNextHour, travelTo } from "@/lib/testing/travel-to";
import { runWarmups } from "./warm-up";

const database = useTestDatabase();
let dns: DnsServer;
let domains = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  process.env["DNS_SERVERS"] = dns.address;
  reloadEnv();
  await database.db.insert(receivingDomains).values([
    { name: "one.test", receiver: "big.example" },
    { name: "two.test", receiver: "big.example" },
  ]);
});
afterAll(async () => {
  process.env["DNS_SERVERS"] = "";
  reloadEnv();
  await dns.stop();
});

const run = () => runWarmups(database.db, AbortSignal.timeout(60_000));

/** A warmed-up domain, and a campaign from it to as many people at each of three domains: two are big.example's. */
async function warmed(each: number) {
  const { ctx, projectId } = await makeProject(database.db);
  const name = `warm-${++domains}.example.com`;
  const { id } = await verifiedDomain(database.db, projectId, name);
  const wireId = encodeId("domain", id);
  await travelTo(database, endOfNextDaysFirstHour);
  await setWarmup(ctx, wireId, { enabled: true, schedule: Array(20).fill(10_000) as number[] });
  await seedContacts(database.db, projectId, 3 * each, {
    email: sql`'p' || n || '@' || (array['one.test', 'two.test', 'other.test'])[1 + n % 3]`,
  });
  const campaign = async () => {
    const campaignId = await makeCampaign(database.db, { projectId, fromEmail: `news@${name}` });
    await advance(database.db);
    return campaignId;
  };
  /** What went out before, in this hour. */
  const sent = (receiver: string, count: number, bounced: number) =>
    database.db.execute(sql`
      with hour as (select date_trunc('hour', app_now(), 'UTC') as hour), whole as (
        insert into warmup_hours (domain_id, hour, slot, campaigns, bounced)
        select ${id}, hour, ${1_000 + ++domains}, ${count}, ${bounced} from hour)
      insert into warmup_receiver_hours (domain_id, hour, receiver, slot, sent, bounced)
      select ${id}, hour, ${receiver}, 1000, ${count}, ${bounced} from hour`);
  return { domainId: id, campaign, sent, read: () => getWarmup(ctx, wireId) };
}

/** How much of a campaign has been let out, by the people's domain. */
async function letOut(campaign: string): Promise<Record<string, number>> {
  const rows = await database.db.execute<{ name: string; emails: number }>(sql`
    select split_part(recipient, '@', 2) as name, count(*)::int as emails
    from emails left join email_queue on email_id = id
    where emails.campaign_id = ${campaign} and (email_queue.due_at is not null or sent_at is not null)
    group by 1`);
  return Object.fromEntries(rows.map(({ name, emails }) => [name, emails]));
}

const bigOf = (counts: Record<string, number>) =>
  (counts["one.test"] ?? 0) + (counts["two.test"] ?? 0);

it("a receiver with bad results gets half of what it got, and others their mail; it recovers day by day", async () => {
  const { campaign, sent, read } = await warmed(400);
  const id = await campaign();
  await sent("big.example", 300, 15);
  await sent("other.test", 700, 0);
  await run();
  expect(await read()).toMatchObject({
    state: "warming",
    slowed: null,
    slowedReceivers: [
      {
        receiver: "big.example",
        dailyCap: 150,
        sentToday: 300,
        reason: "bounces",
        message: "15 of 300 emails to big.example sent today bounced: 5%.",
      },
    ],
  });
  const until = (await read()).slowedReceivers[0]?.until;
  // The same results are no reason a second time, nor for the domain.
  await travelTo(database, endOfNextHour);
  await run();
  expect(await letOut(id)).toEqual({ "other.test": 400 });
  await dispatchDue({ db: database.db, transport: null });
  const caps: number[] = [];
  const out: number[] = [];
  for (let day = 0; day < 4; day++) {
    await travelTo(database, endOfNextDaysFirstHour);
    await run();
    await run();
    await dispatchDue({ db: database.db, transport: null });
    const [slowed] = (await read()).slowedReceivers;
    caps.push(slowed?.dailyCap ?? 0);
    out.push(bigOf(await letOut(id)));
  }
  expect(caps).toEqual([150, 300, 600, 1_200]);
  expect(out).toEqual([150, 450, 800, 800]);
  expect((await read()).slowedReceivers[0]).toMatchObject({ sentToday: 0 });
  await travelTo(database, endOfNextDaysFirstHour);
  await run();
  expect((await read()).slowedReceivers).toMatchObject([{ dailyCap: 2_400, until }]);
  await travelTo(database, endOfNextDaysFirstHour);
  await campaign();
  await run();
  expect((await read()).slowedReceivers).toEqual([]);
  const [today] = await database.db.execute<{ day: string }>(sql`
    select (app_now() at time zone 'UTC')::date::text as day`);
  expect(today?.day).toBe(until);
}, 60_000);

it("a receiver that gets a quarter is slowed no further than an eighth, and everybody when all is bad", async () => {
  const { campaign, sent, read } = await warmed(10);
  await campaign();
  await sent("big.example", 400, 40);
  await run();
  expect((await read()).slowedReceivers).toMatchObject([{ dailyCap: 100 }]);
  await travelTo(database, endOfNextHour);
  await sent("big.example", 400, 40);
  await sent("other.test", 150, 9);
  await sent("another.test", 150, 9);
  await run();
  const warmup = await read();
  expect(warmup.slowedReceivers).toMatchObject([{ receiver: "big.example", dailyCap: 50 }]);
  expect(warmup).toMatchObject({ state: "slowed", slowed: { reason: "bounces" } });
  expect(warmup.slowed?.message).toContain("18 of 300 emails sent today bounced");
});

it("a receiver that asks workers for less gets less of the domain's mail, once for each time it asks", async () => {
  const { campaign, sent, read } = await warmed(10);
  await campaign();
  await sent("big.example", 300, 0);
  await run();
  expect((await read()).slowedReceivers).toEqual([]);
  const [now] = await database.db.execute<{ at: string }>(sql`select app_now() as at`);
  const since = new Date(now?.at ?? "").toISOString();
  await database.db.insert(workers).values({
    slowReceivers: [{ name: "big.example", domains: ["one.test"], since, rate: 1 }],
    beatAt: sql`app_now() + interval '2 hours'`,
  });
  await run();
  await run();
  expect((await read()).slowedReceivers).toMatchObject([
    {
      receiver: "big.example",
      dailyCap: 150,
      reason: "throttled",
      message: "big.example asks for less mail.",
    },
  ]);
  await database.db.delete(workers);
});

it("who takes a domain's mail is looked up once for each campaign, and counted", async () => {
  const { campaign, sent, domainId } = await warmed(6);
  dns.mx(
    "other.test",
    { priority: 20, exchange: "backup.example" },
    { priority: 10, exchange: "aspmx.l.google.com" },
  );
  // Known, but for longer than a week.
  for (const name of ["one.test", "two.test"]) {
    dns.mx(name, { priority: 10, exchange: "mx1.big.example" });
  }
  await database.db.execute(sql`
    update receiving_domains set looked_up_at = app_now() - interval '8 days'`);
  const learn = () => learnReceivers(database.db, AbortSignal.timeout(60_000));
  await database.db.execute(sql`update campaigns set receivers_read_at = app_now()`);
  const id = await campaign();
  const learned = await learn();
  expect(await learn()).toBe(0);
  expect(learned).toBe(3);
  expect(dns.questions.filter((question) => question.endsWith("other.test"))).toHaveLength(1);
  const rows = await database.db.select().from(receivingDomains);
  expect(rows.find(({ name }) => name === "other.test")?.receiver).toBe("google.com");
  await run();
  await dispatchDue({ db: database.db, transport: null });
  expect(await letOut(id)).toEqual({ "one.test": 6, "two.test": 6, "other.test": 6 });
  await sent("nobody.test", 1, 0);
  const counted = await database.db.execute(sql`
    select receiver, sum(sent)::int as sent from warmup_receiver_hours
    where hour = date_trunc('hour', app_now(), 'UTC') and domain_id = ${domainId}
    group by 1 order by 1`);
  expect([...counted]).toEqual([
    { receiver: "big.example", sent: 12 },
    { receiver: "google.com", sent: 6 },
    { receiver: "nobody.test", sent: 1 },
  ]);
});
