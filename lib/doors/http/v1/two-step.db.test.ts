import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { projects } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { doors } from "@/lib/doors/http/contract/doors";
import { pathWith } from "@/lib/doors/http/contract/example";
import { examples } from "@/lib/doors/http/contract/examples";
import type { AnyOperation } from "@/lib/doors/http/surface/operation";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "@/lib/testing";
import { bearerOperations } from "./operations";

const database = useTestDatabase();

test("a member who lacks it is refused by every operation but those that switch it on", async () => {
  const { projectId, userId, apiKey } = await makeProject(database.db);
  await database.db
    .update(projects)
    .set({ requiresTwoStep: true, requestsPerTenSeconds: 100_000 })
    .where(eq(projects.id, projectId));
  const cookie = await sessionCookie(database.db, userId);
  const answered: string[] = [];
  for (const { name, method, path } of bearerOperations as readonly AnyOperation[]) {
    const target = pathWith(path, { id: examples[name]?.unknownId ?? "nonsense" });
    const { status, text } = await doors.hono({
      method: method.toUpperCase(),
      path: `/api/dashboard/${encodeId("project", projectId)}${target}`,
      headers: { cookie, origin: env().APP_URL },
      ...(method === "get" ? {} : { body: {} }),
    });
    if (status === 403) expect(text).toContain("two-step sign-in");
    else answered.push(name);
  }
  expect(answered.toSorted()).toEqual([
    "beginSecondFactor",
    "confirmSecondFactor",
    "disableSecondFactor",
    "getSecondFactor",
    "renewRecoveryCodes",
  ]);
  // Programs are not asked.
  const key = await doors.hono({
    method: "GET",
    path: "/v1/contacts",
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(key.status).toBe(200);
});
