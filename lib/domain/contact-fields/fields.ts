import { and, asc, eq, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { assignments } from "@/db/names";
import { contactFields, contacts } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { CountedField } from "@/db/schema/contact-fields";
import type { ContactFieldKind } from "@/db/enums";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { audit } from "@/lib/ground/audit";
import { counted } from "@/lib/ground/amount";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import { lockProject } from "@/lib/ground/project-lock";
import { laterThan, refuseStale } from "@/lib/ground/updates/stale";
import {
  isFieldKey,
  longestName,
  mostFields,
  type ContactField,
  type ContactFieldInput,
  type ContactFieldList,
  type ContactTagList,
} from "./schema";
import { kindOf, readSurvey } from "./survey";

type Row = typeof contactFields.$inferSelect;

const none: Omit<CountedField, "key"> = {
  contacts: 0,
  kinds: { text: 0, number: 0, boolean: 0, date: 0, other: 0 },
};

/** Every date is a text as well. */
const fitting = (kinds: CountedField["kinds"], kind: ContactFieldKind) =>
  kinds[kind] + (kind === "text" ? kinds.date : 0);

/** What most values are; dates only where all texts are dates. */
function usualKind({ text, number, boolean, date }: CountedField["kinds"]): ContactFieldKind {
  const most = Math.max(text + date, number, boolean);
  if (most === text + date) return text === 0 && date > 0 ? "date" : "text";
  return most === number ? "number" : "boolean";
}

function toField(key: string, row: Row | undefined, held: Omit<CountedField, "key">): ContactField {
  const kind = row?.kind ?? usualKind(held.kinds);
  return {
    key,
    kind,
    described: row !== undefined,
    description: row?.description ?? "",
    position: row?.position ?? null,
    contacts: held.contacts,
    misfits: held.contacts - fitting(held.kinds, kind),
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}

const described = (executor: Executor, projectId: string) =>
  executor
    .select()
    .from(contactFields)
    .where(eq(contactFields.projectId, projectId))
    .orderBy(asc(contactFields.position), asc(contactFields.key));

/** The fields that somebody described, in their order, then what else contacts hold, by name. */
export async function listContactFields(ctx: Context): Promise<ContactFieldList> {
  requireRole(ctx, "viewer");
  const [rows, survey] = await Promise.all([
    described(ctx.db, ctx.projectId),
    readSurvey(ctx.db, ctx.projectId),
  ]);
  const held = new Map(survey.fields.map((field) => [field.key, field]));
  const keys = new Set(rows.map(({ key }) => key));
  const others = survey.fields
    .filter(({ key }) => !keys.has(key))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  return {
    data: [
      ...rows.map((row) => toField(row.key, row, held.get(row.key) ?? none)),
      ...others.map((field) => toField(field.key, undefined, field)),
    ],
    contacts: survey.contacts,
    countedAt: survey.countedAt?.toISOString() ?? null,
  };
}

/** The commonest first. */
export async function listContactTags(ctx: Context): Promise<ContactTagList> {
  requireRole(ctx, "viewer");
  const survey = await readSurvey(ctx.db, ctx.projectId);
  return {
    data: survey.tags,
    contacts: survey.contacts,
    countedAt: survey.countedAt?.toISOString() ?? null,
  };
}

/** What contacts hold under the key at this moment. */
async function countField(
  executor: Executor,
  projectId: string,
  key: string,
): Promise<Omit<CountedField, "key">> {
  const rows = await executor.execute<{ kind: keyof CountedField["kinds"]; contacts: number }>(sql`
    select kind, count(*)::int as contacts from (
      select ${kindOf(sql`(${c.data} -> ${key}::text)`, sql`(${c.data} ->> ${key}::text)`)} as kind
      from ${contacts} c where ${c.projectId} = ${projectId} and ${c.data} ? ${key}::text
    ) held where kind is not null group by kind`);
  const kinds = {
    ...none.kinds,
    ...Object.fromEntries(rows.map((row) => [row.kind, row.contacts])),
  };
  return { kinds, contacts: rows.reduce((sum, row) => sum + row.contacts, 0) };
}

const kindWords: Record<ContactFieldKind, string> = {
  text: "a text",
  number: "a number",
  boolean: "true or false",
  date: "a date",
};

/** Gives those after a moved field their new places. */
async function place(
  executor: Executor,
  projectId: string,
  ordered: readonly Row[],
): Promise<void> {
  const moved = ordered.flatMap(({ key, position }, index) =>
    position === index + 1 ? [] : [{ key, position: index + 1 }],
  );
  if (moved.length === 0) return;
  await executor.execute(sql`
    update ${contactFields} set ${assignments(contactFields, { position: sql`moved.place` })}
    from unnest(${sql.param(moved.map(({ key }) => key))}::text[],
      ${sql.param(moved.map(({ position }) => position))}::int[]) as moved(name, place)
    where ${contactFields.projectId} = ${projectId} and ${contactFields.key} = moved.name`);
}

/**
 * Describes a field, which nobody need have yet; what is not given stays as it is. Throws VALIDATION_ERROR for a key
 * that cannot be one, and without a kind for a field that has none; CONFLICT when contacts have values of another kind
 * and that is not accepted, when it was described anew since `basedOn`, and beyond 500 fields. Needs editor.
 */
export async function describeContactField(
  ctx: Context,
  key: string,
  input: ContactFieldInput,
): Promise<ContactField> {
  requireRole(ctx, "editor");
  if (!isFieldKey(key)) {
    throw invalid("key", `is not a key of 1 to ${longestName} characters`);
  }
  const { description, position, acceptMisfits, basedOn } = input;
  const held = await countField(ctx.db, ctx.projectId, key);
  return ctx.db.transaction(async (tx) => {
    await lockProject(tx, ctx.projectId);
    const rows = await described(tx, ctx.projectId);
    const before = rows.find((row) => row.key === key);
    refuseStale(basedOn, before?.updatedAt ?? null);
    const kind = input.kind ?? before?.kind;
    if (kind === undefined) throw invalid("kind", "is required");
    const misfits = held.contacts - fitting(held.kinds, kind);
    if (misfits > 0 && !acceptMisfits && before?.kind !== kind) {
      const having = `${counted(misfits, "contact has", "contacts have")} a value that is not ${kindWords[kind]}`;
      throw new AppError(
        "CONFLICT",
        `${having}. Set acceptMisfits to change the type all the same: the values stay as they are.`,
        [{ path: "kind", message: `does not fit: ${having}` }],
      );
    }
    if (!before && rows.length >= mostFields) {
      throw new AppError("CONFLICT", `A project has at most ${mostFields} described fields.`);
    }
    const others = rows.filter((row) => row.key !== key);
    const index = (position ?? before?.position ?? rows.length + 1) - 1;
    const values = { kind, ...(description === undefined ? {} : { description }) };
    const [row] = await tx
      .insert(contactFields)
      .values({ projectId: ctx.projectId, key, position: rows.length + 1, ...values })
      .onConflictDoUpdate({
        target: [contactFields.projectId, contactFields.key],
        set: { ...values, updatedAt: laterThan(contactFields.updatedAt) },
      })
      .returning();
    if (!row) throw new Error("An insert returned no row.");
    const ordered = [...others.slice(0, index), row, ...others.slice(index)];
    await place(tx, ctx.projectId, ordered);
    await audit(tx, ctx, "update.contactField", null, { name: key, kind });
    return toField(key, { ...row, position: ordered.indexOf(row) + 1 }, held);
  });
}

/** Forgets what was said about a key, or says it of its new name; a key described already keeps its own. */
export async function moveDescription(
  executor: Executor,
  projectId: string,
  key: string,
  newKey: string | null,
): Promise<void> {
  if (newKey !== null) {
    const [taken] = await executor
      .select({ key: contactFields.key })
      .from(contactFields)
      .where(and(eq(contactFields.projectId, projectId), eq(contactFields.key, newKey)));
    if (!taken) {
      await executor
        .update(contactFields)
        .set({ key: newKey, updatedAt: now })
        .where(and(eq(contactFields.projectId, projectId), eq(contactFields.key, key)));
    }
  }
  await executor
    .delete(contactFields)
    .where(and(eq(contactFields.projectId, projectId), eq(contactFields.key, key)));
  await place(executor, projectId, await described(executor, projectId));
}
