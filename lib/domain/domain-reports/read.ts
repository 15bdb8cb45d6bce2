import { BlockList, isIP } from "node:net";
import { and, asc, count, desc, eq, ne, sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { dmarcRows, domainReports, tlsReportRows } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { getDomainRow, type DomainRow } from "@/lib/domain/sending-domains/domains";
import { bounceExchange, tlsReportingHost } from "@/lib/domain/sending-domains/records";
import { requireRole, type Context } from "@/lib/ground/context";
import { reverseNames } from "@/lib/ground/dns/reverse";
import { env } from "@/lib/ground/env/env";
import { reportAddressOf } from "@/lib/mail/domain-reports/address";
import { adviceOf } from "./advice";
import { reportingOf } from "./reporting";
import type { Dmarc, DmarcSource } from "./schema";
import { serviceOf } from "./senders";
import { tlsAdviceOf } from "./tls-advice";

const mostSources = 50;
const mostFailures = 20;

const aligned = sql`(${dmarcRows.dkimAligned} = 'pass' or ${dmarcRows.spfAligned} = 'pass')`;
const sumOf = (condition = sql`true`) =>
  sql<number>`coalesce(sum(${dmarcRows.messages}) filter (where ${condition}), 0)::float8`;
const dayOf = (moment: SQL) => sql<string>`to_char((${moment}) at time zone 'UTC', 'YYYY-MM-DD')`;

const reportsOf = (domainId: string, days: number, kind: "dmarc" | "tls") => sql`
  ${domainReports.domainId} = ${domainId} and ${domainReports.kind} = ${kind}
  and ${domainReports.beginsAt} >= date_trunc('day', app_now(), 'UTC') - make_interval(days => ${days - 1})`;

type Totals = Dmarc["totals"];
const totals = {
  messages: sumOf(),
  aligned: sumOf(aligned),
  dkimAligned: sumOf(sql`${dmarcRows.dkimAligned} = 'pass'`),
  spfAligned: sumOf(sql`${dmarcRows.spfAligned} = 'pass'`),
  quarantined: sumOf(sql`${dmarcRows.disposition} = 'quarantine'`),
  rejected: sumOf(sql`${dmarcRows.disposition} = 'reject'`),
};

async function readTotals(db: Executor, domainId: string, days: number): Promise<Totals> {
  const [sum] = await db
    .select(totals)
    .from(dmarcRows)
    .innerJoin(domainReports, eq(domainReports.id, dmarcRows.reportId))
    .where(reportsOf(domainId, days, "dmarc"));
  if (!sum) throw new Error("An aggregate returned no row.");
  return sum;
}

async function readPeriod(db: Executor, domainId: string, days: number): Promise<Dmarc["period"]> {
  const { reporter } = domainReports;
  const [period] = await db
    .select({
      from: dayOf(sql`${now} - make_interval(days => ${days - 1})`),
      to: dayOf(now),
      reports: count(),
      reporters: sql<
        string[]
      >`coalesce(array_agg(distinct ${reporter} order by ${reporter}), '{}')`,
    })
    .from(domainReports)
    .where(reportsOf(domainId, days, "dmarc"));
  if (!period) throw new Error("An aggregate returned no row.");
  return period;
}

function readDays(db: Executor, domainId: string, days: number): Promise<Dmarc["days"]> {
  return db
    .select({
      day: dayOf(sql`${domainReports.beginsAt}`),
      aligned: sumOf(aligned),
      unaligned: sumOf(sql`not ${aligned}`),
    })
    .from(dmarcRows)
    .innerJoin(domainReports, eq(domainReports.id, dmarcRows.reportId))
    .where(reportsOf(domainId, days, "dmarc"))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
}

interface Check {
  domain: string;
  selector?: string;
}

/** What passed a check, for one row; null: nothing. */
const passedOf = sql`(select jsonb_agg(result) from
  jsonb_array_elements(${dmarcRows.dkimResults} || ${dmarcRows.spfResults}) as result
  where result ->> 'result' = 'pass')`;

function readSources(db: Executor, domainId: string, days: number) {
  const address = dmarcRows.sourceAddress;
  return db
    .select({
      address,
      ...totals,
      headerFrom: sql<string[]>`array_agg(distinct ${dmarcRows.headerFrom})`,
      passed: sql<(Check[] | null)[]>`jsonb_agg(distinct ${passedOf})`,
      sources: sql<number>`count(*) over ()::int`,
    })
    .from(dmarcRows)
    .innerJoin(domainReports, eq(domainReports.id, dmarcRows.reportId))
    .where(and(reportsOf(domainId, days, "dmarc"), ne(address, "")))
    .groupBy(address)
    .orderBy(desc(totals.messages), asc(address))
    .limit(mostSources);
}
type SourceRow = Awaited<ReturnType<typeof readSources>>[number];

function ownAddresses(): BlockList {
  const list = new BlockList();
  for (const entry of env().SENDING_IPS) {
    const [address = "", length] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  return list;
}

async function toSources(domain: DomainRow, rows: readonly SourceRow[]): Promise<DmarcSource[]> {
  const own = ownAddresses();
  const names = await reverseNames(rows.map(({ address }) => address));
  return rows.map((row) => {
    const { sources: _, passed, address, headerFrom, ...figures } = row;
    const checks = passed.flatMap((ofRow) => ofRow ?? []);
    const domains = [...new Set(checks.map((check) => check.domain))].toSorted();
    const signed = checks.some(
      (check) => check.domain === domain.name && check.selector === domain.selector,
    );
    return {
      address,
      name: names.get(address) ?? null,
      sender: serviceOf(domains),
      ours: signed || own.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"),
      ...figures,
      headerFrom: headerFrom.filter((name) => name !== "").slice(0, 10),
      domains: domains.slice(0, 10),
    };
  });
}

function readTlsDays(db: Executor, domainId: string, days: number): Promise<Dmarc["tls"]["days"]> {
  const { sessions, failure } = tlsReportRows;
  const sum = (condition: SQL) =>
    sql<number>`coalesce(sum(${sessions}) filter (where ${condition}), 0)::float8`;
  return db
    .select({
      day: dayOf(sql`${domainReports.beginsAt}`),
      successful: sum(sql`${failure} is null`),
      failed: sum(sql`${failure} is not null`),
    })
    .from(tlsReportRows)
    .innerJoin(domainReports, eq(domainReports.id, tlsReportRows.reportId))
    .where(reportsOf(domainId, days, "tls"))
    .groupBy(sql`1`)
    .orderBy(sql`1`);
}

async function readTls(db: Executor, domain: DomainRow, days: number): Promise<Dmarc["tls"]> {
  const { failure: type, receivingHost } = tlsReportRows;
  const sessions = sql<number>`sum(${tlsReportRows.sessions})::float8`;
  const rows = await db
    .select({ type, receivingHost, sessions })
    .from(tlsReportRows)
    .innerJoin(domainReports, eq(domainReports.id, tlsReportRows.reportId))
    .where(reportsOf(domain.id, days, "tls"))
    .groupBy(type, receivingHost)
    .orderBy(desc(sessions), asc(type), asc(receivingHost));
  const reports = await db.$count(domainReports, reportsOf(domain.id, days, "tls"));
  const failures = rows.flatMap((row) => (row.type === null ? [] : [{ ...row, type: row.type }]));
  const whose = { domain: domain.name, ownHost: bounceExchange() };
  const sum = (amounts: readonly { sessions: number }[]) =>
    amounts.reduce((before, { sessions }) => before + sessions, 0);
  return {
    record: {
      name: tlsReportingHost(domain.name),
      value: `v=TLSRPTv1; rua=mailto:${reportAddressOf("tls", domain)}`,
    },
    reports,
    successful: sum(rows.filter((row) => row.type === null)),
    failed: sum(failures),
    days: await readTlsDays(db, domain.id, days),
    failures: failures
      .slice(0, mostFailures)
      .map((failure) => ({ ...failure, advice: tlsAdviceOf(failure, whose) })),
  };
}

/** Who sends in a domain's name, as receivers report it, and what to do. Throws NOT_FOUND. */
export async function getDmarc(
  ctx: Context,
  id: string,
  { days }: { days: number },
): Promise<Dmarc> {
  requireRole(ctx, "viewer");
  const domain = await getDomainRow(ctx, id);
  const { db } = ctx;
  const rows = await readSources(db, domain.id, days);
  const seen = {
    period: await readPeriod(db, domain.id, days),
    totals: await readTotals(db, domain.id, days),
    days: await readDays(db, domain.id, days),
    sources: await toSources(domain, rows),
    otherSources: Math.max(0, (rows[0]?.sources ?? 0) - rows.length),
    reporting: reportingOf(domain),
    tls: await readTls(db, domain, days),
  };
  return { ...seen, advice: adviceOf(domain.name, seen) };
}
