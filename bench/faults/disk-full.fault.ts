import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { until } from "@/lib/testing/until";
import { rehearse, unsound } from "./rehearse";
import { fillDisk, startOnSmallDisk, whyNoDisk } from "./small-disk";

const heldMilliseconds = { least: 3_000, most: 8_000 };

/** Has Postgres begin its log's next file, for which there is no room: it ends, as it does when a log is full. */
async function endPostgres(url: string, hasEnded: () => boolean): Promise<void> {
  const db = connect(url, { max: 1, name: "another program" });
  await until(
    async () => {
      await db
        .execute(sql`select pg_logical_emit_message(false, '', repeat('x', 1000000))`)
        .catch(() => {});
      return hasEnded();
    },
    { what: "Postgres ends for want of room", seconds: 30, everyMilliseconds: 50 },
  );
  await db.$client.end({ timeout: 0 });
}

test("a full disk under Postgres costs no mail, no copy and nothing acknowledged, and all goes on once there is room", async ({
  skip,
}) => {
  const why = whyNoDisk();
  skip(why !== null, why ?? "");
  const findings = await rehearse({
    name: "the disk is full",
    stand: { startDatabase: startOnSmallDisk },
    async strike({ stand, chance, arrived, harm, say }) {
      const { least, most } = heldMilliseconds;
      for (const [n, isLogFull] of [false, true, false].entries()) {
        await arrived(0.1 + 0.25 * n + 0.1 * chance.next());
        await harm("the disk is full", async () => {
          const { pid } = stand.database;
          const makeRoom = fillDisk(stand.dataFolder);
          try {
            if (isLogFull) await endPostgres(stand.database.url, () => stand.database.pid !== pid);
            await sleep(least + chance.below(most - least));
          } finally {
            makeRoom();
          }
          const from = performance.now();
          await stand.ask((db) => db.execute(sql`select 1`));
          const seconds = (performance.now() - from) / 1_000;
          const same = stand.database.pid === pid ? "never ended" : "was started again";
          say(`there is room: Postgres ${same}, and answers after ${seconds.toFixed(1)} s`);
        });
      }
    },
  });
  expect(unsound(findings)).toEqual([]);
});
