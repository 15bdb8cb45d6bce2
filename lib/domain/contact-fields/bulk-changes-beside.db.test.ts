import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import { env } from "@/lib/ground/env/env";
import { isAppError } from "@/lib/ground/errors";
import { validate } from "@/lib/ground/validate";
import { makeProject } from "@/lib/testing";
import { startBulkChange } from "./bulk-changes";
import { bulkChangeInput } from "./schema";

const database = useTestDatabase();

test("changes that one project starts at once leave connections to others while they choose", async () => {
  const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
  const asked = await database.db.transaction(async (tx) => {
    await tx.execute(sql`lock table contacts in access exclusive mode`);
    const starts = Array.from({ length: 3 * env().DATABASE_POOL }, (_, index) => {
      const input = validate(bulkChangeInput, { action: "tag", name: `t${index}`, filter: {} });
      return startBulkChange(busy.ctx, input).then(
        () => "started",
        (error: unknown) => (isAppError(error) ? error.code : error),
      );
    });
    const answered = await Promise.race([
      listDomains(other.ctx, { limit: 1 }).then(({ data }) => data.length),
      sleep(5_000, "not answered"),
    ]);
    return { starts, answered };
  });
  const outcomes = await Promise.all(asked.starts);
  expect(asked.answered).toBe(1);
  expect(outcomes.filter((outcome) => outcome === "started")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome !== "started" && outcome !== "CONFLICT")).toEqual([]);
}, 60_000);
