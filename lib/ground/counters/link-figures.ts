import { sql, type SQL } from "drizzle-orm";
import { assignments, columns, fixed, insertSelected, plusExcluded } from "@/db/names";
import { linkFigures } from "@/db/schema";
import { figureSlot } from "./counters";

/**
 * SQL of an insert that adds to the figures of links.
 *
 * @param deltas a relation with `link_id`, and `clicks`, `unique_clicks` and `machine_clicks` to be added
 */
export function addLinkFigures(deltas: SQL): SQL {
  return fixed(sql`${insertSelected(linkFigures, {
    linkId: sql`link_id`,
    slot: sql.raw(String(figureSlot)),
    clicks: sql`sum(clicks)`,
    uniqueClicks: sql`sum(unique_clicks)`,
    machineClicks: sql`sum(machine_clicks)`,
  })}
    from (${deltas}) delta group by link_id order by link_id
    on conflict (${columns(linkFigures.linkId, linkFigures.slot)}) do update set ${assignments(
      linkFigures,
      {
        clicks: plusExcluded(linkFigures.clicks),
        uniqueClicks: plusExcluded(linkFigures.uniqueClicks),
        machineClicks: plusExcluded(linkFigures.machineClicks),
      },
    )}`);
}
