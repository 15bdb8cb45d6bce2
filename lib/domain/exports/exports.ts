import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { and, eq, sql, type SQL } from "drizzle-orm";
import { exportProgress } from "@/db/schema";
import { now } from "@/db/schema/columns";
import { requireRole, type Context } from "@/lib/ground/context";
import { rowsWritten } from "@/lib/ground/csv-stream";
import { AppError, isAppError, notFound } from "@/lib/ground/errors";
import { log } from "@/lib/ground/log";
import type { ExportProgress } from "./schema";

type File = ReadableStream<Uint8Array>;
type Ended = Exclude<ExportProgress["state"], "RUNNING">;

const beatMilliseconds = 1_000;
/** Of which nothing was heard for as long has ended with its program. */
const silentSeconds = 20;

/** The export of this id that a user (uuid) began. */
const isOwn = (userId: string, id: string): SQL =>
  sql`${exportProgress.userId} = ${userId} and ${exportProgress.id} = ${id}`;

/** The user who acts. Throws NOT_FOUND: programs begin no export that is followed. */
function userOf({ actor }: Context): string {
  if (actor.type !== "user") throw notFound();
  return actor.id;
}

/**
 * A file as it is exported, whose progress `getExport` tells under this id, and which `cancelExport` cuts off, whichever
 * program gives it. Its row is written once a second at most. A file that was cut off, or cannot be read on, ends with
 * an error and not as a whole one. Of two downloads under one id the later is told of, and neither ends the other.
 * Without an id it is just given.
 */
export async function followExport(
  ctx: Context,
  id: string | undefined,
  make: () => Promise<File>,
): Promise<File> {
  const { actor } = ctx;
  if (id === undefined || actor.type !== "user") return make();
  const run = randomUUID();
  const begun = { run, state: "RUNNING", rows: null, bytes: 0, failureReason: null } as const;
  await ctx.db
    .insert(exportProgress)
    .values({ userId: actor.id, id, ...begun })
    // A browser that is told to try again asks for the same address.
    .onConflictDoUpdate({
      target: [exportProgress.userId, exportProgress.id],
      set: { ...begun, updatedAt: now },
    });
  const row = new ProgressRow(ctx.db, actor.id, id, run);
  try {
    return followed(await make(), row);
  } catch (error) {
    await row.end("FAILED", error);
    throw error;
  }
}

/** What has become of it: `followed` is also what a database says that cannot be asked; `left`: another has its id. */
type Known = "followed" | "ended" | "left";

/** How often the end of an export is written down before it is given up on: nothing else says it. */
const endings = 3;

/** What is kept of an export that is under way. */
class ProgressRow {
  rows: number | null = null;
  bytes = 0;

  constructor(
    private readonly db: Context["db"],
    private readonly userId: string,
    private readonly id: string,
    private readonly run: string,
  ) {}

  private async write(more: { state?: Ended; failureReason?: string | null }): Promise<Known> {
    const own = isOwn(this.userId, this.id);
    const found = await this.db
      .update(exportProgress)
      .set({ rows: this.rows, bytes: this.bytes, updatedAt: now, ...more })
      .where(and(own, eq(exportProgress.run, this.run), eq(exportProgress.state, "RUNNING")))
      .returning({ id: exportProgress.id });
    if (found.length > 0) return "followed";
    const [row] = await this.db.select({ run: exportProgress.run }).from(exportProgress).where(own);
    return row?.run === this.run ? "ended" : "left";
  }

  async beat(): Promise<Known> {
    try {
      return await this.write({});
    } catch {
      log.warn("how far an export is could not be written down");
      return "followed";
    }
  }

  async end(state: Ended, error?: unknown): Promise<Known> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.write({
          state,
          failureReason: isAppError(error) ? error.message : null,
        });
      } catch {
        if (attempt < endings) await sleep(attempt * beatMilliseconds);
        else {
          log.warn("how an export ended could not be written down");
          return "followed";
        }
      }
    }
  }
}

function followed(file: File, row: ProgressRow): File {
  const reader = file.getReader();
  let beat: NodeJS.Timeout | undefined;
  let ended = false;
  const stop = () => {
    ended = true;
    clearInterval(beat);
  };
  /** Its reader is told that it is not whole. */
  const cutOff = (controller: ReadableStreamDefaultController) => {
    stop();
    controller.error(new AppError("CONFLICT", "The export was cancelled."));
    // What was read in advance may have failed.
    void reader.cancel().catch(() => undefined);
  };
  const beginBeat = (controller: ReadableStreamDefaultController) => {
    let writing = false;
    const timer = setInterval(() => {
      if (writing) return;
      writing = true;
      void row.beat().then((known) => {
        writing = false;
        if (known === "left") clearInterval(timer);
        else if (known === "ended" && !ended) cutOff(controller);
      });
    }, beatMilliseconds);
    return timer.unref();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Only once it is read, which it is not for HEAD; then by the clock: a reader that rests has not gone.
        beat ??= beginBeat(controller);
        try {
          const { done, value } = await reader.read();
          if (ended) return;
          row.rows = rowsWritten(file);
          if (!done) {
            row.bytes += value.byteLength;
            controller.enqueue(value);
            return;
          }
          // From here on a beat that finds its row ended has found this end.
          stop();
          if ((await row.end("DONE")) === "ended") cutOff(controller);
          else controller.close();
        } catch (error) {
          if (ended) return;
          stop();
          await row.end("FAILED", error);
          throw error;
        }
      },
      async cancel(reason) {
        stop();
        await row.end("CANCELLED");
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** How far an export is that the actor began. Throws NOT_FOUND. */
export async function getExport(ctx: Context, id: string): Promise<ExportProgress> {
  requireRole(ctx, "viewer");
  const [row] = await ctx.db
    .select({
      state: exportProgress.state,
      rows: exportProgress.rows,
      bytes: exportProgress.bytes,
      failureReason: exportProgress.failureReason,
      isSilent: sql<boolean>`${exportProgress.updatedAt}
        < app_now() - make_interval(secs => ${silentSeconds})`,
    })
    .from(exportProgress)
    .where(isOwn(userOf(ctx), id));
  if (!row) throw notFound();
  const { isSilent, ...progress } = row;
  return progress.state === "RUNNING" && isSilent ? { ...progress, state: "FAILED" } : progress;
}

/** Cuts an export off that the actor began, within a second or two; one that has ended stays as it is. Throws NOT_FOUND. */
export async function cancelExport(ctx: Context, id: string): Promise<ExportProgress> {
  requireRole(ctx, "viewer");
  await ctx.db
    .update(exportProgress)
    .set({ state: "CANCELLED", updatedAt: now })
    .where(and(isOwn(userOf(ctx), id), eq(exportProgress.state, "RUNNING")));
  return getExport(ctx, id);
}
