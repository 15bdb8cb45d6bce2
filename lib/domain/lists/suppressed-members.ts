import { sql, type SQL } from "drizzle-orm";

/**
 * SQL that marks the memberships of people whose address no longer takes mail: bounced, or complained,
 * which outweighs it. Who left a list stays unsubscribed there.
 *
 * @param source a CTE's name: `contact_id` and `suppress`, the reason (null: nothing is to be done)
 */
export function markSuppressedMembers(source: string): SQL {
  return sql.raw(`update subscribers s set updated_at = app_now(),
      status = case ${source}.suppress when 'complaint' then 'complained' else 'bounced' end
    from ${source}
    where s.contact_id = ${source}.contact_id
      and (${source}.suppress in ('hard_bounce', 'complaint')
          and s.status in ('subscribed', 'unconfirmed')
        or ${source}.suppress = 'complaint' and s.status = 'bounced')`);
}
