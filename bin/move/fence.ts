import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { closedProjectState, movedProjectState, sqlState } from "@/db/errors";
import { upkeepSetting } from "@/db/upkeep";
import { writersLock } from "./lock";
import { literal, plan, quoted, type Planned } from "./plan";
import { setState } from "./states";

/*
 * Triggers at the source, there from before the first row is copied until the project is gone or stays. They write
 * down what changes of the large tables, and refuse every change once the project is closed, whichever program of
 * whichever release asks for it. Others' rows cost a comparison.
 *
 * Each holds a lock that all writers of the project share until their transaction ends. Whoever closes takes it
 * alone: then nobody is writing, and whoever comes later reads, by a snapshot of their own, that it is closed.
 */

/** A setting of the move's own transactions. */
const moverSetting = "lettermill.mover";
const lockMilliseconds = 2_000;
/** Less than it takes Postgres to look for deadlocks: nobody who writes is to be its victim. */
const closingLockMilliseconds = 500;
const tries = 60;

/**
 * Updates of these columns alone pass once the project is closed: other statements of the programs make them for many
 * projects at once, and each database finds out for itself. No claim of mail and nobody's wish is among them.
 */
const ownFindings: Readonly<Record<string, readonly string[]>> = {
  email_queue: ["asleep", "place"],
  api_keys: ["last_used_at"],
  assistants: ["last_used_at"],
  sending_connections: [
    ...["held_since", "held_fault", "held_words", "probe_at", "told_at", "throttling"],
  ],
};

const triggerNames = ["project_moves_written", "project_moves_deleted"];
/** One function for each table and project. */
const functionOf = ({ name }: Planned, projectId: string) => `move_${projectId.slice(-12)}_${name}`;
const triggerOf = (trigger: string, projectId: string) => `${trigger}_${projectId.slice(-12)}`;

function noting(table: Planned, projectId: string, row: "old" | "new"): string {
  const unit = table.unit.map(({ name }) => `${row}.${quoted(name)}::text`).join(", ");
  return `insert into project_move_changes (project_id, table_name, unit)
      values (${literal(projectId)}, ${literal(table.name)}, array[${unit}]);`;
}

function functionText(table: Planned, projectId: string): string {
  const { name, by, parent, unit } = table;
  const owner = literal(projectId);
  const key = `(case when tg_op = 'DELETE' then old.${quoted(by.name)} else new.${quoted(by.name)} end)`;
  // Rows whose parent went with the same statement may be the project's: its own trigger says so, too.
  const [foreign, orphaned] =
    parent === null
      ? ["", ""]
      : [
          `if ${key} is null
      or exists (select from ${quoted(parent)} where id = ${key} and project_id <> ${owner}) then
    return null;
  end if;`,
          `if not exists (select from ${quoted(parent)} where id = ${key}) then
      return null;
    end if;`,
        ];
  const findings = ownFindings[name]?.map(literal).join(", ");
  const pass = findings
    ? `if tg_op = 'UPDATE' then
      if to_jsonb(new) - array[${findings}] = to_jsonb(old) - array[${findings}] then
        return null;
      end if;
    end if;`
    : "";
  const changed = unit.map(({ name: column }) => `old.${quoted(column)} <> new.${quoted(column)}`);
  const note = `if stage is null then
    return null;
  end if;
  if tg_op = 'DELETE' then
    ${noting(table, projectId, "old")}
    return null;
  end if;
  ${noting(table, projectId, "new")}
  if tg_op = 'UPDATE' then
    if ${changed.join(" or ")} then
      ${noting(table, projectId, "old")}
    end if;
  end if;`;
  // Texts of times in notes are read by the move's own session.
  return `create or replace function ${quoted(functionOf(table, projectId))}() returns trigger
    language plpgsql set datestyle to 'ISO, MDY' as $$
declare
  stage text;
  moved_to text;
begin
  if current_setting('${moverSetting}', true) = ${owner} then
    return null;
  end if;
  ${foreign}
  perform pg_advisory_xact_lock_shared(${writersLock(projectId)});
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception using errcode = '${closedProjectState}', message = 'the project is being moved';
  end if;
  select state, url into stage, moved_to from project_moves where project_id = ${owner};
  if stage in ('closed', 'moved') then
    if current_setting('${upkeepSetting}', true) = 'on' or (stage = 'moved' and tg_op = 'DELETE') then
      return null;
    end if;
    ${orphaned}
    ${pass}
    if stage = 'moved' then
      raise exception using errcode = '${movedProjectState}', message = moved_to;
    end if;
    raise exception using errcode = '${closedProjectState}', message = 'the project is being moved';
  end if;
  ${table.early ? note : ""}
  return null;
end
$$`;
}

/** Does something that needs a table's lock, so that nobody waits for long behind it. */
export async function briefly(
  client: postgres.Sql,
  run: (tx: postgres.TransactionSql) => Promise<unknown>,
  milliseconds = lockMilliseconds,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${milliseconds}`);
        await run(tx);
      });
      return;
    } catch (error) {
      // A lock that is taken, or a deadlock: whoever holds it ends soon.
      const state = sqlState(error);
      if (attempt === tries || (state !== "55P03" && state !== "40P01")) throw error;
      await sleep(500);
    }
  }
}

/** What the transaction does to the project is the move's own: the triggers let it pass. */
export async function passFence(
  tx: postgres.Sql | postgres.TransactionSql,
  projectId: string,
): Promise<void> {
  await tx`select set_config(${moverSetting}, ${projectId}, true)`;
}

/** Puts the triggers in place; again, there is nothing to do. */
export async function raiseFence(client: postgres.Sql, projectId: string): Promise<void> {
  for (const table of plan) {
    const [written = "", deleted = ""] = triggerNames.map((name) => triggerOf(name, projectId));
    // Needs no lock of the table: what another release's command has left is as this one knows it.
    await client.unsafe(functionText(table, projectId));
    const there = await client<{ name: string }[]>`
      select tgname as name from pg_trigger
      where tgrelid = ${table.name}::regclass and tgname in (${written}, ${deleted})`;
    if (there.length === 2) continue;
    const when = (row: string) =>
      table.parent === null ? `when (${row}.${quoted(table.by.name)} = ${literal(projectId)})` : "";
    await briefly(client, async (tx) => {
      const call = `execute function ${quoted(functionOf(table, projectId))}()`;
      await tx.unsafe(`create or replace trigger ${quoted(written)}
        after insert or update on ${quoted(table.name)} for each row ${when("new")} ${call}`);
      await tx.unsafe(`create or replace trigger ${quoted(deleted)}
        after delete on ${quoted(table.name)} for each row ${when("old")} ${call}`);
    });
  }
}

/** Takes them away again. */
export async function lowerFence(client: postgres.Sql, projectId: string): Promise<void> {
  for (const table of plan) {
    await briefly(client, async (tx) => {
      for (const trigger of triggerNames) {
        const name = quoted(triggerOf(trigger, projectId));
        await tx.unsafe(`drop trigger if exists ${name} on ${quoted(table.name)}`);
      }
      await tx.unsafe(`drop function if exists ${quoted(functionOf(table, projectId))}()`);
    });
  }
}

/** Waits until nobody writes to the project, and closes it in that moment: nothing of it changes any more. */
export async function closeFence(client: postgres.Sql, projectId: string): Promise<void> {
  await briefly(
    client,
    async (tx) => {
      await tx.unsafe(`select pg_advisory_xact_lock(${writersLock(projectId)})`);
      await setState(tx, projectId, "closed");
    },
    closingLockMilliseconds,
  );
}
