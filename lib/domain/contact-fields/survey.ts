import { and, asc, eq, lte, sql, type SQL } from "drizzle-orm";
import type { Database, Transaction } from "@/db/client";
import { contacts, contactSurveys } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { CountedField, CountedTag } from "@/db/schema/contact-fields";
import { errorCode, passesByItself } from "@/db/errors";
import { limitStatements, tookTooLong } from "@/db/time-limit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { mostNames } from "./terms";
import { isoPattern } from "@/lib/domain/segments/condition-schema";

type Survey = typeof contactSurveys.$inferSelect;

/** A count that took longer than this is not repeated while somebody waits for a page. */
const quickMilliseconds = 300;
const longestSeconds = { request: 5, job: 300 };

/** SQL: the kind of a JSON value, null for a missing one. */
export const kindOf = (json: SQL, text: SQL) => sql`case jsonb_typeof(${json})
  when 'number' then 'number' when 'boolean' then 'boolean' when 'null' then null
  when 'string' then case when ${text} like '____-__-__%' and ${text} ~ ${isoPattern}
    then 'date' else 'text' end
  else 'other' end`;

async function countFields(tx: Transaction, projectId: string): Promise<CountedField[]> {
  const rows = await tx.execute<{ key: string; contacts: number } & CountedField["kinds"]>(sql`
    select key, count(*)::int as contacts, ${sql.join(
      ["text", "number", "boolean", "date", "other"].map(
        (kind) => sql`(count(*) filter (where kind = ${kind}))::int as ${sql.identifier(kind)}`,
      ),
      sql`, `,
    )}
    from (
      select entry.key, ${kindOf(sql`entry.value`, sql`(entry.value #>> '{}')`)} as kind
      from ${contacts} c cross join lateral jsonb_each(${c.data}) entry
      where ${c.projectId} = ${projectId}
    ) held
    where kind is not null
    group by key order by contacts desc, key limit ${mostNames}`);
  return rows.map(({ key, contacts, ...kinds }) => ({ key, contacts, kinds }));
}

async function countTags(tx: Transaction, projectId: string): Promise<CountedTag[]> {
  const rows = await tx.execute<{ tag: string; contacts: number }>(sql`
    select tag, count(*)::int as contacts
    from ${contacts} c cross join lateral unnest(${c.tags}) tag
    where ${c.projectId} = ${projectId}
    group by tag order by contacts desc, tag limit ${mostNames}`);
  return [...rows];
}

/** Counts under the row's lock. */
async function count(tx: Transaction, projectId: string, seconds: number): Promise<Survey> {
  await limitStatements(tx, seconds);
  const started = performance.now();
  const fields = await countFields(tx, projectId);
  const tags = await countTags(tx, projectId);
  const total = await tx.$count(contacts, eq(contacts.projectId, projectId));
  const [row] = await tx
    .update(contactSurveys)
    .set({
      contacts: total,
      fields,
      tags,
      countedAt: now,
      countMilliseconds: Math.round(performance.now() - started),
      dueAt: null,
    })
    .where(eq(contactSurveys.projectId, projectId))
    .returning();
  if (!row) throw new Error("A survey has gone while it was locked.");
  return row;
}

const postponed = sql`app_now() + interval '10 minutes'`;

/** A count is valid for a hundred times as long as it took, one that nobody waits for long ten times. */
const isStale = sql<boolean>`(${contactSurveys.countedAt} is null or ${contactSurveys.countedAt}
  + make_interval(secs => (${contactSurveys.countMilliseconds} / case
      when ${contactSurveys.countMilliseconds} <= ${quickMilliseconds} then 100.0 else 10.0 end)::float8)
  <= app_now())`;

/**
 * What the project's contacts hold. A project that is counted quickly is counted now; for a large one, the job counts
 * again, and the previous figures are shown meanwhile.
 */
export async function readSurvey(db: Database, projectId: string): Promise<Survey> {
  await db.insert(contactSurveys).values({ projectId }).onConflictDoNothing();
  const [found] = await db
    .select({ row: contactSurveys, stale: isStale })
    .from(contactSurveys)
    .where(eq(contactSurveys.projectId, projectId));
  if (!found) throw new Error("An insert returned no row.");
  const { row, stale } = found;
  if (!stale || row.dueAt !== null) return row;
  if (row.countMilliseconds <= quickMilliseconds) {
    try {
      return await db.transaction(async (tx) => {
        const [locked] = await tx
          .select()
          .from(contactSurveys)
          .where(eq(contactSurveys.projectId, projectId))
          .for("update", { skipLocked: true });
        return locked ? count(tx, projectId, longestSeconds.request) : row;
      });
    } catch (error) {
      if (!tookTooLong(error)) throw error;
    }
  }
  await recount(db, projectId);
  return row;
}

/** Has the job count again, since what contacts hold has changed. */
export async function recount(executor: Database | Transaction, projectId: string): Promise<void> {
  await executor
    .update(contactSurveys)
    .set({ dueAt: now })
    .where(eq(contactSurveys.projectId, projectId));
}

/** Counts what is due until nothing is left. Returns how many projects. */
export async function countDueSurveys(db: Database, signal: AbortSignal): Promise<number> {
  for (let counted = 0; ; counted++) {
    let projectId: string | undefined;
    try {
      const done = await db.transaction(async (tx) => {
        const [due] = await tx
          .select({ projectId: contactSurveys.projectId })
          .from(contactSurveys)
          .where(and(lte(contactSurveys.dueAt, now), worksHere(contactSurveys.projectId)))
          .orderBy(asc(contactSurveys.dueAt))
          .limit(1)
          .for("update", { skipLocked: true });
        projectId = due?.projectId;
        if (projectId) await count(tx, projectId, longestSeconds.job);
        return projectId === undefined;
      });
      if (done || signal.aborted) return counted;
    } catch (error) {
      if (!projectId || passesByItself(error)) throw error;
      if (!tookTooLong(error)) {
        log.error({ projectId, code: errorCode(error) }, "A project could not be counted.");
      }
      // Not again at once, which would keep the others from being counted.
      await db
        .update(contactSurveys)
        .set({ dueAt: postponed })
        .where(and(eq(contactSurveys.projectId, projectId)));
    }
  }
}
