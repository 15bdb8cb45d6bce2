import { and, eq, getTableColumns, ilike, sql } from "drizzle-orm";
import { violatedConstraint } from "@/db/errors";
import type { Executor, Transaction } from "@/db/client";
import { domains, warmupHours } from "@/db/schema";
import { containing } from "@/lib/ground/paging/like";
import { audit } from "@/lib/ground/audit";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { endSenderPause } from "@/lib/ground/queue/sender-pauses";
import { pageOf } from "@/lib/ground/paging/cursor";
import { inOrder } from "@/lib/ground/paging/order";
import type { Page } from "@/lib/ground/paging/schema";
import type { WarmupSummary } from "@/lib/domain/warm-up/schema";
import { namedConnection } from "@/lib/domain/connections/connections";
import { readWarmups } from "@/lib/domain/warm-up/store";
import { builtInDomain } from "./built-in";
import { createDkimKey } from "./dkim-keys";
import { recordState } from "./record-state";
import { expectedRecords } from "./records";
import { readSesIdentities } from "./ses-identities";
import { checkTrackingHost } from "./tracking-hosts";
import {
  normalizeDomainName,
  type Domain,
  type DomainCreate,
  type DomainQuery,
  type DomainRecord,
  type DomainUpdate,
  type SesIdentity,
} from "./schema";

export type DomainRow = typeof domains.$inferSelect;

function toRecords(row: DomainRow): DomainRecord[] {
  return expectedRecords(row).map((expected) => ({
    ...expected,
    ...recordState(row.checks[expected.purpose]),
  }));
}

/** A row as the resource that callers see. */
export async function toDomain(executor: Executor, row: DomainRow): Promise<Domain> {
  const warmupOf = await readWarmups(executor, [row.id]);
  const identitiesOf = await readSesIdentities(executor, [row.id]);
  return resourceOf(row, warmupOf(row.id), identitiesOf(row.id));
}

