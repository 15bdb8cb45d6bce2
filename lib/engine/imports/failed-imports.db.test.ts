import { Readable } from "node:stream";
import { eq, sql } from "drizzle-orm";
import { afterEach, expect, it } from "vitest";
import { contactImports } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { getImport, startImport } from "@/lib/domain/imports/imports";
import { sendTeamLetters } from "@/lib/engine/team-letters/send";
import type { Context } from "@/lib/ground/context";
import { makeProject } from "@/lib/testing";
import { lettersTo } from "@/lib/testing/team-letters";
import { takeOverImports } from "./apply-rows";

const database = useTestDatabase();

afterEach(async () => {
  await database.db.execute(sql`drop trigger if exists broken on contacts`);
});

const signal = () => AbortSignal.timeout(20_000);
const run = () => takeOverImports(database.db, { signal: signal() });

async function begin(ctx: Context): Promise<string> {
  const file = Readable.from([Buffer.from("email\nada@example.com\n")]);
  return (await startImport(ctx, { file, filename: "people.csv" })).id;
}

/** From now on, Postgres answers with this SQLSTATE when the project is to get a contact. */
async function breakContacts({ projectId }: Context, state: string): Promise<void> {
  await database.db.execute(
    sql.raw(`
    create or replace function break_it() returns trigger language plpgsql as $$
      begin raise exception 'broken' using errcode = '${state}'; end $$;
    create trigger broken before insert on contacts for each row
      when (new.project_id = '${projectId}') execute function break_it();`),
  );
}

async function failedSteps({ projectId }: Context): Promise<number | undefined> {
  const [row] = await database.db
    .select({ failed: contactImports.failedSteps })
    .from(contactImports)
    .where(eq(contactImports.projectId, projectId));
  return row?.failed;
}

it("an import that keeps failing ends after ten tries with the reason, tells owners, and holds up no other", async () => {
  const { ctx } = await makeProject(database.db);
  const { ctx: other } = await makeProject(database.db);
  await breakContacts(ctx, "XX000");
  const id = await begin(ctx);
  const otherId = await begin(other);
  await run();
  expect((await getImport(other, otherId)).status).toBe("COMPLETED");
  for (let tries = 1; tries < 10; tries++) {
    expect(await failedSteps(ctx)).toBe(tries);
    expect((await getImport(ctx, id)).status).toBe("RUNNING");
    // Not before its time.
    await run();
    expect(await failedSteps(ctx)).toBe(tries);
    await database.travel("31 seconds");
    await run();
  }
  expect(await getImport(ctx, id)).toMatchObject({
    status: "FAILED",
    processed: 0,
    failureReason: "It failed ten times in a row because of a fault on our side.",
    finishedAt: expect.any(String) as string,
  });
  await database.travel("1 hour");
  await run();
  expect(await failedSteps(ctx)).toBe(10);
  await sendTeamLetters(database.db, signal());
  const letters = await lettersTo(database.db, ctx.actor.id ?? "");
  expect(letters).toHaveLength(1);
  expect(letters[0]).toContain("An import has failed");
  expect(letters[0]).toContain(id);
  expect(await lettersTo(database.db, other.actor.id ?? "")).toEqual([]);
});

it("an import is not given up while the database is busy, and goes on once it is not", async () => {
  const { ctx } = await makeProject(database.db);
  await breakContacts(ctx, "53200");
  const id = await begin(ctx);
  for (let tries = 0; tries < 12; tries++) {
    await run();
    expect(await failedSteps(ctx)).toBe(0);
    await database.travel("31 seconds");
  }
  await database.db.execute(sql`drop trigger broken on contacts`);
  await run();
  expect(await getImport(ctx, id)).toMatchObject({ status: "COMPLETED", created: 1 });
});

it("an import that ten workers died of is not given to another", async () => {
  const { ctx } = await makeProject(database.db);
  const id = await begin(ctx);
  // As each of them left it.
  await database.db
    .update(contactImports)
    .set({ status: "RUNNING", failedSteps: 10, dueAt: sql`app_now()` })
    .where(eq(contactImports.projectId, ctx.projectId));
  await run();
  expect(await getImport(ctx, id)).toMatchObject({ status: "FAILED", processed: 0 });
});
