import { and, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import { contacts } from "@/db/schema";
import { audit } from "@/lib/ground/audit";
import { c } from "@/lib/domain/contact-states/contact-alias";
import { requireRole, type Context } from "@/lib/ground/context";
import { csvStream } from "@/lib/ground/csv-stream";
import { exportRead } from "@/lib/ground/slow-reads";
import { newestContacts, toContact, type ContactRow } from "./rows";
import type { ListExportQuery } from "./list-schema";
import type { Contact } from "./schema";
import { contactSelection, type ContactSelection } from "./selection";

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Of so many contacts at once, each is asked whether it is among those that an index leads to. */
const mostMet = 40_000;

/** A stretch of those behind `last`, the first ones for null. */
async function readStretch(
  ctx: Context,
  { conditions, each, expected, led }: ContactSelection,
  last: ContactRow | null,
  limit: number,
): Promise<ContactRow[]> {
  const read = (statement: SQL) => exportRead(ctx, (tx) => tx.execute<ContactRow>(statement));
  if (!last) return read(newestContacts(conditions, limit, expected));
  if (!led) return read(newestContacts([...conditions, lt(c.id, last.id)], limit, expected));
  // They are more than a stretch. Found by their index they have no order, so each stretch would find all of them anew.
  const stretch: ContactRow[] = [];
  for (let behind = last.id; ;) {
    const met = [eq(c.projectId, ctx.projectId), lt(c.id, behind)];
    const [end] = await exportRead(ctx, (tx) =>
      tx.execute<{ id: string }>(sql`
        select ${c.id} from ${contacts} c where ${and(...met)}
        order by ${c.id} desc offset ${mostMet - 1} limit 1`),
    );
    const within = [...each, lt(c.id, behind), ...(end ? [gte(c.id, end.id)] : [])];
    stretch.push(...(await read(newestContacts(within, limit - stretch.length))));
    if (!end || stretch.length === limit) return stretch;
    behind = end.id;
  }
}

/**
 * The contacts as CSV, newest first. Columns: email, subscribed, createdAt, the requested ones, and one for each
 * custom attribute that any contact of the project has. Throws NOT_FOUND for the segment, CONFLICT when
 * reading takes too long.
 */
export async function exportContacts(
  ctx: Context,
  query: ListExportQuery,
): Promise<ReadableStream<Uint8Array>> {
  requireRole(ctx, "viewer");
  const selection = await contactSelection(ctx, query);
  // Only the names of the filters: the search text may be somebody's address.
  await audit(ctx.db, ctx, "export.contacts", null, { filters: Object.keys(query) });
  return contactsAsCsv(ctx, query, selection);
}

/** The same as part of something that is recorded as a whole. */
export async function contactsAsCsv(
  ctx: Context,
  query: Pick<ListExportQuery, "columns">,
  selection: ContactSelection,
): Promise<ReadableStream<Uint8Array>> {
  const more = (query.columns?.split(",") ?? []) as (keyof Contact)[];
  // Checked before the answer begins: a later failure can only cut it short.
  const keys = await exportRead(ctx, (tx) =>
    tx.execute<{ key: string }>(sql`
      select distinct key from ${contacts} c, jsonb_object_keys(${c.data}) as key
      where ${c.projectId} = ${ctx.projectId} order by key`),
  );
  const attributes = keys.map(({ key }) => key);
  return csvStream<ContactRow>({
    header: ["email", "subscribed", "createdAt", ...more, ...attributes],
    read: (last, limit) => readStretch(ctx, selection, last, limit),
    cells: (row) => {
      const contact = toContact(row);
      return [
        contact.email,
        String(contact.subscribed),
        contact.createdAt,
        ...more.map((name) => (name === "tags" ? contact.tags.join(",") : cell(contact[name]))),
        ...attributes.map((key) => cell(contact.data[key])),
      ];
    },
  });
}
