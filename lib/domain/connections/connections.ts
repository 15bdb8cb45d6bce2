import { and, asc, eq, ne, sql } from "drizzle-orm";
import type { Executor, Transaction } from "@/db/client";
import { violatedConstraint } from "@/db/errors";
import { domains, sendingConnections } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { hasRole, requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid, notFound } from "@/lib/ground/errors";
import { decodeId, encodeId, newId } from "@/lib/ground/ids/ids";
import { lockProject } from "@/lib/ground/project-lock";
import { announce } from "@/lib/ground/queue/announce";
import { endConnectionHold } from "@/lib/ground/queue/connection-holds";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import { changedSecrets, newSecrets, webhookUrlOf } from "./connection-secrets";
import type { Connection, ConnectionInput, ConnectionList, ConnectionUpdate } from "./schema";
import { askIdentitiesSoon } from "./ses-identities";
import { checkFields, checkNew, checkSettings, completeSettings, storedSettings } from "./settings";

/** How many a project may have: enough to carry its mail and to stand in for one another. */
const mostConnections = 20;
/** A throttling that no worker has reported for this long is over. */
const freshMilliseconds = 60_000;

type Row = typeof sendingConnections.$inferSelect;
type DomainName = Connection["domains"][number];

function stateOf(row: Row): Connection["state"] {
  if (row.heldSince !== null) {
    return {
      name: row.heldFault ?? "unreachable",
      since: row.heldSince.toISOString(),
      words: keptTextOrNull(row.heldWords),
      perMinute: null,
    };
  }
  const told = row.throttling;
  if (told && Date.now() - Date.parse(told.toldAt) < freshMilliseconds) {
    const perMinute = Math.max(1, Math.round(told.rate * 60));
    return { name: "throttled", since: told.since, words: told.words, perMinute };
  }
  return { name: "working", since: null, words: null, perMinute: null };
}

function toConnection(ctx: Context, row: Row, users: readonly DomainName[]): Connection {
  const common = {
    id: encodeId("connection", row.id),
    name: row.name,
    standard: row.standard,
    fallbackId: row.fallbackId === null ? null : encodeId("connection", row.fallbackId),
    domains: [...users],
    state: stateOf(row),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
  const settings = completeSettings(row.kind, row.settings);
  if (settings.kind === "smtp" || settings.kind === "mx") return { ...common, ...settings };
  return {
    ...common,
    ...settings,
    webhookUrl: hasRole(ctx, "admin") ? webhookUrlOf(row, row.webhookSecretSealed) : null,
    hasWebhookSecret:
      settings.kind === "ses" ? settings.topicArn !== null : row.webhookSecretSealed !== null,
  };
}

/** What the audit log says about a connection besides its name. */
function detailsOf({ name, kind, settings }: Row) {
  const { host } = settings;
  return { name, kind, ...(host === undefined ? {} : { host }) };
}

/** The domains that use each of the project's connections, by the connection's uuid. */
async function domainsOf(executor: Executor, ctx: Context): Promise<Map<string, DomainName[]>> {
  const rows = await executor
    .select({ id: domains.id, name: domains.name, connectionId: domains.connectionId })
    .from(domains)
    .where(eq(domains.projectId, ctx.projectId))
    .orderBy(asc(domains.name));
  const named = new Map<string, DomainName[]>();
  for (const { id, name, connectionId } of rows) {
    if (connectionId === null) continue;
    const entry = { id: encodeId("domain", id), name };
    named.set(connectionId, [...(named.get(connectionId) ?? []), entry]);
  }
  return named;
}

async function asResource(executor: Executor, ctx: Context, row: Row): Promise<Connection> {
  return toConnection(ctx, row, (await domainsOf(executor, ctx)).get(row.id) ?? []);
}

/** The condition for the id in a path. Throws NOT_FOUND. */
const owned = (ctx: Context, id: string) => {
  const uuid = decodeId("connection", id);
  if (!uuid) throw notFound();
  return and(eq(sendingConnections.projectId, ctx.projectId), eq(sendingConnections.id, uuid));
};

/** The row of a wire id. Throws NOT_FOUND. */
export async function connectionRow(ctx: Context, id: string): Promise<Row> {
  const [row] = await ctx.db.select().from(sendingConnections).where(owned(ctx, id));
  if (!row) throw notFound();
  return row;
}

/** Throws CONFLICT when another connection has the name. */
async function withUniqueName<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (violatedConstraint(error) !== "sending_connections_name") throw error;
    throw new AppError("CONFLICT", `There is already a connection called ${name}.`);
  }
}

/**
 * uuid of the project's connection that a field names, locked against deletion until the transaction
 * ends; undefined when the field is absent. Throws VALIDATION_ERROR.
 */
export async function namedConnection(
  tx: Transaction,
  ctx: Context,
  field: string,
  id: string | null | undefined,
): Promise<string | null | undefined> {
  if (id === undefined || id === null) return id;
  const uuid = decodeId("connection", id);
  const [row] = uuid
    ? await tx
        .select({ id: sendingConnections.id })
        .from(sendingConnections)
        .where(
          and(eq(sendingConnections.projectId, ctx.projectId), eq(sendingConnections.id, uuid)),
        )
        .for("key share")
    : [];
  if (!row) throw invalid(field, "is no sending connection of this project");
  return row.id;
}

/** At most one is the standard, so the others stop being the standard. */
async function makeStandard(tx: Transaction, ctx: Context, uuid: string | null): Promise<void> {
  await tx
    .update(sendingConnections)
    .set({ standard: false })
    .where(
      and(
        eq(sendingConnections.projectId, ctx.projectId),
        eq(sendingConnections.standard, true),
        uuid === null ? undefined : ne(sendingConnections.id, uuid),
      ),
    );
}

