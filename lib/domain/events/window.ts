import { sql, type SQL } from "drizzle-orm";
import { emailEvents, projectEvents } from "@/db/schema";
import { emailEventName, untoldEmailEvents } from "@/lib/ground/events/emit";

/** Most bytes of event data in one answer, as stored. */
const mostBytes = 4_000_000;

export interface WindowRow extends Record<string, unknown> {
  position: string;
  id: string;
  wanted: boolean;
  /** null for an event that nobody is notified of. */
  event: string | null;
  subject_id: string | null;
  /** null when it is not wanted, or does not fit into this answer. */
  data: Record<string, unknown> | null;
  created_at: string;
}

interface Window {
  projectId: string;
  position: bigint;
  id: string;
  horizon: bigint;
  types: readonly string[] | null;
  limit: number;
  most: number;
}

/**
 * The statement that reads the next `most` events after a place, in order. Both tables are read from that place
 * onwards by index, however much comes before it.
 */
export function windowStatement(looked: Window): SQL {
  const { projectId, id, types, limit, most } = looked;
  const [position, horizon] = [looked.position.toString(), looked.horizon.toString()];
  const within = (table: typeof emailEvents | typeof projectEvents) => sql`
        ${table.projectId} = ${projectId} and ${table.position} >= ${position}::bigint
        and ${table.position} < ${horizon}::bigint
        and (${table.position} > ${position}::bigint or ${table.id} > ${id}::uuid)`;
  return sql`
    with looked_at as (
      (select ${emailEvents.position}, ${emailEvents.id},
        case when not (${untoldEmailEvents(sql`${emailEvents.name}`, sql`${emailEvents.data}`)})
          then ${emailEventName(sql`${emailEvents.name}`)} end as event,
        ${emailEvents.emailId} as subject_id, ${emailEvents.data}, ${emailEvents.createdAt}
      from ${emailEvents} where ${within(emailEvents)}
        -- Months whose events are all older have no part in it.
        and ${emailEvents.createdAt} > app_now() - interval '33 days'
      order by 1, 2 limit ${most})
      union all
      (select ${projectEvents.position}, ${projectEvents.id}, ${projectEvents.event},
        ${projectEvents.subjectId}, ${projectEvents.data}, ${projectEvents.createdAt}
      from ${projectEvents} where ${within(projectEvents)}
      order by 1, 2 limit ${most})
      order by 1, 2 limit ${most}
    ), judged as (
      select *, event is not null and (
        ${types === null}::boolean or event = any(${sql.param(types ?? [])}::text[])) as wanted
      from looked_at
    ), counted as (
      select *, count(*) filter (where wanted) over so_far as nth,
        sum(pg_column_size(data)) filter (where wanted) over so_far as bytes
      from judged window so_far as (order by position, id)
    )
    select position::text, id, wanted, event, subject_id, created_at,
      case when wanted and nth <= ${limit} and (nth = 1 or bytes <= ${mostBytes}) then data end as data
    from counted order by counted.position, id`;
}
