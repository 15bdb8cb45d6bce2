import { and, count, eq, sql } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { dmarcRows, domainReports, domains, tlsReportRows } from "@/db/schema";
import { newId } from "@/lib/ground/ids/ids";
import { AppError } from "@/lib/ground/errors";
import { log } from "@/lib/ground/log";
import { metrics } from "@/lib/ground/metrics/metrics";
import type { ReceivedReport } from "@/lib/mail/incoming/incoming";
import { readReportAddress, type DomainReportKind } from "@/lib/mail/domain-reports/address";
import type { ReportFault } from "@/lib/mail/domain-reports/fault";
import type { DomainReport } from "@/lib/mail/domain-reports/read";
import { returnPathHost } from "@/lib/mail/return-path";

/** An address of ours that takes reports of one domain. */
export interface ReportAddress {
  kind: "report";
  reports: DomainReportKind;
  /** uuid */
  domainId: string;
  /** uuid */
  projectId: string;
  domain: string;
}

/** What became of a report, as the metrics count it. */
type Result = "kept" | "repeated" | "unproven" | "foreign" | "untimely" | "too_many" | ReportFault;

/** Most reports in 24 hours from one reporter, and about one domain; honest reporters send one or two. */
const mostOfReporter = 50;
const mostOfDomain = 500;
/** How old a report may be, and how long its period: reporters retry for days, and some cover a week. */
const oldestDays = 60;
const longestDays = 8;

/** null when the address is not ours, is forged, or belongs to a deleted domain. `ownHost` is MAIL_HOSTNAME, in lower case. */
export async function findReportAddress(
  db: Database,
  address: string,
  ownHost: string,
): Promise<ReportAddress | null> {
  const read = readReportAddress(address);
  if (!read) return null;
  const [row] = await db
    .select({ projectId: domains.projectId, domain: domains.name })
    .from(domains)
    .where(and(eq(domains.id, read.domainId), eq(domains.builtIn, false)));
  const host = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  if (!row || (host !== ownHost && host !== returnPathHost(row.domain))) return null;
  return { kind: "report", reports: read.kind, domainId: read.domainId, ...row };
}

const refused = (message: string) => new AppError("NOT_ALLOWED", message);
const unreadable = (message: string) => new AppError("VALIDATION_ERROR", message);

function isAbout({ reports, domain }: ReportAddress, report: DomainReport): boolean {
  // A TLS report may cover several of the hosts that take the domain's mail.
  const own = reports === "tls" ? [domain, returnPathHost(domain)] : [domain];
  return report.domains.every((name) => own.includes(name));
}

async function isTimely(tx: Transaction, { beginsAt, endsAt }: DomainReport): Promise<boolean> {
  const hours = (endsAt.getTime() - beginsAt.getTime()) / 3_600_000;
  if (hours < 0 || hours > longestDays * 24) return false;
  const [row] = await tx.execute<{ timely: boolean }>(sql`
    select ${beginsAt.toISOString()}::timestamptz > app_now() - make_interval(days => ${oldestDays})
      and ${endsAt.toISOString()}::timestamptz < app_now() + interval '1 day' as timely`);
  return row?.timely ?? false;
}

async function isRoomFor(
  tx: Transaction,
  { domainId }: ReportAddress,
  reporter: string,
): Promise<boolean> {
  const [row] = await tx
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where ${domainReports.reporter} = ${reporter})::int`,
    })
    .from(domainReports)
    .where(
      and(
        eq(domainReports.domainId, domainId),
        sql`${domainReports.createdAt} > app_now() - interval '1 day'`,
      ),
    );
  return row !== undefined && row.all < mostOfDomain && row.own < mostOfReporter;
}

async function keepRows(tx: Transaction, reportId: string, report: DomainReport): Promise<void> {
  if (report.rows.length === 0) return;
  if (report.kind === "dmarc") {
    await tx
      .insert(dmarcRows)
      .values(report.rows.map((row, position) => ({ reportId, position, ...row })));
  } else {
    await tx
      .insert(tlsReportRows)
      .values(report.rows.map((row, position) => ({ reportId, position, ...row })));
  }
}

async function keep(
  tx: Transaction,
  address: ReportAddress,
  { report, reporter }: { report: DomainReport; reporter: string },
): Promise<Result> {
  const { domainId, projectId } = address;
  // A domain's reports are taken one at a time: two at once would not count each other.
  const locked = await tx
    .select({ id: domains.id })
    .from(domains)
    .where(eq(domains.id, domainId))
    .for("no key update");
  if (locked.length === 0) return "foreign";
  const sameReport = and(
    eq(domainReports.domainId, domainId),
    eq(domainReports.kind, report.kind),
    eq(domainReports.reporter, reporter),
    eq(domainReports.reportId, report.reportId),
  );
  const [before] = await tx.select({ id: domainReports.id }).from(domainReports).where(sameReport);
  if (before) return "repeated";
  if (!(await isTimely(tx, report))) return "untimely";
  if (!(await isRoomFor(tx, address, reporter))) return "too_many";
  const id = newId(projectId);
  await tx.insert(domainReports).values({
    id,
    projectId,
    domainId,
    kind: report.kind,
    reporter,
    organization: report.organization || reporter,
    reportId: report.reportId,
    beginsAt: report.beginsAt,
    endsAt: report.endsAt,
    policy: report.kind === "dmarc" ? report.policy : null,
  });
  await keepRows(tx, id, report);
  return "kept";
}

async function judge(
  db: Database,
  address: ReportAddress,
  { mail }: ReceivedReport,
): Promise<{ result: Result; error?: AppError }> {
  if (!mail) {
    const error = refused("Reports are read only from senders that DKIM or DMARC proves.");
    return { result: "unproven", error };
  }
  if ("fault" in mail.result) {
    return { result: mail.result.fault, error: unreadable(mail.result.message) };
  }
  const { report } = mail.result;
  if (!isAbout(address, report)) {
    return { result: "foreign", error: refused("The report is about another domain.") };
  }
  const result = await db.transaction((tx) => keep(tx, address, { report, reporter: mail.from }));
  switch (result) {
    case "untimely":
      return {
        result,
        error: unreadable("The report's period is too long, too old or in the future."),
      };
    case "too_many":
      return { result, error: refused("Too many reports came today.") };
    case "foreign":
      return { result, error: refused("There is no such domain any more.") };
    default:
      return { result };
  }
}

/** Counts what became of a report, and logs it when nothing was stored. */
export function noteReport(
  { reports, domainId, domain }: ReportAddress,
  result: Result,
  detail: { reporter?: string | undefined; message?: string } = {},
): void {
  metrics.domainReports.inc({ kind: reports, result });
  if (result === "kept" || result === "repeated") return;
  log.warn({ kind: reports, result, domainId, domain, ...detail }, "a domain report was refused");
}

/**
 * Stores the report in a mail, once, and resolves after the commit. Throws what the sender is
 * told: UNAVAILABLE while their DNS records cannot be looked up, else why it is refused for good.
 */
export async function takeReport(
  db: Database,
  address: ReportAddress,
  received: ReceivedReport,
): Promise<void> {
  const { mail, checks } = received;
  if (!mail && checks.dmarc.result === "temperror") {
    throw new AppError("UNAVAILABLE", "The sender's DNS records cannot be looked up, try again");
  }
  const { result, error } = await judge(db, address, received);
  noteReport(address, result, {
    reporter: mail?.from,
    ...(error ? { message: error.message } : {}),
  });
  if (error) throw error;
}
