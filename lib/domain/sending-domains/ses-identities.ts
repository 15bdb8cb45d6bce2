import { and, eq, isNull, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains, sesIdentities } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { RecordCheck } from "@/db/schema/domains";
import type { SesAnswer, SesFault } from "@/db/schema/ses-identities";
import { encodeId } from "@/lib/ground/ids/ids";
import type { SesIdentity } from "./schema";
import { recordState } from "./record-state";
import { mailFromHost, mailFromRecords } from "./ses-records";
import { sesWays } from "./ses-ways";

interface Row extends Record<string, unknown> {
  domain_id: string;
  connection_id: string | null;
  region: string;
  name: string;
  answer: SesAnswer | null;
  checks: { MX?: RecordCheck; TXT?: RecordCheck } | null;
  fault: SesFault | null;
  checked_at: string | null;
  next_check_at: string | null;
}

const timeOf = (text: string | null) => (text === null ? null : new Date(text).toISOString());

function statusOf(answer: SesAnswer | null): SesIdentity["status"] {
  if (answer?.sends) return "VERIFIED";
  return answer?.status === "FAILED" || answer?.dkim.status === "FAILED" ? "FAILED" : "PENDING";
}

/** Amazon names the account and its users to whoever is refused; the installation's are no project's business. */
function messageOf({ words }: SesFault, connectionId: string | null): string {
  return connectionId === null ? words.replaceAll(/\barn:\S+/g, "(…)") : words;
}

function toIdentity(row: Row): SesIdentity {
  const { answer, fault, region, connection_id: connectionId } = row;
  const host = answer?.mailFrom?.host ?? mailFromHost(row.name, region);
  return {
    connectionId: connectionId === null ? null : encodeId("connection", connectionId),
    region,
    status: statusOf(answer),
    error: answer?.error ?? null,
    dkim: answer?.dkim.status ?? null,
    mailFrom: { host, status: answer?.mailFrom?.status ?? null },
    records: mailFromRecords(host, region).map((expected) => ({
      ...expected,
      ...recordState(row.checks?.[expected.type]),
    })),
    problem: fault && { kind: fault.kind, message: messageOf(fault, connectionId) },
    checkedAt: timeOf(row.checked_at),
    nextCheckAt: timeOf(row.next_check_at),
  };
}

/** What Amazon SES makes of domains whose mail leaves through it, by the domain's uuid. */
export async function readSesIdentities(
  executor: Executor,
  domainIds: readonly string[],
): Promise<(domainId: string) => SesIdentity[]> {
  const chosen = sql`${domains.id} = any(${sql.param(domainIds)}::uuid[])`;
  const rows = await executor.execute<Row>(sql`
    with ways as (${sesWays(chosen)})
    select ways.domain_id, ways.connection_id, ways.region, ways.name, ${sesIdentities.answer},
      ${sesIdentities.checks}, ${sesIdentities.fault}, ${sesIdentities.checkedAt},
      ${sesIdentities.nextCheckAt}
    from ways left join ${sesIdentities} on ${sesIdentities.domainId} = ways.domain_id
      and ${sesIdentities.connectionId} is not distinct from ways.connection_id
      and ${sesIdentities.region} = ways.region
    order by ways.region, ways.connection_id`);
  const ofDomains = Map.groupBy([...rows], ({ domain_id: id }) => id);
  return (id) => (ofDomains.get(id) ?? []).map(toIdentity);
}

/** Has SES asked about a domain (uuid) soon: somebody waits for the answer. */
export async function askSesSoon(executor: Executor, domainId: string): Promise<void> {
  await executor
    .update(sesIdentities)
    .set({ nextCheckAt: now, attempts: 0 })
    .where(and(eq(sesIdentities.domainId, domainId), isNull(sesIdentities.leavingSince)));
}
