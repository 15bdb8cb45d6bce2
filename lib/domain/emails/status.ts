import { sql, type SQL } from "drizzle-orm";
import { emails } from "@/db/schema";

/*
 * PENDING < SENT < DELIVERED < OPENED < CLICKED: a status only moves up. BOUNCED and FAILED replace the
 * first three, COMPLAINED replaces all. Late and repeated reports change nothing.
 */

const ladder = "array['PENDING', 'SENT', 'DELIVERED', 'OPENED', 'CLICKED']";

/**
 * SQL for an email's status after `next` has been reported for it. Every recorder sets `status` with it. Both
 * arguments are SQL expressions of type text that we write ourselves, never values.
 */
export function statusAfter(current: string, next: string): string {
  return `case
    when ${current} = 'COMPLAINED' or ${next} is null then ${current}
    when ${next} = 'COMPLAINED' then ${next}
    when ${current} in ('BOUNCED', 'FAILED') then ${current}
    when ${next} in ('BOUNCED', 'FAILED') then
      case when ${current} in ('PENDING', 'SENT', 'DELIVERED') then ${next} else ${current} end
    when array_position(${ladder}, ${next}) > array_position(${ladder}, ${current}) then ${next}
    else ${current}
  end`;
}

/**
 * For an update of emails, the time at which each status was first reported; `status` is SQL for the reported one.
 */
export function firstTimesAfter(status: SQL) {
  const first = (earlier: SQL, reported: SQL) =>
    sql`coalesce(${earlier}, case when ${reported} then app_now() end)`;
  return {
    sentAt: first(sql`${emails.sentAt}`, sql`${status} in ('SENT', 'DELIVERED', 'COMPLAINED')`),
    deliveredAt: first(sql`${emails.deliveredAt}`, sql`${status} in ('DELIVERED', 'COMPLAINED')`),
    bouncedAt: first(sql`${emails.bouncedAt}`, sql`${status} = 'BOUNCED'`),
    complainedAt: first(sql`${emails.complainedAt}`, sql`${status} = 'COMPLAINED'`),
  };
}
