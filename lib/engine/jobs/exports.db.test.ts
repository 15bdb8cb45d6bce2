import { expect, test } from "vitest";
import { exportProgress } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { followExport } from "@/lib/domain/exports/exports";
import { makeProject } from "@/lib/testing";
import { cleanUp } from "./cleanup";

const database = useTestDatabase();

test("how far exports were is forgotten after a day", async () => {
  const { ctx, userId } = await makeProject(database.db);
  const user = { ...ctx, actor: { type: "user" as const, id: userId } };
  const give = async (id: string) => {
    const file = () => Promise.resolve(new Blob(["email"]).stream());
    await new Response(await followExport(user, id, file)).text();
  };
  await give("an-old-export-of-tests");
  await database.travel("23 hours");
  await give("a-new-export-of-tests");
  await database.travel("2 hours");
  const { exports: deleted } = await cleanUp(database.db, AbortSignal.timeout(20_000));
  expect(deleted).toBe(1);
  expect(await database.db.select({ id: exportProgress.id }).from(exportProgress)).toEqual([
    { id: "a-new-export-of-tests" },
  ]);
});
