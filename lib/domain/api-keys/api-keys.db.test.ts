import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";

const database = useTestDatabase();

test("whoever has a test key makes test keys, and no key whose mail leaves", async () => {
  const { apiKey, projectId } = await makeProject(database.db);
  const live = bearerClient(apiKey);
  const { key } = (await live("POST", "/v1/api-keys", { name: "CI", mode: "test" })).body as {
    key: string;
  };
  const ask = bearerClient(key);
  const refused = await ask("POST", "/v1/api-keys", { name: "Mine", mode: "live" });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "NOT_ALLOWED" } } });
  for (const more of [{}, { mode: "test" }, { scope: "sending" }]) {
    const made = await ask("POST", "/v1/api-keys", { name: "Another", ...more });
    expect(made).toMatchObject({ status: 201, body: { mode: "test" } });
  }
  const kept = await database.db.select().from(apiKeys).where(eq(apiKeys.projectId, projectId));
  expect(kept.map(({ name, mode }) => [name, mode]).filter(([, mode]) => mode === "live")).toEqual([
    ["Test", "live"],
  ]);
  // As with a live key, which chooses.
  expect((await live("POST", "/v1/api-keys", { name: "Shop" })).body).toMatchObject({
    mode: "live",
  });
});
