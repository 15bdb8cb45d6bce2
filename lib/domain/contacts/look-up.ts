import { sql, type SQL } from "drizzle-orm";
import { contacts } from "@/db/schema";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { byIds } from "@/lib/ground/by-id";
import type { Context } from "@/lib/ground/context";
import type { ContactListFilter } from "./list-schema";
import { contactConditions, contactsInOrder, type ContactRow } from "./rows";
import type { ContactSelection } from "./selection";

/** Among so many of the first ones, a page of a common tag is full. */
const mostFirst = 2_000;
/** Of so many, each is looked up. */
const mostEach = 2_000;

const and = (conditions: readonly SQL[]) => sql.join([...conditions], sql` and `);

interface Page {
  /** Where the list begins: the project's contacts, behind a cursor. */
  place: SQL[];
  /** The condition of the cursor alone. */
  behind: SQL[];
  by: SQL;
  columns: SQL;
  limit: number;
}

/**
 * The first contacts of a selection that may be of many people or of a few, which the planner cannot tell: of a tag, for
 * one. They are looked for among the first of the list, then among the few that something else leaves, and only then
 * are all of them found and sorted.
 */
export async function lookUpContacts(
  ctx: Context,
  filter: ContactListFilter,
  { conditions, each }: Pick<ContactSelection, "conditions" | "each">,
  { place, behind, by, columns, limit }: Page,
): Promise<ContactRow[]> {
  const begin = sql`${contacts} c where ${and(place)} order by ${by} limit ${mostFirst}`;
  const first = await ctx.db.execute<ContactRow>(sql`
    select ${columns} from (select c.* from ${begin}) c where ${and(each)} order by ${by} limit ${limit}`);
  if (first.length === limit) return first;
  const all = (those: SQL[]) =>
    ctx.db.execute<ContactRow>(contactsInOrder(those, limit, { by, expected: 0, columns }));
  if (filter.state) {
    const [met] = await ctx.db.execute<{ count: number }>(
      sql`select count(*)::int as count from (select from ${begin}) begin`,
    );
    if (met && met.count < mostFirst) return first;
    const few =
      filter.tag || filter.search
        ? await fewOf(ctx, [...contactConditions(ctx.projectId, filter), ...behind])
        : null;
    if (few) return all([byIds(c, ctx.projectId, few), ...each]);
  }
  return all([...conditions, ...behind]);
}

/** Their uuids; null when they are many. Materialized: for the sake of the limit, they would be read in another order. */
async function fewOf({ db }: Context, conditions: SQL[]): Promise<string[] | null> {
  const found = await db.execute<{ id: string }>(sql`
    with found as materialized (select ${c.id} from ${contacts} c where ${and(conditions)})
    select id from found limit ${mostEach + 1}`);
  return found.length <= mostEach ? found.map(({ id }) => id) : null;
}