/** All of the project's, by name. Needs viewer. */
export async function listConnections(ctx: Context): Promise<ConnectionList> {
  requireRole(ctx, "viewer");
  const [rows, users] = await Promise.all([
    ctx.db
      .select()
      .from(sendingConnections)
      .where(eq(sendingConnections.projectId, ctx.projectId))
      .orderBy(sql`lower(${sendingConnections.name})`, asc(sendingConnections.id)),
    domainsOf(ctx.db, ctx),
  ]);
  return { data: rows.map((row) => toConnection(ctx, row, users.get(row.id) ?? [])) };
}

/** Throws NOT_FOUND. Needs viewer. */
export async function getConnection(ctx: Context, id: string): Promise<Connection> {
  requireRole(ctx, "viewer");
  return asResource(ctx.db, ctx, await connectionRow(ctx, id));
}

/** Throws VALIDATION_ERROR, CONFLICT: the name is taken, or there are twenty. Needs admin. */
export async function createConnection(ctx: Context, input: ConnectionInput): Promise<Connection> {
  requireRole(ctx, "admin");
  const { name, standard = false, fallbackId } = input;
  const settings = completeSettings(input.kind, input);
  checkNew(settings);
  const secrets = newSecrets(settings, input);
  return withUniqueName(name, () =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, ctx.projectId);
      const mine = eq(sendingConnections.projectId, ctx.projectId);
      if ((await tx.$count(sendingConnections, mine)) >= mostConnections) {
        throw new AppError("CONFLICT", `A project has ${mostConnections} connections at most.`);
      }
      const fallback = await namedConnection(tx, ctx, "fallbackId", fallbackId);
      if (standard) await makeStandard(tx, ctx, null);
      const [row] = await tx
        .insert(sendingConnections)
        .values({
          id: newId(ctx.projectId),
          projectId: ctx.projectId,
          name,
          kind: input.kind,
          settings: storedSettings(settings),
          ...secrets,
          standard,
          fallbackId: fallback ?? null,
        })
        .returning();
      if (!row) throw new Error("An insert returned no row.");
      await audit(tx, ctx, "create.connection", encodeId("connection", row.id), detailsOf(row));
      return toConnection(ctx, row, []);
    }),
  );
}

/** The settings and secrets as they will be after an update. Throws VALIDATION_ERROR. */
function changedColumns(before: Row, input: ConnectionUpdate) {
  checkFields(before.kind, input);
  const after = completeSettings(before.kind, input, before.settings);
  checkSettings(after);
  const secrets = changedSecrets(completeSettings(before.kind, before.settings), after, input);
  return { settings: storedSettings(after), ...secrets };
}

/**
 * Changes the fields that are present; mail and identities at Amazon SES that wait for it are tried again. Throws
 * NOT_FOUND, VALIDATION_ERROR, CONFLICT. Needs admin.
 */
export async function updateConnection(
  ctx: Context,
  id: string,
  input: ConnectionUpdate,
): Promise<Connection> {
  requireRole(ctx, "admin");
  const where = owned(ctx, id);
  const updated = await withUniqueName(input.name ?? "", () =>
    ctx.db.transaction(async (tx) => {
      await lockProject(tx, ctx.projectId);
      const [before] = await tx.select().from(sendingConnections).where(where).for("update");
      if (!before) throw notFound();
      refuseStale(input.basedOn, before.updatedAt);
      const fallback = await namedConnection(tx, ctx, "fallbackId", input.fallbackId);
      if (fallback === before.id) throw invalid("fallbackId", "is the connection itself");
      if (input.standard) await makeStandard(tx, ctx, before.id);
      const [row] = await tx
        .update(sendingConnections)
        .set({
          ...changedColumns(before, input),
          name: input.name ?? before.name,
          standard: input.standard ?? before.standard,
          fallbackId: fallback === undefined ? before.fallbackId : fallback,
          throttling: null,
          updatedAt: laterThan(sendingConnections.updatedAt),
        })
        .where(where)
        .returning();
      if (!row) throw notFound();
      await endConnectionHold(tx, row);
      await askIdentitiesSoon(tx, row.id);
      const [after] = await tx.select().from(sendingConnections).where(where);
      await audit(tx, ctx, "update.connection", id, detailsOf(row));
      return asResource(tx, ctx, after ?? row);
    }),
  );
  announce(ctx.db, "emails_due");
  return updated;
}

/**
 * Mail that waited for it leaves as if it had never existed. Throws NOT_FOUND, CONFLICT while a domain names it.
 * Needs admin.
 */
export async function deleteConnection(ctx: Context, id: string): Promise<void> {
  requireRole(ctx, "admin");
  const where = owned(ctx, id);
  await ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(sendingConnections).where(where).for("update");
    if (!row) throw notFound();
    const [user] = await tx
      .select({ name: domains.name })
      .from(domains)
      .where(and(eq(domains.projectId, ctx.projectId), eq(domains.connectionId, row.id)))
      .limit(1);
    if (user) {
      throw new AppError(
        "CONFLICT",
        `The domain ${user.name} sends through it. Change that first.`,
      );
    }
    await endConnectionHold(tx, row);
    await tx
      .update(sendingConnections)
      .set({ fallbackId: null })
      .where(
        and(
          eq(sendingConnections.projectId, ctx.projectId),
          eq(sendingConnections.fallbackId, row.id),
        ),
      );
    await tx.delete(sendingConnections).where(where);
    await audit(tx, ctx, "delete.connection", id, { name: row.name });
  });
  announce(ctx.db, "emails_due");
}
