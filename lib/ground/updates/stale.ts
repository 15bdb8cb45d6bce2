import { sql, type AnyColumn } from "drizzle-orm";
import { now } from "@/db/schema/columns";
import { AppError } from "@/lib/ground/errors";

/**
 * Throws CONFLICT when a locked row is not in the state that its writer saw; `basedOn` as in the schema. null: nothing
 * was stored then, or is now.
 */
export function refuseStale(basedOn: string | null | undefined, updatedAt: Date | null): void {
  if (basedOn === undefined) return;
  const seen = basedOn === null ? null : new Date(basedOn).getTime();
  if (seen === (updatedAt?.getTime() ?? null)) return;
  throw new AppError(
    "CONFLICT",
    basedOn === null
      ? "Somebody else has set this meanwhile. Read it and decide what to keep."
      : "It has changed since you read it. Read it again and decide what to keep.",
    [
      {
        path: "basedOn",
        message: updatedAt
          ? `is not the last change, of ${updatedAt.toISOString()}`
          : "is not null, but nothing is stored any more",
      },
    ],
  );
}

/** Now, but at least 1 ms after the last change: the API tells states apart by milliseconds. */
export const laterThan = (updatedAt: AnyColumn) =>
  sql`greatest(${now}, ${updatedAt} + interval '1 millisecond')`;
