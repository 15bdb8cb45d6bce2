import { sql, type SQL } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { domains, emailQueue, emails, senderPauses, workers, type SlowReceiver } from "@/db/schema";
import { recipientDomain } from "@/lib/domain/receivers/receiver-of";
import type { MailServerTrouble } from "@/db/schema/work";
import { audit } from "@/lib/ground/audit";
import { requireLive, requireRole, type Context } from "@/lib/ground/context";
import { AppError } from "@/lib/ground/errors";
import { encodeId } from "@/lib/ground/ids/ids";
import { announce } from "@/lib/ground/queue/announce";
import { endSenderPause, heldBack } from "@/lib/ground/queue/sender-pauses";
import { getDomainRow, toDomain } from "@/lib/domain/sending-domains/domains";
import type { Domain } from "@/lib/domain/sending-domains/schema";
import { findHold } from "./hold";
import type { SendingState } from "./schema";
import { mostCounted } from "./terms";
import { readWay } from "./way";

/** A worker that has been silent for longer says nothing about the present. */
const freshSeconds = 60;
const mostTold = 10;

/** SQL: how many rows there are, up to the counting limit. */
const countUpTo = (rows: SQL) =>
  sql`(select count(*)::int from (select ${rows} limit ${mostCounted}) counted)`;

const perMinute = (rate: number) => Math.max(1, Math.round(rate * 60));

type Waiting = NonNullable<SendingState["waiting"]>;

async function countWaiting(ctx: Context): Promise<Waiting> {
  const of = (campaigns: SQL) =>
    countUpTo(sql`from ${emailQueue}
    where ${emailQueue.projectId} = ${ctx.projectId} and ${emailQueue.campaignId} ${campaigns}`);
  const [row] = await ctx.db.execute<Waiting & Record<string, unknown>>(sql`
    select ${of(sql`is null`)} as transactional, ${of(sql`is not null`)} as campaigns`);
  if (!row) throw new Error("A select without a table returned no row.");
  return { transactional: row.transactional, campaigns: row.campaigns };
}

interface WorkerRow {
  mailServer: MailServerTrouble | null;
  slowReceivers: SlowReceiver[] | null;
}

/** What the workers report together: one without a session does not count while others have some. */
function mailServerOf(rows: readonly WorkerRow[]): SendingState["mailServer"] {
  const troubles = rows.flatMap((row) => row.mailServer ?? []);
  const [first] = troubles.toSorted((one, other) => one.since.localeCompare(other.since));
  if (!first) return null;
  const throttled = troubles.filter(({ state }) => state === "throttled");
  const working = throttled.length > 0 || troubles.length < rows.length;
  if (!working) {
    return { state: "unavailable", words: first.words, since: first.since, perMinute: null };
  }
  const [slow] = throttled;
  if (!slow) return null;
  const rate = throttled.reduce((sum, trouble) => sum + trouble.rate, 0);
  return { state: "throttled", words: slow.words, since: slow.since, perMinute: perMinute(rate) };
}

/** The slow receivers for which mail of the project is waiting. */
async function receiversOf(
  ctx: Context,
  rows: readonly WorkerRow[],
): Promise<SendingState["receivers"]> {
  const told = rows.flatMap((row) => row.slowReceivers ?? []);
  if (told.length === 0) return [];
  const domainsTold = [...new Set(told.flatMap((slow) => slow.domains))];
  // Mail for a slow receiver sleeps for at most a quarter of an hour.
  const waiting = await ctx.db.execute<{ domain: string }>(sql`
    select distinct ${recipientDomain(sql`${emails.recipient}`)} as domain
    from ${emailQueue} join ${emails} on ${emails.id} = ${emailQueue.emailId}
    where ${emailQueue.asleep} and ${emailQueue.projectId} = ${ctx.projectId}
      and ${emailQueue.dueAt} < app_now() + interval '15 minutes'
      and ${recipientDomain(sql`${emails.recipient}`)} = any(${sql.param(domainsTold)}::text[])`);
  const waitsFor = new Set(waiting.map(({ domain }) => domain));
  const names = new Set(
    told.filter((slow) => slow.domains.some((name) => waitsFor.has(name))).map(({ name }) => name),
  );
  return [...names]
    .map((receiver) => {
      const same = told.filter(({ name }) => name === receiver);
      const since = same.map((slow) => slow.since).toSorted()[0] ?? "";
      return {
        receiver,
        since,
        perMinute: perMinute(same.reduce((sum, { rate }) => sum + rate, 0)),
      };
    })
    .toSorted((one, other) => one.perMinute - other.perMinute)
    .slice(0, mostTold);
}

async function sendersOf(executor: Executor, projectId: string): Promise<SendingState["senders"]> {
  const rows = await executor.execute<{
    id: string;
    name: string;
    words: string;
    since: string;
    waiting: number;
  }>(sql`
    select ${domains.id}, ${domains.name}, ${senderPauses.words}, ${senderPauses.createdAt} as since,
      ${countUpTo(sql`from ${heldBack(sql`${senderPauses.projectId}`, sql`${senderPauses.domainId}`)}`)} as waiting
    from ${senderPauses} join ${domains} on ${domains.id} = ${senderPauses.domainId}
    where ${senderPauses.projectId} = ${projectId} order by ${senderPauses.createdAt}`);
  return rows.map(({ id, name, words, since, waiting }) => ({
    domain: encodeId("domain", id),
    name,
    words,
    since: new Date(since).toISOString(),
    waiting,
  }));
}

/** What keeps the project's mail from leaving, and how much of it waits. */
export async function getSendingState(ctx: Context): Promise<SendingState> {
  requireRole(ctx, "viewer");
  const rows = await ctx.db
    .select({ mailServer: workers.mailServer, slowReceivers: workers.slowReceivers })
    .from(workers)
    .where(sql`${workers.beatAt} > app_now() - make_interval(secs => ${freshSeconds})`);
  const [way, hold, receivers, senders] = await Promise.all([
    readWay(ctx),
    findHold(ctx.db),
    receiversOf(ctx, rows),
    sendersOf(ctx.db, ctx.projectId),
  ]);
  const held = hold && !hold.released.includes(ctx.projectId);
  const mailServer = mailServerOf(rows);
  const nothing = !held && !mailServer && receivers.length + senders.length === 0;
  return {
    way,
    hold: held ? { reason: hold.reason, since: hold.since } : null,
    // No index covers all of a project's queue, so it is counted only when somebody needs to know.
    waiting: nothing ? null : await countWaiting(ctx),
    mailServer,
    receivers,
    senders,
  };
}

/**
 * Resumes the mail of a sender that is waiting because the mail server refused it. If it still does, the sender
 * is paused again. Throws NOT_FOUND, CONFLICT if the sender is not paused. Needs admin.
 */
export async function resumeSender(ctx: Context, id: string): Promise<Domain> {
  requireRole(ctx, "admin");
  requireLive(ctx);
  const domain = await getDomainRow(ctx, id);
  await ctx.db.transaction(async (tx) => {
    if (!(await endSenderPause(tx, { projectId: ctx.projectId, domainId: domain.id }))) {
      throw new AppError("CONFLICT", `Mail from ${domain.name} is not paused.`);
    }
    await audit(tx, ctx, "resume.domain", id, { name: domain.name });
  });
  announce(ctx.db, "emails_due");
  return toDomain(ctx.db, domain);
}