function resourceOf(row: DomainRow, warmup: WarmupSummary, ses: SesIdentity[]): Domain {
  return {
    id: encodeId("domain", row.id),
    name: row.name,
    status: row.status,
    builtIn: row.builtIn,
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt?.toISOString() ?? null,
    tracking: { opens: row.trackOpens, clicks: row.trackClicks },
    inbound: row.inbound,
    trackingHost: row.trackingHost,
    trackingHostActive: row.trackingSince !== null,
    connectionId: row.connectionId === null ? null : encodeId("connection", row.connectionId),
    warmup,
    records: toRecords(row),
    ses,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The row of a wire id, in the caller's project. Throws NOT_FOUND. */
export async function getDomainRow(
  ctx: Pick<Context, "projectId" | "db">,
  id: string,
  lockedIn?: Transaction,
): Promise<DomainRow> {
  const uuid = decodeId("domain", id);
  if (!uuid) throw notFound();
  const query = (lockedIn ?? ctx.db)
    .select()
    .from(domains)
    .where(and(eq(domains.projectId, ctx.projectId), eq(domains.id, uuid)));
  const [row] = await (lockedIn ? query.for("update") : query);
  if (!row) throw notFound();
  return row;
}

function chosenName({ name, domain }: DomainCreate): string {
  const text = name ?? domain;
  if (text === undefined) throw invalid("name", "is required");
  const chosen = normalizeDomainName(text);
  if (chosen === null) throw invalid("name", "is not a domain name");
  if (domain !== undefined && normalizeDomainName(domain) !== chosen) {
    throw invalid("domain", "and name mean the same and have different values");
  }
  return chosen;
}

/**
 * Adds a sending domain with a DKIM key of its own; it waits for its records and `verifyDomain`. Throws
 * VALIDATION_ERROR for anything but a domain name, CONFLICT when the project has it. Needs admin.
 */
export async function createDomain(ctx: Context, input: DomainCreate): Promise<Domain> {
  requireRole(ctx, "admin");
  const name = chosenName(input);
  if (name === builtInDomain) {
    throw new AppError("CONFLICT", `${name} is built in: it works as long as mail is captured.`);
  }
  const key = await createDkimKey();
  try {
    return await ctx.db.transaction(async (tx) => {
      const [row] = await tx
        .insert(domains)
        .values({
          id: newId(ctx.projectId),
          projectId: ctx.projectId,
          name,
          status: "PENDING",
          ...key,
        })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      const created = await toDomain(tx, row);
      await audit(tx, ctx, "create.domain", created.id, { name });
      return created;
    });
  } catch (error) {
    if (violatedConstraint(error) === "domains_name") {
      throw new AppError("CONFLICT", `The project already has the domain ${name}.`);
    }
    throw error;
  }
}

/** Names are kept as A-labels: a search in other scripts looks for the A-label's letters. */
function searched(part: string): string {
  return (normalizeDomainName(part) ?? part).toLowerCase();
}

/** The project's domains, newest first. */
export async function listDomains(ctx: Context, query: DomainQuery): Promise<Page<Domain>> {
  requireRole(ctx, "viewer");
  const { by, after, key, cursorOf } = inOrder(query, domains.id, {
    name: { value: sql`${domains.name}`, as: "text" },
  });
  const rows = await ctx.db
    .select({ ...getTableColumns(domains), key })
    .from(domains)
    .where(
      and(
        eq(domains.projectId, ctx.projectId),
        query.status && eq(domains.status, query.status),
        query.search ? ilike(domains.name, containing(searched(query.search))) : undefined,
        after,
      ),
    )
    .orderBy(...by)
    .limit(query.limit + 1);
  const ids = rows.map(({ id }) => id);
  const [warmupOf, identitiesOf] = await Promise.all([
    readWarmups(ctx.db, ids),
    readSesIdentities(ctx.db, ids),
  ]);
  return pageOf(
    rows,
    query.limit,
    (row) => resourceOf(row, warmupOf(row.id), identitiesOf(row.id)),
    cursorOf,
  );
}

/** Throws NOT_FOUND. */
export async function getDomain(ctx: Context, id: string): Promise<Domain> {
  requireRole(ctx, "viewer");
  return toDomain(ctx.db, await getDomainRow(ctx, id));
}

/** The columns for another link host, which has to be looked up first. Throws VALIDATION_ERROR, CONFLICT. */
function changedTracking({ name, builtIn, trackingHost }: DomainRow, input: DomainUpdate) {
  if (input.trackingHost === undefined) return {};
  const host = input.trackingHost === null ? null : normalizeDomainName(input.trackingHost);
  if (host === null && input.trackingHost !== null) throw invalid("trackingHost", "is no name");
  if (host === trackingHost) return {};
  if (host !== null) {
    if (builtIn) throw new AppError("CONFLICT", `${name} is for testing: no host leads to it.`);
    checkTrackingHost(host, name);
  }
  // Somebody who publishes the record at once need not ask for the look-up.
  const nextCheckAt = sql`case when ${domains.status} = 'VERIFIED'
    then least(${domains.nextCheckAt}, app_now() + interval '1 minute') else ${domains.nextCheckAt} end`;
  const checks = sql`${domains.checks} - 'TRACKING'`;
  return {
    trackingHost: host,
    trackingSince: null,
    checks,
    ...(host === null ? {} : { nextCheckAt }),
  };
}

/**
 * Changes what is counted about a domain's mail (if handed over from the next minute on), whether mail to it is taken,
 * and what its mail leaves through. Throws NOT_FOUND, CONFLICT for inbound mail of a built-in one. Needs admin.
 */
export async function updateDomain(ctx: Context, id: string, input: DomainUpdate): Promise<Domain> {
  requireRole(ctx, "admin");
  return ctx.db.transaction(async (tx) => {
    const before = await getDomainRow(ctx, id, tx);
    if (before.builtIn && input.inbound) {
      throw new AppError("CONFLICT", `${before.name} is for testing: no mail can be sent to it.`);
    }
    const connectionId = await namedConnection(tx, ctx, "connectionId", input.connectionId);
    const [row] = await tx
      .update(domains)
      .set({
        ...(connectionId === undefined ? {} : { connectionId }),
        inbound: input.inbound ?? before.inbound,
        ...changedTracking(before, input),
        trackOpens: input.tracking?.opens ?? before.trackOpens,
        trackClicks: input.tracking?.clicks ?? before.trackClicks,
      })
      .where(and(eq(domains.projectId, ctx.projectId), eq(domains.id, before.id)))
      .returning();
    if (!row) throw notFound();
    const updated = await toDomain(tx, row);
    await audit(tx, ctx, "update.domain", id, {
      tracking: updated.tracking,
      inbound: updated.inbound,
      trackingHost: updated.trackingHost,
      connectionId: updated.connectionId,
    });
    return updated;
  });
}

/**
 * Removes a domain and its key. Mail from it that was not handed over yet then finds no verified
 * domain, and FAILS. Throws NOT_FOUND, CONFLICT for a built-in one. Needs admin.
 */
export async function deleteDomain(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const { id: uuid, builtIn, name } = await getDomainRow(ctx, id);
  if (builtIn) throw new AppError("CONFLICT", `${name} is built in and cannot be deleted.`);
  await ctx.db.transaction(async (tx) => {
    await endSenderPause(tx, { projectId: ctx.projectId, domainId: uuid });
    const [row] = await tx
      .delete(domains)
      .where(and(eq(domains.projectId, ctx.projectId), eq(domains.id, uuid)))
      .returning({ id: domains.id });
    if (!row) throw notFound();
    await tx.delete(warmupHours).where(eq(warmupHours.domainId, row.id));
    await audit(tx, ctx, "delete.domain", id, { name });
  });
}
