import { beforeAll, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { doors, type Sent } from "@/lib/doors/http/contract/doors";
import { env } from "@/lib/ground/env/env";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, sessionCookie, type TestProject } from "@/lib/testing";

/* What the dashboard may ask besides what the API offers: sessions alone. */
const database = useTestDatabase();
let project: TestProject;
let cookie: string;

beforeAll(async () => {
  project = await makeProject(database.db);
  cookie = await sessionCookie(database.db, project.userId);
  await upsertContact(project.ctx, { email: "left@example.com", subscribed: false });
  await upsertContact(project.ctx, { email: "reads@example.com", subscribed: true });
});

const bySession = (sent: Pick<Sent, "method" | "path" | "body">) =>
  doors.hono({
    ...sent,
    path: `/api/dashboard/${encodeId("project", project.projectId)}${sent.path}`,
    headers: { cookie, origin: env().APP_URL },
  });
const byKey = (sent: Pick<Sent, "method" | "path" | "body">) =>
  doors.hono({ ...sent, headers: { authorization: `Bearer ${project.apiKey}` } });

test.each(["state=unsubscribed", "startDate=2001-01-01", "endDate=2001-01-01"])(
  "GET /v1/contacts?%s",
  async (query) => {
    for (const path of ["/v1/contacts", "/v1/contacts/export"]) {
      const sent = { method: "GET", path: `${path}?${query}` };
      expect((await bySession(sent)).status).toBe(200);
      expect(await byKey(sent)).toMatchObject({ status: 400 });
    }
  },
);

test.each(["event=handed_over", "provider=Google"])("GET /v1/emails?%s", async (query) => {
  const sent = { method: "GET", path: `/v1/emails?${query}` };
  expect(await bySession(sent)).toMatchObject({ status: 200, body: { data: [] } });
  expect(await byKey(sent)).toMatchObject({ status: 400 });
});

test("an export is followed by the session that began it, and keys know nothing of that", async () => {
  const paths = ["contacts/export", "contacts/subscription-history", "suppressions/export"];
  for (const [number, path] of [...paths, "audit/export", "project/export"].entries()) {
    const id = `followed-by-a-test-${number}`;
    const sent = { method: "GET", path: `/v1/${path}?progress=${id}` };
    const progress = { method: "GET", path: `/v1/exports/${id}` };
    expect((await bySession(progress)).status).toBe(404);
    expect((await bySession(sent)).status).toBe(200);
    expect(await bySession(progress)).toMatchObject({ status: 200, body: { state: "DONE" } });
    expect((await byKey(sent)).status).toBe(paths.includes(path) ? 400 : 403);
    expect((await byKey(progress)).status).toBe(403);
    const plain = { method: "GET", path: `/v1/${path}` };
    expect((await byKey(plain)).status).toBe(paths.includes(path) ? 200 : 403);
    expect(await bySession({ ...sent, path: `/v1/${path}?progress=short` })).toMatchObject({
      status: 400,
    });
  }
});

test("a value that a filter does not take is refused to sessions, too", async () => {
  for (const path of [
    ...["contacts?state=happy", "contacts?startDate=soon", "contacts?else=1"],
    // What only a campaign has.
    ...["emails?variant=F", "emails?variant=A", "emails?link=https://a.example/"],
  ]) {
    const sent = { method: "GET", path: `/v1/${path}` };
    expect(await bySession(sent)).toMatchObject({ status: 400 });
  }
});

test("a change of all that match", async () => {
  const sent = {
    method: "POST",
    path: "/v1/contacts/changes/preview",
    body: { action: "delete", filter: { state: "unsubscribed" } },
  };
  expect(await bySession(sent)).toMatchObject({ status: 200, body: { contacts: 1 } });
  expect(await byKey(sent)).toMatchObject({ status: 400 });
});
