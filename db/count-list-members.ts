import type postgres from "postgres";
import { upkeepSetting } from "./upkeep";

/**
 * Counts the members of lists that were there before the trigger that counts them: less those whom it has counted
 * meanwhile, which the same statement sees. One list at a time, while people join and leave.
 */
export async function countListMembers(client: postgres.Sql): Promise<void> {
  const uncounted = await client<{ id: string }[]>`
    select id from lists where not exists (
      select from list_figures where list_id = lists.id and slot = -1)`;
  for (const { id } of uncounted) {
    await client.begin(async (tx) => {
      // Also of a project that has moved away.
      await tx.unsafe(`set local ${upkeepSetting} = 'on'`);
      await tx`
      insert into list_figures (list_id, status, slot, members)
      select ${id}, status, -1, sum(people) from (
        select status, count(*) as people from subscribers where list_id = ${id} group by 1
        union all select status, -sum(members) from list_figures where list_id = ${id} group by 1
        union all select 'subscribed', 0
      ) as counted where exists (select from lists where id = ${id})
      group by status on conflict do nothing`;
    });
  }
}
