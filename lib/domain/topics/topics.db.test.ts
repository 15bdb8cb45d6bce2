import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { createTopic, listTopics } from "./topics";

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
