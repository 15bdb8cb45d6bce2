import { desc, eq, sql } from "drizzle-orm";
import { campaigns, contactFields, contacts, lists, segments } from "@/db/schema";
import { requireRole, type Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { campaignOutcomes, countFields, isoInstant } from "./condition-schema";
import {
  type SegmentField,
  type SegmentFieldKind,
  type SegmentScalar,
  type SegmentSuggestions,
} from "./schema";

/** How many of the newest and of the oldest contacts are looked at, however many the project has. */
const sampledAtEachEnd = 1_000;
const mostDataFields = 200;
const mostValues = 20;
const longestValue = 100;
const deepestKey = 5;
const mostNamed = 100;

interface Seen {
  kinds: Map<SegmentFieldKind, number>;
  values: Map<SegmentScalar, number>;
}

const add = <Key>(counts: Map<Key, number>, key: Key) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);

/** The commonest first. */
function commonest<Key>(counts: Map<Key, number>): Key[] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([key]) => key);
}

function kindOf(value: unknown): SegmentFieldKind {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  if (Array.isArray(value)) return "members";
  return typeof value === "string" && isoInstant(value) !== null ? "date" : "text";
}

/** Collects the custom data found under each `data.<key>` that a filter can name. */
function look(
  data: Record<string, unknown>,
  prefix: string,
  depth: number,
  seen: Map<string, Seen>,
) {
  for (const [key, value] of Object.entries(data)) {
    // A dot in a key would read as two keys.
    if (value === null || key === "" || key.includes(".")) continue;
    const field = `${prefix}.${key}`;
    if (typeof value === "object" && !Array.isArray(value)) {
      if (depth < deepestKey) look(value as Record<string, unknown>, field, depth + 1, seen);
      continue;
    }
    const noted: Seen = seen.get(field) ?? { kinds: new Map(), values: new Map() };
    seen.set(field, noted);
    add(noted.kinds, kindOf(value));
    for (const member of Array.isArray(value) ? value : [value]) {
      const fits =
        typeof member === "string" ? member !== "" && member.length <= longestValue : true;
      if (fits && ["string", "number", "boolean"].includes(typeof member)) {
        add(noted.values, member as SegmentScalar);
      }
    }
  }
}

async function sample(ctx: Context) {
  const columns = sql`${contacts.id}, ${contacts.tags}, ${contacts.data}`;
  const ofProject = eq(contacts.projectId, ctx.projectId);
  return ctx.db.execute<{ tags: string[]; data: Record<string, unknown> }>(sql`
    with newest as (
      select ${columns} from ${contacts} where ${ofProject}
      order by ${contacts.id} desc limit ${sampledAtEachEnd}
    ), oldest as (
      select ${columns} from ${contacts} where ${ofProject}
      order by ${contacts.id} limit ${sampledAtEachEnd}
    )
    select tags, data from newest
    union all
    select tags, data from oldest where id not in (select id from newest)`);
}

/** The newest of a kind of thing, by name. */
async function named(ctx: Context, table: typeof lists | typeof campaigns | typeof segments) {
  return ctx.db
    .select({ id: table.id, name: table.name })
    .from(table)
    .where(eq(table.projectId, ctx.projectId))
    .orderBy(desc(table.id))
    .limit(mostNamed);
}

/** What somebody has said that keys of data hold; a filter cannot name one with a dot. */
async function describedKinds(ctx: Context): Promise<Map<string, SegmentFieldKind>> {
  const rows = await ctx.db
    .select({ key: contactFields.key, kind: contactFields.kind })
    .from(contactFields)
    .where(eq(contactFields.projectId, ctx.projectId));
  return new Map(
    rows.filter(({ key }) => !key.includes(".")).map(({ key, kind }) => [`data.${key}`, kind]),
  );
}

const plain = (values: readonly SegmentScalar[]) => values.map((value) => ({ value }));

/**
 * What a filter can ask for in this project: the fields every contact has, lists, campaigns, the keys that were
 * described, and the keys and commonest values found in a sample of its contacts.
 */
export async function suggestSegmentFields(ctx: Context): Promise<SegmentSuggestions> {
  requireRole(ctx, "viewer");
  const [sampled, described, namedLists, namedCampaigns] = await Promise.all([
    sample(ctx),
    describedKinds(ctx),
    named(ctx, lists),
    named(ctx, campaigns),
  ]);
  const tags = new Map<string, number>();
  const keys = new Map<string, Seen>();
  for (const contact of sampled) {
    for (const tag of contact.tags) add(tags, tag);
    look(contact.data, "data", 1, keys);
  }
  for (const field of described.keys()) {
    if (!keys.has(field)) keys.set(field, { kinds: new Map(), values: new Map() });
  }
  const always: SegmentField[] = [
    { field: "email", kind: "text", values: [] },
    { field: "firstName", kind: "text", values: [] },
    { field: "lastName", kind: "text", values: [] },
    { field: "subscribed", kind: "boolean", values: plain([true, false]) },
    { field: "tags", kind: "members", values: plain(commonest(tags).slice(0, mostValues * 5)) },
    {
      field: "list",
      kind: "list",
      values: namedLists.map(({ id, name }) => ({ value: encodeId("list", id), label: name })),
    },
    { field: "createdAt", kind: "date", values: [] },
    { field: "updatedAt", kind: "date", values: [] },
    { field: "lastSentAt", kind: "date", values: [] },
    { field: "lastOpenedAt", kind: "date", values: [] },
    { field: "lastClickedAt", kind: "date", values: [] },
    { field: "lastSeenAt", kind: "date", values: [] },
    { field: "engagementScore", kind: "number", values: [] },
    { field: "inactiveDays", kind: "number", values: [] },
    { field: "ignoredEmails", kind: "number", values: [] },
    ...countFields.map((field): SegmentField => ({ field, kind: "count", values: [] })),
  ];
  const data = [...keys]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, mostDataFields)
    .map(([field, { kinds, values }]): SegmentField => ({
      field,
      kind: described.get(field) ?? commonest(kinds)[0] ?? "text",
      values: plain(commonest(values).slice(0, mostValues)),
    }));
  const sent = namedCampaigns.map(({ id, name }): SegmentField => ({
    field: `campaign.${encodeId("campaign", id)}`,
    label: name,
    kind: "outcome",
    values: plain(campaignOutcomes),
  }));
  return { fields: [...always, ...data, ...sent], sampled: sampled.length };
}

/** Names of the project's segments, newest first, for choosing one: counts none of them. */
export async function listSegmentNames(ctx: Context): Promise<{ id: string; name: string }[]> {
  requireRole(ctx, "viewer");
  const rows = await named(ctx, segments);
  return rows.map(({ id, name }) => ({ id: encodeId("segment", id), name }));
}
