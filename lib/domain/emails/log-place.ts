import { sql, type SQL } from "drizzle-orm";
import { emails } from "@/db/schema";
import { decodeId, encodeId } from "@/lib/ground/ids/ids";
import { notOfThisList, readCursorParts, writeCursor } from "@/lib/ground/paging/cursor";
import { instant } from "@/lib/ground/time-schema";

/** How far the log has been read: everything newer, and this itself. */
export interface LogPlace {
  /** created_at as timeKey has it, or as a cursor gives it; `infinity`: nothing has been read. */
  at: string;
  /** uuid of the email; the lowest of all: everything of that instant has been read. */
  id: string;
}

export const lowestId = "00000000-0000-0000-0000-000000000000";

/** SQL: a time to the microsecond, as text in the order of time. */
export const timeKey = (time: SQL) =>
  sql`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Where a cursor of the log stands; null without one. Throws VALIDATION_ERROR. */
export function placeOf(cursor: string | undefined): LogPlace | null {
  if (cursor === undefined) return null;
  const [at = "", wireId = ""] = readCursorParts(cursor, 2);
  const id = decodeId("email", wireId);
  if (!id || !instant.safeParse(at).success) throw notOfThisList();
  return { at, id };
}

export const cursorAt = ({ at, id }: LogPlace) => writeCursor(at, encodeId("email", id));

/** SQL: whether an email lies behind a place. */
export const behind = (place: LogPlace): SQL =>
  sql`(${emails.createdAt}, ${emails.id}) < (${place.at}::timestamptz, ${place.id}::uuid)`;

/** Whether the first lies behind the second in the log, newest first. */
export const isBehind = (one: LogPlace, other: LogPlace) =>
  one.at < other.at || (one.at === other.at && one.id < other.id);
