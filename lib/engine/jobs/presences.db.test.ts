import { expect, test } from "vitest";
import { presences } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { tellPresence } from "@/lib/domain/presence/presence";
import { createTemplate } from "@/lib/domain/templates/templates";
import { makeProject } from "@/lib/testing";
import { cleanUp } from "./cleanup";

const database = useTestDatabase();

test("who had something open is forgotten after an hour", async () => {
  const { ctx } = await makeProject(database.db);
  const { id } = await createTemplate(ctx, { name: "A", subject: "A", body: "<p>A</p>" });
  await tellPresence(ctx, "template", id, { tab: "old" });
  await database.travel("50 minutes");
  await tellPresence(ctx, "template", id, { tab: "fresh" });
  await database.travel("20 minutes");
  const { presences: deleted } = await cleanUp(database.db, AbortSignal.timeout(20_000));
  expect(deleted).toBe(1);
  expect(await database.db.select({ tab: presences.tab }).from(presences)).toEqual([
    { tab: "fresh" },
  ]);
});
