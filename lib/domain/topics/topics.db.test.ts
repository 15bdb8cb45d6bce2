import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { createTopic, getTopic, listTopics, updateTopic } from "./topics";

const database = useTestDatabase();

test("a project has fifty topics, however many ask for the last one", async () => {
  const { ctx } = await makeProject(database.db);
  for (let n = 0; n < 48; n++) await createTopic(ctx, { name: `Topic ${n}`, description: "" });
  const asked = Array.from({ length: 6 }, (_, n) => `Late ${n}`);
  const outcomes = await Promise.allSettled(
    asked.map((name) => createTopic(ctx, { name, description: "" })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect((await listTopics(ctx)).data).toHaveLength(50);
});

test("what is based on an older version is refused, and each version is told from the last", async () => {
  const { ctx } = await makeProject(database.db);
  const { id, updatedAt } = await createTopic(ctx, { name: "News" });
  const first = await updateTopic(ctx, id, { name: "Product news", basedOn: updatedAt });
  expect(first.updatedAt > updatedAt).toBe(true);
  await expect(
    updateTopic(ctx, id, { description: "Monthly", basedOn: updatedAt }),
  ).rejects.toMatchObject({ code: "CONFLICT", details: [{ path: "basedOn" }] });
  await updateTopic(ctx, id, { description: "Monthly", basedOn: first.updatedAt });
  expect(await getTopic(ctx, id)).toMatchObject({ name: "Product news", description: "Monthly" });
  await updateTopic(ctx, id, { name: "News" });
  expect(await getTopic(ctx, id)).toMatchObject({ name: "News", description: "Monthly" });
});
