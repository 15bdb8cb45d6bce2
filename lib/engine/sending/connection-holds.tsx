import { sql } from "drizzle-orm";
import { executePrepared, type Database } from "@/db/client";
import type { ConnectionFault } from "@/db/enums";
import { errorCode } from "@/db/errors";
import { assignments } from "@/db/names";
import { sendingConnections } from "@/db/schema";
import type { ConnectionThrottling } from "@/db/schema/connections";
import { Letter } from "@/emails/letter";
import { mailOwners } from "@/lib/domain/users/mail-owners";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { log } from "@/lib/ground/log";
import { storableText } from "@/lib/ground/storable-text";

/** A server that refuses a password is not asked often: it may lock the account. */
const refusedSeconds = 300;
/** An unreachable one is asked soon, and ever more rarely. */
const unreachableSeconds = { least: 2, most: 60 };
/** Who tries one has this long for it. */
const probeLeaseSeconds = 60;
/** An outage that is over by then needs no letter. */
const tellAfterSeconds = 600;

export interface Refusal {
  fault: ConnectionFault;
  words: string;
}

/** SQL: when it is tried again: after a tenth of the time it has been held for. */
const nextProbe = (fault: ConnectionFault) =>
  fault === "refused"
    ? sql`app_now() + make_interval(secs => ${refusedSeconds})`
    : sql`app_now() + make_interval(secs => least(${unreachableSeconds.most}, greatest(${unreachableSeconds.least},
        extract(epoch from app_now() - coalesce(${sendingConnections.heldSince}, app_now())) / 10)))`;

/**
 * Holds a connection: what its mail would meet is known. Keeps since when, if it is held already. Says nothing of
 * one that was changed since `updatedAt`, as after its password was mended.
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

/** Of the held ones that are due to be tried, those that this worker tries now. */
export async function claimProbes(db: Database): Promise<string[]> {
  const rows = await executePrepared<{ id: string }>(
    db,
    sql`update ${sendingConnections} set ${assignments(sendingConnections, {
      probeAt: sql`app_now() + make_interval(secs => ${probeLeaseSeconds})`,
    })}
    where ${sendingConnections.id} = any(array(
      select ${sendingConnections.id} from ${sendingConnections}
      where ${sendingConnections.heldSince} is not null and ${sendingConnections.probeAt} <= app_now()
      order by ${sendingConnections.probeAt} limit 20 for update skip locked))
    returning ${sendingConnections.id}`,
  );
  return rows.map(({ id }) => id);
}

/** Writes down for the project's pages that a connection was asked for less; null: not any more. */
export async function noteThrottling(
  db: Database,
  id: string,
  throttling: ConnectionThrottling | null,
): Promise<void> {
  await executePrepared(
    db,
    sql`update ${sendingConnections} set ${assignments(sendingConnections, {
      throttling: sql`${throttling && JSON.stringify(throttling)}::text::jsonb`,
    })} where ${sendingConnections.id} = ${id}`,
  );
}

/** Tells the owners of a project once that a connection is held: at once of a refused password, else of a long outage. */
export async function tellOfHold(db: Database, id: string): Promise<void> {
  const [held] = await db.execute<{ project_id: string; name: string; words: string }>(sql`
    update ${sendingConnections} set ${assignments(sendingConnections, { toldAt: sql`app_now()` })}
    where ${sendingConnections.id} = ${id} and ${sendingConnections.toldAt} is null
      and (${sendingConnections.heldFault} = 'refused' or
        ${sendingConnections.heldSince} < app_now() - make_interval(secs => ${tellAfterSeconds}))
    returning ${sendingConnections.projectId}, ${sendingConnections.name},
      ${sendingConnections.heldWords} as words`);
  if (!held) return;
  const { project_id: projectId, name: connection, words } = held;
  const page = `${env().APP_URL}/dashboard/${encodeId("project", projectId)}/settings/connections`;
  try {
    await mailOwners(db, projectId, (project, { language, dir, text }) => ({
      subject: text("mail.connection.subject", { connection }),
      letter: (
        <Letter
          {...{ language, dir }}
          title={text("mail.connection.subject", { connection })}
          preview={words}
          text={text("mail.connection.text", { project, connection, words })}
          action={{ label: text("mail.connection.button"), url: page, hint: text("mail.copyLink") }}
          foot={text("mail.owner")}
        />
      ),
    }));
  } catch (error) {
    log.error({ connectionId: id, code: errorCode(error) }, "The owners could not be told.");
  }
}
