import postgres from "postgres";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { Chance } from "@/lib/testing/chance";
import { listEvents } from "./read";

const database = useTestDatabase();

/** A connection of its own, and what its transaction has written so far. */
interface Writer {
  client: postgres.Sql;
  written: string[];
  open: boolean;
}

test("nothing is missing and nothing comes twice, however long transactions take and in whichever order they commit", async () => {
  const { ctx, projectId } = await makeProject(database.db);
  const chance = new Chance(284_180);
  const writers: Writer[] = Array.from({ length: 10 }, () => ({
    client: postgres(database.url, { max: 1, onnotice: () => {} }),
    written: [],
    open: false,
  }));
  const committed = new Set<string>();
  const seen: string[] = [];
  let after: string | undefined;
  /** Events that were committed when a later id had been: who goes by ids alone would have passed them by. */
  let late = 0;
  let lastCommitted = "";

  const write = async (writer: Writer) => {
    if (!writer.open) await writer.client.unsafe("begin");
    writer.open = true;
    const ofEmail = chance.oneIn(2);
    const [row] = await writer.client.unsafe<{ id: string }[]>(
      ofEmail
        ? `insert into email_events (id, project_id, email_id, name)
           values (new_id($1), $1, new_id($1), 'sent') returning id`
        : `insert into project_events (id, project_id, event, data)
           values (new_id($1), $1, 'campaign.sent', '{}') returning id`,
      [projectId],
    );
    writer.written.push(row?.id ?? "");
  };
  const end = async (writer: Writer, verb: "commit" | "rollback") => {
    await writer.client.unsafe(verb);
    if (verb === "commit") {
      for (const id of writer.written) {
        committed.add(id);
        if (id < lastCommitted) late++;
        else lastCommitted = id;
      }
    }
    writer.written = [];
    writer.open = false;
  };
  const read = async () => {
    const limit = 1 + chance.below(7);
    const page = await listEvents(ctx, { limit, ...(after ? { after } : {}) });
    after = page.nextCursor;
    seen.push(...page.data.map(({ id }) => id));
    return page;
  };

  for (let step = 0; step < 1_500; step++) {
    const writer = chance.pick(writers);
    if (chance.oneIn(3)) await read();
    else if (!writer.open || chance.oneIn(3)) await write(writer);
    // The first one stays open for long: all others come and go meanwhile.
    else if (writer !== writers[0] || chance.oneIn(25)) {
      await end(writer, chance.oneIn(6) ? "rollback" : "commit");
    }
  }
  for (const writer of writers) if (writer.open) await end(writer, "commit");
  await expect
    .poll(
      async () => {
        while ((await read()).hasMore);
        return seen.length >= committed.size;
      },
      { timeout: 20_000 },
    )
    .toBe(true);
  await Promise.all(writers.map(({ client }) => client.end()));

  expect(late).toBeGreaterThan(50);
  expect(seen).toHaveLength(new Set(seen).size);
  expect(new Set(seen)).toEqual(new Set([...committed].map((id) => encodeId("event", id))));
}, 120_000);
