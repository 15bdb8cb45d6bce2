import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { links } from "@/db/schema";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { bootstrap } from "@/lib/domain/projects/bootstrap";
import { linkToken, pixelToken } from "@/lib/mail/tracking/tokens";
import type { LoadResult } from "./load";
import type { BenchRow } from "./row";
import { load, startStand, untilReady, type Stand } from "./stand";
import { freePort } from "@/db/embedded/free-port";

const recipients = 60_000;
const connections = 64;
const rounds = 2;
const linksPerEmail = 10;

/** A campaign that was sent; the paths of its pixels and of as many links. */
async function sentCampaign({ db }: Stand): Promise<string[]> {
  await bootstrap(db, { email: "owner@example.com" });
  const [messageId, campaignId] = [newUnownedId(), newUnownedId()];
  const ids = Array.from({ length: recipients }, () => newUnownedId());
  await db.execute(sql`
    insert into emails (id, project_id, message_id, campaign_id, contact_id, recipient, source, status)
    select id, (select id from projects), ${messageId}, ${campaignId}, gen_random_uuid(),
      id || '@example.org', 'CAMPAIGN', 'PENDING'
    from unnest(${sql.param(ids)}::uuid[]) as id`);
  // As dispatch leaves them: the pages have room from the earlier versions.
  await db.execute(sql`update emails set status = 'SENT', sent_at = app_now()`);
  await db.execute(sql`
    insert into email_events (project_id, email_id, name)
    select project_id, id, 'sent' from emails`);
  const [project] = await db.execute<{ id: string }>(sql`select id from projects`);
  const rows = await db
    .insert(links)
    .values(
      Array.from({ length: linksPerEmail }, (_, index) => ({
        projectId: project?.id ?? "",
        campaignId,
        messageId,
        url: `https://shop.example/products/${index}?ref=mail`,
      })),
    )
    .returning({ id: links.id });
  await db.execute(sql`vacuum analyze`);
  return ids.flatMap((emailId, index) => [
    `/t/o/${pixelToken(emailId)}.gif`,
    `/t/c/${linkToken({ emailId, linkId: rows[index % linksPerEmail]?.id ?? 0n, links: linksPerEmail })}`,
  ]);
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Opens and clicks, half each, recorded before they are answered; most are the first of their email. */
export async function run(): Promise<BenchRow[]> {
  const stand = await startStand();
  try {
    const paths = await sentCampaign(stand);
    const [ours, bare] = [await freePort(), await freePort()];
    await untilReady(stand.run("bench/web.ts", [], { PORT: String(ours) }));
    await untilReady(stand.run("bench/floor.ts", [], { PORT: String(bare) }));
    const order = {
      paths,
      userAgent:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
      connections,
      warmUpMs: 2_000,
      measureMs: 6_000,
    };
    const floor: LoadResult[] = [];
    const visits: LoadResult[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(await load(stand, { ...order, port: bare }));
      // The second half of the people come in the second round.
      const start = Math.floor((round * paths.length) / rounds);
      const turned = [...paths.slice(start), ...paths.slice(0, start)];
      visits.push(await load(stand, { ...order, paths: turned, port: ours }));
    }
    await confirm(stand, visits);
    const rate = ({ requests, seconds }: LoadResult) => requests / seconds;
    const [figure, possible] = [mean(visits.map(rate)), mean(floor.map(rate))];
    return [
      {
        what: `opens and clicks, ${connections} connections (floor: a bare insert of a row)`,
        unit: "visits/s",
        figure,
        floor: possible,
        ratio: figure / possible,
        goal: { least: 5_000 },
      },
      {
        what: "opens and clicks, the 99th percentile of the same requests",
        unit: "ms",
        figure: mean(visits.map(({ p99Ms }) => p99Ms)),
        floor: mean(floor.map(({ p99Ms }) => p99Ms)),
        ratio: null,
        goal: { most: 50 },
      },
    ];
  } finally {
    await stand.stop();
  }
}

/** Whatever was answered was counted, and the same everywhere. */
async function confirm({ db }: Stand, visits: LoadResult[]): Promise<void> {
  const answered = visits.reduce((sum, { requests }) => sum + requests, 0);
  const [row] = await db.execute<Record<"events" | "figures" | "emails", number>>(sql`
    select (select count(*)::int from email_events where name <> 'sent') as events,
      (select sum(opens + clicks)::int from hourly_figures) as figures,
      (select sum(opens + clicks)::int from emails) as emails`);
  const { events = 0, figures, emails } = row ?? {};
  if (events < answered || events !== figures || events !== emails) {
    throw new Error(`${answered} visits were answered, ${JSON.stringify(row)} were counted.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await run());
