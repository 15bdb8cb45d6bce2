import { and, eq, isNull, or, sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import type { ConnectionFault } from "@/db/enums";
import { errorCode } from "@/db/errors";
import { assignments } from "@/db/names";
import { sendingConnections } from "@/db/schema";
import { now } from "@/db/schema/columns";
import type { ConnectionThrottling } from "@/db/schema/connections";
import { mailTeam } from "@/lib/domain/team-letters/mail";
import { log } from "@/lib/ground/log";
import { worksHere } from "@/lib/ground/queue/resting-projects";
import { storableText } from "@/lib/ground/storable-text";

/** A server that refuses a password is not asked often: it may lock the account. */
const refusedSeconds = 300;
/** An unreachable one is tried again soon, then less and less often. */
const unreachableSeconds = { least: 2, most: 60 };
/** How long a worker has for one try. */
const probeLeaseSeconds = 60;
/** An outage shorter than this is not worth a mail. */
const tellAfterSeconds = 600;

export interface Refusal {
  fault: ConnectionFault;
  words: string;
}

/** SQL: when it is tried again, which is after a tenth of the time it has been held. */
const nextProbe = (fault: ConnectionFault) =>
  fault === "refused"
    ? sql`app_now() + make_interval(secs => ${refusedSeconds})`
    : sql`app_now() + make_interval(secs => least(${unreachableSeconds.most}, greatest(${unreachableSeconds.least},
        extract(epoch from app_now() - coalesce(${sendingConnections.heldSince}, app_now())) / 10)))`;

/**
 * Holds a connection, since its mail would only fail. Keeps the time if it is held already. Does nothing for
 * one that was changed since `updatedAt`, such as one with a new password.
 */
export async function holdConnection(
  db: Database,
  { id, updatedAt }: { id: string; updatedAt: string },
  { fault, words }: Refusal,
): Promise<void> {
  await executePrepared(
    db,
    sql`update ${sendingConnections} set ${assignments(sendingConnections, {
      heldSince: sql`coalesce(${sendingConnections.heldSince}, app_now())`,
      heldFault: sql`${fault}`,
      heldWords: sql`${storableText(words).slice(0, 500)}`,
      probeAt: nextProbe(fault),
      throttling: sql`null`,
    })} where ${sendingConnections.id} = ${id} and ${sendingConnections.updatedAt}::text = ${updatedAt}`,
  );
}

/** Takes the held connections that are due, for this worker to try. */
export async function claimProbes(db: Database): Promise<string[]> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`update ${sendingConnections} set ${assignments(sendingConnections, {
      probeAt: sql`app_now() + make_interval(secs => ${probeLeaseSeconds})`,
    })}
    where ${sendingConnections.id} = any(array(
      select ${sendingConnections.id} from ${sendingConnections}
      where ${sendingConnections.heldSince} is not null and ${sendingConnections.probeAt} <= app_now()
        and ${worksHere(sendingConnections.projectId)}
      order by ${sendingConnections.probeAt} limit 20 for update skip locked))
    returning ${sendingConnections.id}`,
  );
  return rows.map(({ id }) => id);
}

/** Records for the dashboard that a connection's server asked for less; null: no longer. */
export async function noteThrottling(
  db: Database,
  id: string,
  throttling: ConnectionThrottling | null,
): Promise<void> {
  const noted = db
    .update(sendingConnections)
    .set({ throttling })
    .where(eq(sendingConnections.id, id));
  await executePrepared(db, noted.getSQL());
}

/** Tells a project's owners once that a connection is held: at once for a refused password, else when the outage is long. */
export async function tellOfHold(db: Database, id: string): Promise<void> {
  const { toldAt, heldFault, heldSince } = sendingConnections;
  const isLong = sql`${heldSince} < app_now() - make_interval(secs => ${tellAfterSeconds})`;
  const [held] = await db
    .update(sendingConnections)
    .set({ toldAt: now })
    .where(and(eq(sendingConnections.id, id), isNull(toldAt), or(eq(heldFault, "refused"), isLong)))
    .returning({
      projectId: sendingConnections.projectId,
      connection: sendingConnections.name,
      words: sendingConnections.heldWords,
    });
  if (!held) return;
  const { projectId, connection } = held;
  const words = held.words ?? "";
  try {
    await mailTeam(db, projectId, "sendingHeld", (project, { text }) => ({
      subject: text("mail.connection.subject", { connection }),
      preview: words,
      text: text("mail.connection.text", { project, connection, words }),
      action: { label: text("mail.connection.button"), page: "/settings/connections" },
    }));
  } catch (error) {
    log.error({ connectionId: id, code: errorCode(error) }, "The team could not be told.");
  }
}
