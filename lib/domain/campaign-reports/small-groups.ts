import { otherProviders as others } from "@/lib/domain/receivers/terms";
import type { ProviderFigures } from "@/lib/domain/receivers/provider-figures-schema";
import { arrivedOf, rateOf } from "@/lib/ground/counters/arrival";

/** Of fewer people than this a row could tell what one of them did. */
export const fewestPeople = 10;

export type ProviderRow = Pick<
  ProviderFigures,
  "recipients" | "sent" | "opened" | "clicked" | "bounced" | "openRate" | "clickRate" | "bounceRate"
> & {
  /** null: all others. */
  name: string | null;
};

type Counts = Omit<ProviderFigures, "health" | "name">;
const counted = ["recipients", "sent", "delivered", "opened", "clicked", "bounced"] as const;

/**
 * Providers with few recipients as one row, which has some at least itself: the smallest of the others goes with them
 * where it would not, since what is missing from a sum is told by the sum. Nothing, if that leaves no provider.
 */
export function withoutSmallGroups(
  providers: readonly ProviderFigures[],
  deliveryConfirmed: boolean,
): ProviderRow[] {
  // "All others" comes last and stays last.
  const large = providers.filter(
    ({ name, recipients }) => recipients >= fewestPeople && name !== others,
  );
  const rest: Counts[] = providers.filter((provider) => !large.includes(provider));
  const people = () => rest.reduce((sum, { recipients }) => sum + recipients, 0);
  while (rest.length > 0 && people() < fewestPeople) {
    const smallest = large.pop();
    if (!smallest) return [];
    rest.push(smallest);
  }
  const named = large.map(({ health: _, ...provider }): ProviderRow => provider);
  if (rest.length === 0 || named.length === 0) return named;
  const sums = Object.fromEntries(
    counted.map((name) => [name, rest.reduce((sum, row) => sum + row[name], 0)]),
  ) as Record<(typeof counted)[number], number>;
  const arrived = arrivedOf({ ...sums, deliveryConfirmed });
  return [
    ...named,
    {
      ...sums,
      name: null,
      openRate: rateOf(sums.opened, arrived),
      clickRate: rateOf(sums.clicked, arrived),
      bounceRate: rateOf(sums.bounced, sums.sent),
    },
  ];
}
