import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { listDomains } from "@/lib/domain/sending-domains/domains";
import type { Context } from "@/lib/ground/context";
import { env } from "@/lib/ground/env/env";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { exportSubscriptionChanges } from "./consent-history";
import { exportContacts } from "./export";
import { upsertContact } from "./upsert";

const database = useTestDatabase();
const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

test.each([
  ["contacts", async (ctx: Context) => text(await exportContacts(ctx, {}))],
  ["consent_changes", async (ctx: Context) => text(await exportSubscriptionChanges(ctx))],
])(
  "exports of %s that one project reads slowly leave connections to others",
  async (table, read) => {
    const [busy, other] = [await makeProject(database.db), await makeProject(database.db)];
    for (const { ctx } of [busy, other]) await upsertContact(ctx, { email: "ada@example.com" });
    const asked = await database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table ${sql.identifier(table)} in access exclusive mode`);
      const waiting = async () =>
        (
          await tx.execute<{ waiting: number }>(sql`
          select count(*)::int as waiting from pg_locks
          where relation = ${table}::regclass and not granted`)
        )[0]?.waiting ?? 0;
      const ofBusy = Array.from({ length: 3 * env().DATABASE_POOL }, () => read(busy.ctx));
      const share = Math.floor(env().DATABASE_POOL / 2 / 2);
      await until(async () => (await waiting()) === share, { what: "its share waits" });
      expect((await listDomains(other.ctx, { limit: 1 })).data).toHaveLength(1);
      const ofOther = read(other.ctx);
      await until(async () => (await waiting()) === share + 1, { what: "the other's turn" });
      return [...ofBusy, ofOther];
    });
    for (const csv of await Promise.all(asked)) expect(csv).toContain("ada@example.com");
  },
  30_000,
);
