import { sql } from "drizzle-orm";
import { campaigns, domains, monthlyUsage, projects, webhooks } from "@/db/schema";
import { sqlMonth } from "@/db/schema/projects";
import { listConnections } from "@/lib/domain/connections/connections";
import { amount } from "@/lib/ground/amount";
import type { Context } from "@/lib/ground/context";
import { encodeId } from "@/lib/ground/ids/ids";
import { keptTextOrNull } from "@/lib/ground/texts/kept-text";
import { t } from "@/lib/ground/texts/t";
import type { Attention, Overview } from "./schema";

/** Rows of one kind; the list is for what somebody can do something about now. */
const mostOfEach = 5;
/** Share of the month's limit from which on somebody should know. */
const nearLimit = 0.8;
/** A webhook that fails for a moment is tried again before anybody needs to know. */
const failingMinutes = 15;

interface Trouble extends Record<string, unknown> {
  kind: "domain" | "campaign" | "webhook";
  id: string;
  name: string;
  words: string | null;
}

async function readTroubles(ctx: Context): Promise<Attention[]> {
  const rows = await ctx.db.execute<Trouble>(sql`
    (select 'domain' as kind, ${domains.id} as id, ${domains.name} as name, null as words
      from ${domains}
      where ${domains.projectId} = ${ctx.projectId} and not ${domains.builtIn}
        and (${domains.status} = 'FAILED' or (${domains.status} = 'VERIFIED' and ${domains.dkimMisses} > 0))
      order by ${domains.id} limit ${mostOfEach})
    union all
    (select 'campaign', ${campaigns.id}, ${campaigns.name}, ${campaigns.failureReason}
      from ${campaigns}
      where ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.status} = 'PAUSED'
        and ${campaigns.guard} is not null
      order by ${campaigns.id} desc limit ${mostOfEach})
    union all
    (select 'webhook', ${webhooks.id}, ${webhooks.url}, ${webhooks.disabledReason}
      from ${webhooks}
      where ${webhooks.projectId} = ${ctx.projectId} and case when ${webhooks.enabled}
        then ${webhooks.failingSince} < app_now() - make_interval(mins => ${failingMinutes})
        else ${webhooks.disabledReason} is not null end
      order by ${webhooks.id} limit ${mostOfEach})`);
  return rows.map(({ kind, id, name, words }) => ({
    kind,
    id: encodeId(kind, id),
    name,
    words: keptTextOrNull(words),
  }));
}

async function readConnections(ctx: Context): Promise<Attention[]> {
  const { data } = await listConnections(ctx);
  return data
    .filter(({ state }) => state.name !== "working")
    .slice(0, mostOfEach)
    .map(({ id, name, state }) => ({ kind: "connection", id, name, words: state.words }));
}

/** How much of the month's limit is used; nothing without a limit, or far below it. */
async function readLimit(ctx: Context): Promise<Attention[]> {
  const [row] = await ctx.db.execute<{ used: number; most: number }>(sql`
    select coalesce(sum(${monthlyUsage.emails}), 0)::float8 as used,
      ${projects.monthlyEmailLimit} as most
    from ${projects} left join ${monthlyUsage}
      on ${monthlyUsage.projectId} = ${projects.id} and ${monthlyUsage.month} = ${sqlMonth}
    where ${projects.id} = ${ctx.projectId} and ${projects.monthlyEmailLimit} is not null
    group by ${projects.id}`);
  if (!row || row.used < nearLimit * row.most) return [];
  return [
    {
      kind: "limit",
      id: null,
      name: t("{used} of {most}", { used: amount(row.used), most: amount(row.most) }),
      words: null,
    },
  ];
}

/** What is wrong now and somebody can mend, the most urgent first. */
export async function readAttention(ctx: Context): Promise<Attention[]> {
  const [troubles, connections, limit] = await Promise.all([
    readTroubles(ctx),
    readConnections(ctx),
    readLimit(ctx),
  ]);
  return [...connections, ...limit, ...troubles];
}

/** The campaign that goes out next, and the draft that was begun last. */
export async function readNext(ctx: Context): Promise<Overview["next"]> {
  const rows = await ctx.db.execute<{
    id: string;
    name: string;
    at: string | null;
    status: "SCHEDULED" | "DRAFT";
  }>(sql`
    (select ${campaigns.id} as id, ${campaigns.name} as name, ${campaigns.scheduledAt} as at,
        ${campaigns.status} as status
      from ${campaigns}
      where ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.status} = 'SCHEDULED'
      order by ${campaigns.scheduledAt} limit 1)
    union all
    (select ${campaigns.id}, ${campaigns.name}, null, ${campaigns.status}
      from ${campaigns}
      where ${campaigns.projectId} = ${ctx.projectId} and ${campaigns.status} = 'DRAFT'
      order by ${campaigns.id} desc limit 1)`);
  const scheduled = rows.find(({ status }) => status === "SCHEDULED");
  const draft = rows.find(({ status }) => status === "DRAFT");
  return {
    scheduled:
      scheduled && scheduled.at !== null
        ? {
            id: encodeId("campaign", scheduled.id),
            name: scheduled.name,
            at: new Date(scheduled.at).toISOString(),
          }
        : null,
    draft: draft ? { id: encodeId("campaign", draft.id), name: draft.name } : null,
  };
}
