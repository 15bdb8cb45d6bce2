import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { viewerHeader } from "@/lib/doors/http/client";
import { doors } from "@/lib/doors/http/contract/doors";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie } from "@/lib/testing";

const database = useTestDatabase();

test("a page that was made for somebody else neither reads nor writes with the session that is there now", async () => {
  const { projectId, userId, apiKey } = await makeProject(database.db);
  const ann = encodeId("user", (await makeProject(database.db)).userId);
  const ben = encodeId("user", userId);
  const cookie = await sessionCookie(database.db, userId);
  const ask = async (viewer: string | null, method: "GET" | "PATCH") => {
    const { status, text } = await doors.hono({
      method,
      path: `/api/dashboard/${encodeId("project", projectId)}/v1/project`,
      headers: {
        cookie,
        origin: env().APP_URL,
        ...(viewer === null ? {} : { [viewerHeader]: viewer }),
      },
      ...(method === "GET" ? {} : { body: { mailReason: `Said by ${viewer ?? "nobody"}.` } }),
    });
    const answer = JSON.parse(text) as {
      mailReason?: string;
      error?: { code: string; details?: { path: string }[] };
    };
    return { status, ...answer };
  };
  for (const method of ["GET", "PATCH"] as const) {
    for (const viewer of [ann, "nonsense", encodeId("project", projectId), ""]) {
      const { status, error } = await ask(viewer, method);
      expect(status, viewer).toBe(401);
      expect(error).toMatchObject({ code: "MISSING_AUTH", details: [{ path: "viewer" }] });
    }
  }
  expect((await ask(ben, "GET")).mailReason).not.toContain("Said by");
  expect(await ask(ben, "PATCH")).toMatchObject({ status: 200, mailReason: `Said by ${ben}.` });
  expect((await ask(null, "GET")).status).toBe(200);
  // Keys have no viewer.
  const key = await doors.hono({
    method: "GET",
    path: "/v1/contacts",
    headers: { authorization: `Bearer ${apiKey}`, [viewerHeader]: ann },
  });
  expect(key.status).toBe(200);
});
