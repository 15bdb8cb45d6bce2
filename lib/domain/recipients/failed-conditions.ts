import { and, eq, inArray, sql } from "drizzle-orm";
import type { Executor } from "@/db/client";
import { campaigns, contacts, lists } from "@/db/schema";
import { c } from "@/lib/domain/contact-states/contact-alias";
import type { ContactRow } from "@/lib/domain/contacts/rows";
import { compileFilter } from "@/lib/domain/segments/compile";
import { isCountField } from "@/lib/domain/segments/condition-schema";
import { countOf } from "@/lib/domain/segments/count-conditions";
import { measuredOf } from "@/lib/domain/segments/email-conditions";
import type { SegmentFilter } from "@/lib/domain/segments/schema";
import { byId } from "@/lib/ground/by-id";
import { decodeId } from "@/lib/ground/ids/ids";
import { isoTime } from "@/lib/ground/iso-time";
import { t } from "@/lib/ground/texts/t";
import { conditionWords } from "./condition-words";
import type { FailedCondition } from "./schema";

const leavesOf = (filter: SegmentFilter): SegmentFilter[] => {
  const group = filter.and ?? filter.or;
  return group ? group.flatMap(leavesOf) : [filter];
};

/** The leaves that keep a filter from matching: of `and` those that fail, of `or` all of them. */
function culprits(filter: SegmentFilter, holds: (leaf: SegmentFilter) => boolean): SegmentFilter[] {
  const fulfilled = (part: SegmentFilter): boolean =>
    part.and?.every(fulfilled) ?? part.or?.some(fulfilled) ?? holds(part);
  if (fulfilled(filter)) return [];
  return (filter.and ?? filter.or)?.flatMap((part) => culprits(part, holds)) ?? [filter];
}

/** Names of the lists and campaigns that conditions mention, by wire id. */
async function namesIn(
  executor: Executor,
  projectId: string,
  leaves: readonly SegmentFilter[],
): Promise<(id: string) => string> {
  const ids = leaves.flatMap(({ field = "", value, campaign }) =>
    field === "list"
      ? [value ?? []].flat().map(String)
      : [campaign ?? field.replace("campaign.", "")],
  );
  const names = new Map<string, string>();
  for (const [kind, table] of [
    ["list", lists],
    ["campaign", campaigns],
  ] as const) {
    const named = new Map(
      ids.flatMap((id) => {
        const uuid = decodeId(kind, id);
        return uuid === null ? [] : [[uuid, id] as const];
      }),
    );
    if (named.size === 0) continue;
    const rows = await executor
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(and(eq(table.projectId, projectId), inArray(table.id, [...named.keys()])));
    for (const { id, name } of rows)
      names.set(named.get(id) ?? "", t("“{value}”", { value: name }));
  }
  return (id) => names.get(id) ?? t("that was deleted");
}

interface Measured extends Record<string, unknown> {
  score: number | null;
  inactive_days: number | null;
  ignored: number | null;
  last_seen_at: string | null;
  last_opened_at: string | null;
  last_clicked_at: string | null;
  last_sent_at: string | null;
}

/** The contact's value of a field, as JSON; null when there is none, or it cannot be told as one value. */
function actualOf(contact: ContactRow, measured: Measured, field: string): unknown {
  const [root, ...path] = field.split(".");
  if (root === "data") {
    return (
      path.reduce<unknown>(
        (value, key) =>
          typeof value === "object" && value !== null && Object.hasOwn(value, key)
            ? (value as Record<string, unknown>)[key]
            : null,
        contact.data,
      ) ?? null
    );
  }
  const plain: Record<string, unknown> = {
    email: contact.email,
    firstName: contact.first_name,
    lastName: contact.last_name,
    tags: contact.tags,
    subscribed: contact.consent === "subscribed",
    createdAt: isoTime(contact.created_at),
    updatedAt: isoTime(contact.updated_at),
    lastSentAt: isoTime(measured.last_sent_at),
    lastOpenedAt: isoTime(measured.last_opened_at),
    lastClickedAt: isoTime(measured.last_clicked_at),
    lastSeenAt: isoTime(measured.last_seen_at),
    engagementScore: measured.score,
    inactiveDays: measured.inactive_days,
    ignoredEmails: measured.ignored,
  };
  return plain[field] ?? null;
}

/**
 * The conditions of a filter that the contact currently fails, each checked separately; none when the contact
 * matches the filter.
 */
export async function findFailedConditions(
  executor: Executor,
  contact: ContactRow,
  filter: SegmentFilter,
  projectId: string,
): Promise<FailedCondition[]> {
  const leaves = leavesOf(filter);
  const answers = sql.join(
    leaves.map((leaf) => compileFilter(leaf, projectId, (id) => sql`${id} = ${contact.id}`)),
    sql`, `,
  );
  const counts = sql.join(
    leaves.map((leaf) =>
      leaf.field !== undefined && isCountField(leaf.field)
        ? countOf(leaf.field, leaf, projectId, contact.id)
        : sql`null::int`,
    ),
    sql`, `,
  );
  const [row] = await executor.execute<
    Measured & { answers: boolean[]; counts: (number | null)[] }
  >(sql`
    select array[${answers}]::boolean[] as answers, jsonb_build_array(${counts}) as counts, measured.*
    from ${contacts} c, (${measuredOf(projectId, [contact.id])}) measured
    where ${byId(c, projectId, contact.id)}`);
  if (!row) return [];
  const holds = new Map(leaves.map((leaf, index) => [leaf, row.answers[index] ?? false]));
  const failed = culprits(filter, (leaf) => holds.get(leaf) ?? false);
  const nameOf = await namesIn(executor, projectId, failed);
  return failed.map((leaf) => {
    const actual = row.counts[leaves.indexOf(leaf)] ?? actualOf(contact, row, leaf.field ?? "");
    return {
      field: leaf.field ?? "",
      op: leaf.op ?? "",
      value: leaf.value ?? null,
      actual,
      reason: conditionWords(leaf, actual, nameOf),
    };
  });
}
