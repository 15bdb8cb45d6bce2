import { sql, type Column, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Executor } from "@/db/client";
import { emails, receivingDomains } from "@/db/schema";
import { judgeBounces, judgeComplaints } from "@/lib/domain/guard/thresholds";
import { arrivedOf, rateOf } from "@/lib/ground/counters/arrival";
import type { ProviderFigures } from "./provider-figures-schema";
import { providerOf } from "./providers";
import { recipientDomain } from "./receiver-of";
import { otherProviders as others } from "./terms";

const e = alias(emails, "e");

const mostReceivers = 2_000;
const shown = 12;

/** SQL of whether an email was handed over, as the kept figures have it: what a server refused was, too. */
export const wasHandedOver = ({
  status,
  sentAt,
  bouncedAt,
}: Record<"status" | "sentAt" | "bouncedAt", Column>) =>
  sql`(${status} <> 'FAILED' and (${sentAt} is not null or ${bouncedAt} is not null))`;

/** What is counted of each receiver's mail. */
const counted = {
  recipients: sql`count(*)`,
  sent: sql`count(*) filter (where ${wasHandedOver(e)})`,
  delivered: sql`count(${e.deliveredAt})`,
  opened: sql`count(${e.openedAt})`,
  clicked: sql`count(${e.clickedAt})`,
  bounced: sql`count(${e.bouncedAt})`,
  complained: sql`count(${e.complainedAt})`,
};
type Name = keyof typeof counted;
const names = Object.keys(counted) as Name[];
type Sums = { name: string } & Record<Name, number>;

const each = (expression: (name: SQL) => SQL) =>
  sql.join(
    names.map(
      (name) => sql`${expression(sql`${sql.identifier(name)}`)} as ${sql.identifier(name)}`,
    ),
    sql`, `,
  );

/** Those beyond the first are one row, so that the sum stays that of all. */
const shownReceivers = sql`
  receivers as (
    select coalesce(${receivingDomains.receiver}, domains.name) as name, ${each((name) => sql`sum(${name})`)}
    from domains left join ${receivingDomains} on ${receivingDomains.name} = domains.name
    group by 1
  ), ranked as (
    select receivers.*, row_number() over (order by recipients desc, name) > ${mostReceivers} as rest
    from receivers
  )
  select case when rest then ${others} else name end as name, ${each((name) => sql`sum(${name})::int`)}
  from ranked group by 1 order by 2 desc, 1`;

function withRates(sums: Sums, deliveryConfirmed: boolean): ProviderFigures {
  const { sent, opened, clicked, bounced, complained } = sums;
  const arrived = arrivedOf({ ...sums, deliveryConfirmed });
  return {
    ...sums,
    openRate: rateOf(opened, arrived),
    clickRate: rateOf(clicked, arrived),
    bounceRate: rateOf(bounced, sent),
    complaintRate: rateOf(complained, arrived),
    health: {
      bounces: judgeBounces({ sent, bounced }),
      complaints: judgeComplaints({ sent, complained }, arrived),
    },
  };
}

/**
 * Mail by who receives it, the most recipients first: the largest providers, and all others as one. It reads the
 * mail itself, so that whoever calls bounds it in time and remembers it.
 *
 * @param mail SQL: which emails, a table or subquery with their columns
 * @param deliveryConfirmed of all of it, so that providers are measured by the same: see arrivalOf
 */
export async function readProviderFigures(
  executor: Executor,
  mail: SQL,
  deliveryConfirmed: boolean,
): Promise<ProviderFigures[]> {
  const rows = await executor.execute<Sums>(sql`
    with domains as (
      select ${recipientDomain(sql`${e.recipient}`)} as name, ${sql.join(
        names.map((name) => sql`${counted[name]} as ${sql.identifier(name)}`),
        sql`, `,
      )}
      from ${mail} e where ${e.recipient} is not null
      group by 1
    ), ${shownReceivers}`);
  const byName = new Map<string, Sums>();
  const add = (name: string, row: Sums) => {
    const sum = byName.get(name);
    const total = names.map((one) => [one, (sum?.[one] ?? 0) + row[one]]);
    byName.set(name, { name, ...(Object.fromEntries(total) as Record<Name, number>) });
  };
  for (const row of rows) add(providerOf(row.name), row);
  const sorted = [...byName.values()].sort((one, other) => other.recipients - one.recipients);
  byName.clear();
  const named = sorted.filter(({ name }) => name !== others).slice(0, shown);
  for (const row of sorted) add(named.includes(row) ? row.name : others, row);
  const rest = byName.get(others);
  return (rest ? [...named, rest] : named).map((sums) => withRates(sums, deliveryConfirmed));
}
