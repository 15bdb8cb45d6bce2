import { connect, openClient } from "@/db/client";
import { liftPositions, positionOf } from "@/db/event-stream";
import { sqlState } from "@/db/errors";
import { hasLaterMigrations, pendingMigrations } from "@/db/migrate";
import { addressOf, databaseFault, Fault } from "@/bin/start/fault";
import { findHold } from "@/lib/domain/sending-state/hold";
import { confirmAppSecret } from "@/lib/ground/installation";
import type postgres from "postgres";
import { briefly } from "./fence";

/** Of both ends: texts of times and bytes are the same. */
export const sourceSession = {
  ...{ timezone: "UTC", datestyle: "ISO, MDY", intervalstyle: "postgres", bytea_output: "hex" },
  // One end waits for as long as the other works.
  ...{ statement_timeout: "0", idle_in_transaction_session_timeout: "0" },
};
/** Room for the transactions of the source until the project is closed. */
const margin = 2n ** 40n;

/** The source: a connection that stays, since it holds the move's lock. */
export const openSource = (url: string): postgres.Sql =>
  openClient(url, { max: 1, session: sourceSession });

/** The target: foreign keys and triggers rest on its connection, as rows come in any order and as they are. */
export async function openTarget(url: string): Promise<postgres.Sql> {
  const client = openClient(url, {
    max: 1,
    session: { ...sourceSession, session_replication_role: "replica" },
  });
  try {
    await client`select 1`;
    return client;
  } catch (error) {
    await client.end({ timeout: 1 });
    if (sqlState(error) === "42501") {
      throw new Fault(
        `The user of ${addressOf(url)} may not write rows as they are: grant it SET on the parameter session_replication_role, or use a superuser.`,
      );
    }
    const fault = databaseFault(error, url);
    throw fault ? new Fault(fault.message.replace("(DATABASE_URL)", "(--to)")) : error;
  }
}

/** Which database it is: of which cluster, and its name there. */
export async function identityOf(client: postgres.Sql): Promise<string> {
  const [row] = await client<{ name: string }[]>`
    select system_identifier::text || '/' || current_database() as name from pg_control_system()`;
  return row?.name ?? "";
}

async function migrationsOf(client: postgres.Sql): Promise<string[]> {
  const rows = await client<{ hash: string }[]>`
    select hash from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ hash }) => hash);
}

/** Makes sure that the target can take a project of the source as it is. Throws a Fault. */
export async function checkEnds(
  source: postgres.Sql,
  target: postgres.Sql,
  targetUrl: string,
): Promise<void> {
  if ((await identityOf(source)) === (await identityOf(target))) {
    throw new Fault("--to names the database that the project is in.");
  }
  for (const [where, client] of Object.entries({ source, target })) {
    if ((await pendingMigrations(client)).length > 0) {
      throw new Fault(
        `The ${where} lacks migrations: bring both databases to this release's schema (lettermill migrate).`,
      );
    }
    // This release does not know what a later one keeps, and would leave it behind.
    if (await hasLaterMigrations(client)) {
      throw new Fault(`The ${where} was migrated by a later release: use that one's command.`);
    }
  }
  if ((await migrationsOf(source)).join() !== (await migrationsOf(target)).join()) {
    throw new Fault("Source and target were migrated by different releases.");
  }
  const db = connect(targetUrl, { max: 1 });
  try {
    if (!(await confirmAppSecret(db))) {
      throw new Fault(
        "The target has another APP_SECRET: links in mail that was sent, DKIM keys and tokens of the project would be void there. Both have to have the same.",
      );
    }
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}

/**
 * Refuses to move mail that is held: it may have been sent before a backup was restored, and the target would not know.
 * Throws a Fault.
 */
export async function checkHold(sourceUrl: string, projectId: string): Promise<void> {
  const db = connect(sourceUrl, { max: 1 });
  try {
    const hold = await findHold(db);
    if (!hold || hold.released.includes(projectId)) return;
    throw new Fault(
      "The project's mail is held here: let it go on first (`lettermill mail go-on`, or its page Sending).",
    );
  } finally {
    await db.$client.end({ timeout: 5 });
  }
}

/** Refuses what would not be allowed beside the target's own projects. Throws a Fault. */
export async function checkConflicts(
  source: postgres.Sql,
  target: postgres.Sql,
  projectId: string,
): Promise<void> {
  const [there] = await target`select 1 from projects where id = ${projectId}`;
  if (there) {
    throw new Fault(
      "The target still has what it held of this project before: run `lettermill project remove-moved` there, and wait until it is gone.",
    );
  }
  // The job that deletes what is left looks once more an hour later, and would take what has come back.
  const [deleted] = await target`select 1 from project_deletions where project_id = ${projectId}`;
  if (deleted) {
    throw new Fault(
      "The target is still deleting what it held of this project before: wait until an hour after that is gone.",
    );
  }
  const names = await source<{ name: string }[]>`
    select name from domains where project_id = ${projectId} and status = 'VERIFIED' and not built_in`;
  const [taken] = await target<{ name: string }[]>`
    select name from domains where status = 'VERIFIED' and not built_in
      and name = any(${names.map(({ name }) => name)}::text[])`;
  if (taken)
    throw new Fault(`Another project of the target has the domain ${taken.name} verified.`);
  const hosts = await source<{ host: string }[]>`
    select host from tracking_hosts where project_id = ${projectId}`;
  const [used] = await target<{ host: string }[]>`
    select host from tracking_hosts where host = any(${hosts.map(({ host }) => host)}::text[])`;
  if (used) throw new Fault(`Another project of the target uses the host ${used.host}.`);
}

/** Events keep their positions, which cursors name: the target counts on beyond those of the source. */
export async function alignPositions(source: postgres.Sql, target: postgres.Sql): Promise<void> {
  const here = await positionOf(source);
  // The next project from there finds it far enough ahead.
  if ((await positionOf(target)) >= here + margin / 2n) return;
  await briefly(target, (tx) => liftPositions(tx, here + margin));
}
