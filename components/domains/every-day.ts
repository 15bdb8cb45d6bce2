import type { Bucket } from "@/components/chart/bars";
import type { Dmarc } from "@/lib/domain/domain-reports/schema";

/** A bucket for each UTC day of the period, with `none` for those without reports. */
export function everyDay<Key extends string>(
  { from, to }: Pick<Dmarc["period"], "from" | "to">,
  days: readonly ({ day: string } & Record<NoInfer<Key>, number>)[],
  none: Record<Key, number>,
): Bucket<Key>[] {
  const figuresByDay = new Map(days.map(({ day, ...figures }) => [day, figures]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / 86_400_000) + 1 }, (_, index) => {
    const at = new Date(first + index * 86_400_000).toISOString();
    return { ...none, ...figuresByDay.get(at.slice(0, 10)), at };
  });
}
