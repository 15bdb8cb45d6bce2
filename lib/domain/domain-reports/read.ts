import { BlockList, isIP } from "node:net";
import { sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { dmarcRows, domainReports, tlsReportRows } from "@/db/schema";
import { getDomainRow, type DomainRow } from "@/lib/domain/sending-domains/domains";
import { tlsReportingHost } from "@/lib/domain/sending-domains/records";
import { requireRole, type Context } from "@/lib/ground/context";
import { reverseNames } from "@/lib/ground/dns/reverse";
import { env } from "@/lib/ground/env/env";
import { reportAddressOf } from "@/lib/mail/domain-reports/address";
import { adviceOf } from "./advice";
import { reportingOf } from "./reporting";
import type { Dmarc, DmarcSource } from "./schema";
import { serviceOf } from "./senders";

const mostSources = 50;
const mostFailures = 20;

const aligned = sql`(${dmarcRows.dkimAligned} = 'pass' or ${dmarcRows.spfAligned} = 'pass')`;
const sumOf = (condition = sql`true`) =>
  sql`coalesce(sum(${dmarcRows.messages}) filter (where ${condition}), 0)::float8`;

/** Rows of a domain's reports since a day. */
const rowsOf = (domainId: string, days: number) => sql`
  ${dmarcRows} join ${domainReports} on ${domainReports.id} = ${dmarcRows.reportId}
  where ${reportsOf(domainId, days, "dmarc")}`;
const reportsOf = (domainId: string, days: number, kind: "dmarc" | "tls") => sql`
  ${domainReports.domainId} = ${domainId} and ${domainReports.kind} = ${kind}
  and ${domainReports.beginsAt} >= date_trunc('day', app_now(), 'UTC') - make_interval(days => ${days - 1})`;

type Totals = Dmarc["totals"];
const totals = sql`${sumOf()} as messages, ${sumOf(aligned)} as aligned,
  ${sumOf(sql`${dmarcRows.dkimAligned} = 'pass'`)} as "dkimAligned",
  ${sumOf(sql`${dmarcRows.spfAligned} = 'pass'`)} as "spfAligned",
  ${sumOf(sql`${dmarcRows.disposition} = 'quarantine'`)} as quarantined,
  ${sumOf(sql`${dmarcRows.disposition} = 'reject'`)} as rejected`;

async function readPeriod(db: Executor, domainId: string, days: number) {
  const [row] = await db.execute<Dmarc["period"]>(sql`
    select to_char(app_now() at time zone 'UTC' - make_interval(days => ${days - 1}), 'YYYY-MM-DD') as "from",
      to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD') as "to", count(*)::int as reports,
      coalesce(array_agg(distinct ${domainReports.reporter} order by ${domainReports.reporter}), '{}') as reporters
    from ${domainReports} where ${reportsOf(domainId, days, "dmarc")}`);
  if (!row) throw new Error("An aggregate returned no row.");
  return row;
}

function readDays(db: Executor, domainId: string, days: number) {
  return db.execute<Dmarc["days"][number]>(sql`
    select to_char(${domainReports.beginsAt} at time zone 'UTC', 'YYYY-MM-DD') as day,
      ${sumOf(aligned)} as aligned, ${sumOf(sql`not ${aligned}`)} as unaligned
    from ${rowsOf(domainId, days)} group by 1 order by 1`);
}

interface SourceRow extends Totals, Record<string, unknown> {
  address: string;
  headerFrom: string[];
  /** Domain and selector of each check that passed. */
  passed: { domain: string; selector?: string }[] | null;
  all: number;
}

/** What passed a check, for one row. */
const passedOf = sql`(select jsonb_agg(result) from
  jsonb_array_elements(${dmarcRows.dkimResults} || ${dmarcRows.spfResults}) as result
  where result ->> 'result' = 'pass')`;

function readSources(db: Executor, domainId: string, days: number) {
  return db.execute<SourceRow>(sql`
    with rows as (
      select ${dmarcRows.sourceAddress} as address, ${totals},
        array_agg(distinct ${dmarcRows.headerFrom}) as "headerFrom",
        jsonb_agg(distinct passed.result) filter (where passed.result is not null) as passed
      from ${dmarcRows} join ${domainReports} on ${domainReports.id} = ${dmarcRows.reportId}
        left join lateral (select ${passedOf} as result) passed on true
      where ${reportsOf(domainId, days, "dmarc")} and ${dmarcRows.sourceAddress} <> ''
      group by 1)
    select rows.*, count(*) over ()::int as all from rows
    order by messages desc, address limit ${mostSources}`);
}

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
    const { all: _, passed, address, headerFrom, ...figures } = row;
    const checks = (passed ?? []).flat();
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

async function readTls(db: Executor, domain: DomainRow, days: number): Promise<Dmarc["tls"]> {
  const rows = await db.execute<{ type: string | null; host: string | null; sessions: number }>(sql`
    select ${tlsReportRows.failure} as type, ${tlsReportRows.receivingHost} as host,
      sum(${tlsReportRows.sessions})::float8 as sessions
    from ${tlsReportRows} join ${domainReports} on ${domainReports.id} = ${tlsReportRows.reportId}
    where ${reportsOf(domain.id, days, "tls")} group by 1, 2 order by 3 desc, 1, 2`);
  const [counted] = await db.execute<{ reports: number }>(sql`
    select count(*)::int as reports from ${domainReports} where ${reportsOf(domain.id, days, "tls")}`);
  const failures = rows.flatMap(({ type, host, sessions }) =>
    type === null ? [] : [{ type, receivingHost: host, sessions }],
  );
  const sum = (amounts: readonly { sessions: number }[]) =>
    amounts.reduce((before, { sessions }) => before + sessions, 0);
  return {
    record: {
      name: tlsReportingHost(domain.name),
      value: `v=TLSRPTv1; rua=mailto:${reportAddressOf("tls", domain)}`,
    },
    reports: counted?.reports ?? 0,
    successful: sum(rows.filter(({ type }) => type === null)),
    failed: sum(failures),
    failures: failures.slice(0, mostFailures),
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
  const [sum] = await db.execute<Totals & Record<string, unknown>>(
    sql`select ${totals} from ${rowsOf(domain.id, days)}`,
  );
  if (!sum) throw new Error("An aggregate returned no row.");
  const rows = await readSources(db, domain.id, days);
  const seen = {
    period: await readPeriod(db, domain.id, days),
    totals: sum,
    days: [...(await readDays(db, domain.id, days))],
    sources: await toSources(domain, rows),
    otherSources: Math.max(0, (rows[0]?.all ?? 0) - rows.length),
    reporting: reportingOf(domain),
    tls: await readTls(db, domain, days),
  };
  return { ...seen, advice: adviceOf(domain.name, seen) };
}
