import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import { eventClock, eventMarks } from "@/db/schema";
import { payloadsOf } from "@/lib/domain/webhooks/payload";
import { requireRole, type Context } from "@/lib/ground/context";
import { AppError, invalid } from "@/lib/ground/errors";
import type { WebhookEvent } from "@/lib/ground/events/names";
import { encodeId } from "@/lib/ground/ids/ids";
import { readCursorParts, uuidForm, writeCursor } from "@/lib/ground/paging/cursor";
import type { EventPage, EventQuery } from "./schema";
import { windowStatement, type WindowRow } from "./window";

/** Most rows read in one call. With `types`, rare events among millions would otherwise cost a scan of them all. */
const lookedAt = 2_000;
/** Received mail is large: its text alone can take a quarter of a megabyte. */
const mostReceived = 20;
const keptDays = 30;

/** A place in the stream: just after the event with this position and id. */
interface Place {
  position: bigint;
  id: string;
}

interface Bounds {
  /** All positions below this are complete: every earlier transaction has ended. */
  horizon: bigint;
  /** No event has a position this high yet. */
  ahead: bigint;
  /** Events below it are no longer kept. */
  oldest: bigint;
}

async function readBounds(db: Database): Promise<Bounds> {
  const [row] = await executePrepared<Record<keyof Bounds, string>>(
    db,
    sql`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ${eventClock.shift})::text as horizon,
      (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ${eventClock.shift})::text as ahead,
      coalesce((select ${eventMarks.position} from ${eventMarks}
        where ${eventMarks.at} <= app_now() - make_interval(days => ${keptDays})
        order by ${eventMarks.at} desc limit 1), 0)::text as oldest
    from ${eventClock}`,
  );
  if (!row) throw new Error("The stream of events has no clock.");
  return {
    horizon: BigInt(row.horizon),
    ahead: BigInt(row.ahead),
    oldest: BigInt(row.oldest),
  };
}

const cursorOf = ({ position, id }: Place) => writeCursor(position.toString(), id);
/** Before all events of a position. */
const beginningOf = (position: bigint): Place => ({
  position,
  id: "00000000-0000-0000-0000-000000000000",
});

const wrongCursor = () => invalid("after", "is not a cursor of these events");
const digits = /^\d{1,18}$/;

/** Throws VALIDATION_ERROR when it is not a cursor, CURSOR_EXPIRED when events after it may be gone. */
function placeOf(after: string | undefined, { horizon, ahead, oldest }: Bounds): Place {
  if (after === undefined) return beginningOf(oldest);
  if (after === "now") return beginningOf(horizon);
  const [position = "", id = ""] = readCursorParts(after, 2, wrongCursor);
  if (!digits.test(position) || !uuidForm.test(id)) throw wrongCursor();
  const place = { position: BigInt(position), id };
  // The cursor comes from another installation, or from this one before it was restored from a backup.
  if (place.position > ahead) throw wrongCursor();
  if (place.position < oldest) {
    const oldestCursor = cursorOf(beginningOf(oldest));
    throw new AppError(
      "CURSOR_EXPIRED",
      `Events are kept for ${keptDays} days: some that followed this cursor are gone. The oldest cursor is ${oldestCursor}`,
      [{ path: "after", message: `is older than the oldest cursor, ${oldestCursor}` }],
    );
  }
  return place;
}

/** The events of the window to return, and whether some are left for the next call. */
function cut(rows: readonly WindowRow[]) {
  const page: WindowRow[] = [];
  let received = 0;
  let last: WindowRow | undefined;
  for (const row of rows) {
    if (row.wanted) {
      const isReceived = row.event === "email.received";
      if (row.data === null || (isReceived && received === mostReceived)) {
        return { page, last, wasCut: true };
      }
      if (isReceived) received++;
      page.push(row);
    }
    last = row;
  }
  return { page, last, wasCut: false };
}

/**
 * The events after a cursor, as webhooks get them: in the order of their transactions, none missing and none
 * repeated, whatever order they commit in. Events that an open transaction might still precede wait until it ends.
 * Throws VALIDATION_ERROR, CURSOR_EXPIRED.
 */
export async function listEvents(
  ctx: Context,
  { after, types, limit }: EventQuery,
): Promise<EventPage> {
  requireRole(ctx, "viewer");
  // A separate statement before the one that reads: by then, everything below the horizon has ended.
  const bounds = await readBounds(ctx.db);
  const place = placeOf(after, bounds);
  const most = types === undefined ? limit + 1 : Math.max(lookedAt, limit + 1);
  const rows = await executePrepared<WindowRow>(
    ctx.db,
    windowStatement({
      ...{ projectId: ctx.projectId, ...place, horizon: bounds.horizon },
      ...{ types: types?.split(",") ?? null, limit, most },
    }),
  );
  const { page, last, wasCut } = cut(rows);
  const hasMore = wasCut || rows.length === most;
  const end = bounds.horizon > place.position ? beginningOf(bounds.horizon) : place;
  const stored = page.map((row) => ({
    event: row.event ?? "",
    subjectId: row.subject_id,
    data: row.data ?? {},
    createdAt: new Date(row.created_at),
  }));
  const told = await payloadsOf(ctx.db, stored);
  return {
    data: told.map(({ payload: { type, timestamp, data } }, index) => ({
      id: encodeId("event", page[index]?.id ?? ""),
      type: type as WebhookEvent,
      timestamp,
      data,
    })),
    nextCursor: cursorOf(hasMore && last ? { position: BigInt(last.position), id: last.id } : end),
    hasMore,
  };
}
