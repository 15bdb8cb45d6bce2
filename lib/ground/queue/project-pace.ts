import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, excluded } from "@/db/names";
import { projectPaces } from "@/db/schema";

/*
 * A project's pace is a bucket that fills evenly: the most it holds and what an hour adds make up the pace
 * together, so that no hour, wherever it begins, has more. Mail that was claimed but not begun is put back.
 */

const { perHour, allowance, measuredAt, projectId } = projectPaces;

/** What workers that look once a second can claim at once; slow paces let out one by one. */
const capacity = sql`(case when ${perHour} < 100 then 1 else greatest(2, ${perHour} / 720) end)`;
const perSecond = sql`((${perHour} - case when ${perHour} < 100 then 0 else ${capacity} end) / 3600.0)`;

/** SQL: emails that may be claimed now. */
export const allowanceNow = sql`least(${capacity}, ${allowance}
  + greatest(0, extract(epoch from app_now() - ${measuredAt})) * ${perSecond})::float8`;

/** Never backwards: another worker's clock reading may be a moment older. */
const measuredNow = sql`greatest(${measuredAt}, app_now())`;

/** SQL that sets a project's pace. */
export const setPace = (project: string, emails: number): SQL => sql`
  insert into ${projectPaces} (${columns(projectId, perHour, allowance)}) values (${project}, ${emails}, 1)
  on conflict (${columns(projectId)}) do update set ${assignments(projectPaces, {
    perHour: excluded(perHour),
    allowance: allowanceNow,
    measuredAt: measuredNow,
  })}`;

/**
 * SQL of CTEs: `paced` locks the paces of the CTE's projects with what they have left. A worker that finds one
 * locked passes the project over.
 */
export const pacesOf = (cte: string): SQL => sql`
  paced as materialized (
    select ${projectId}, ${allowanceNow} as allowed from ${projectPaces}
    where ${projectId} = any(array(select project_id from ${sql.identifier(cte)}))
    for no key update skip locked
  )`;

/** SQL: whether the row's project has no pace, or one with room that we have locked; `paced` is left-joined. */
export const mayGo = (project: SQL): SQL => sql`(paced.allowed >= 1 or paced.project_id is null
  and not exists (select from ${projectPaces} where ${projectId} = ${project}))`;

/** SQL of a CTE: takes what was claimed, rows of the CTE, out of the paces in `paced`. */
export const charged = (cte: string): SQL => sql`
  charged as (
    update ${projectPaces} set ${assignments(projectPaces, {
      allowance: sql`paced.allowed - taken.emails`,
      measuredAt: measuredNow,
    })}
    from paced join (
      select project_id, count(*) as emails from ${sql.identifier(cte)} group by project_id
    ) taken using (project_id)
    where ${projectId} = paced.project_id
  )`;

/** SQL of CTEs: puts back the claims of the CTE's rows (project and campaign) that were not begun. */
export const putBack = (cte: string): SQL => sql`
  owed as materialized (
    select project_id, count(*) as emails from ${sql.identifier(cte)}
    where campaign_id is not null group by project_id
  ), owing as materialized (
    select ${projectId} from ${projectPaces}
    where ${projectId} = any(array(select project_id from owed))
    order by ${projectId} for no key update
  ), put_back as (
    update ${projectPaces} set ${assignments(projectPaces, { allowance: sql`${allowance} + owed.emails` })}
    from owed join owing using (project_id) where ${projectPaces.projectId} = owed.project_id
  )`;
