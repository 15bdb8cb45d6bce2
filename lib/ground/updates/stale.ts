import { sql, type AnyColumn } from "drizzle-orm";
import { now } from "@/db/schema/columns";
import { AppError } from "@/lib/ground/errors";

/** Throws CONFLICT when a locked row is not in the state that its writer saw; `basedOn` as in the schema. */
export function refuseStale(basedOn: string | undefined, updatedAt: Date): void {
  if (basedOn === undefined || new Date(basedOn).getTime() === updatedAt.getTime()) return;
  throw new AppError(
    "CONFLICT",
    "It has changed since you read it. Read it again and decide what to keep.",
    [{ path: "basedOn", message: `is not the last change, of ${updatedAt.toISOString()}` }],
  );
}

/** Now, but at least 1 ms after the last change: the API tells states apart by milliseconds. */
export const laterThan = (updatedAt: AnyColumn) =>
  sql`greatest(${now}, ${updatedAt} + interval '1 millisecond')`;
