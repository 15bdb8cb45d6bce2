import { sql } from "drizzle-orm";
import { executePrepared, type Database, type Executor } from "@/db/client";
import { assignments, columns, insertSelected, plusExcluded } from "@/db/names";
import { formFigures, forms } from "@/db/schema";
import { coalesceFor } from "@/lib/ground/coalesce";
import { requireRole, type Context } from "@/lib/ground/context";
import { findFormRow } from "./rows";
import type { FiguresQuery, FormFigures } from "./schema";

type Figure = "seen" | "sent" | "confirmed" | "refused";

/** One thing that happened to a form (uuid). */
interface Counted {
  formId: string;
  figure: Figure;
}

const today = sql`(app_now() at time zone 'UTC')::date`;

/** Counts in the caller's transaction. A form that has since been deleted is skipped. */
export async function countForms(executor: Executor, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return;
  const sumOf = (figure: Figure) =>
    sql`count(*) filter (where happened.figure = ${sql.raw(`'${figure}'`)})`;
  await executePrepared(
    executor,
    sql`
    ${insertSelected(formFigures, {
      formId: sql`${forms.id}`,
      projectId: sql`${forms.projectId}`,
      day: today,
      seen: sumOf("seen"),
      sent: sumOf("sent"),
      confirmed: sumOf("confirmed"),
      refused: sumOf("refused"),
    })}
    from unnest(
      ${sql.param(counted.map(({ formId }) => formId))}::uuid[],
      ${sql.param(counted.map(({ figure }) => figure))}::text[]
    ) as happened(form_id, figure)
    join ${forms} on ${forms.id} = happened.form_id
    group by ${forms.id}, ${forms.projectId}
    -- In the order of the key: two statements over the same forms must not deadlock.
    order by ${forms.id}
    on conflict (${columns(formFigures.formId, formFigures.day)}) do update set ${assignments(
      formFigures,
      {
        seen: plusExcluded(formFigures.seen),
        sent: plusExcluded(formFigures.sent),
        confirmed: plusExcluded(formFigures.confirmed),
        refused: plusExcluded(formFigures.refused),
      },
    )}`,
  );
}

/** Counts outside any transaction; calls at the same moment share a statement. */
export const countForm = coalesceFor(
  async (db: Database, all: Counted[]) => {
    await countForms(db, all);
    return all.map(() => true as const);
  },
  { concurrency: 1, largestBatch: 1_000 },
);

/** A form's figures for each of the last days, including days without any. Throws NOT_FOUND. */
export async function getFormFigures(
  ctx: Context,
  id: string,
  { days }: FiguresQuery,
): Promise<FormFigures> {
  requireRole(ctx, "viewer");
  const form = await findFormRow(ctx.db, ctx, id);
  const rows = await executePrepared<FormFigures["data"][number] & Record<string, unknown>>(
    ctx.db,
    sql`
    select to_char(days.day, 'YYYY-MM-DD') as day, coalesce(${formFigures.seen}, 0) as seen,
      coalesce(${formFigures.sent}, 0) as sent, coalesce(${formFigures.confirmed}, 0) as confirmed,
      coalesce(${formFigures.refused}, 0) as refused
    from generate_series(${today} - (${days}::int - 1), ${today}, interval '1 day') as days(day)
    left join ${formFigures} on ${formFigures.formId} = ${form.id}
      and ${formFigures.day} = days.day::date
    order by days.day`,
  );
  return { data: rows };
}
