import { beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { makeProject, type TestProject } from "@/lib/testing";
import { doors, type Answer } from "@/lib/doors/http/contract/doors";

const database = useTestDatabase();
let project: TestProject;
beforeAll(async () => {
  project = await makeProject(database.db);
  await createDomain(project.ctx, { name: "pending.example" });
});
beforeEach(() => database.db.execute(sql`delete from rate_limits`));

const mail = { to: "a@sandbox.test", from: "hello@sandbox.test", subject: "x", body: "y" };

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const authorization = `Bearer ${project.apiKey}`;
  return doors.hono({ method: "POST", path, headers: { authorization, ...headers }, body });
}

const errorOf = ({ status, body }: Answer) => {
  const { error } = body as { error: { code: string; message: string; details?: object[] } };
  return { status, code: error.code, message: error.message, details: error.details };
};

const unknown = "01kat4rz8sfq3v6d1mpx3k6w9j";
test.each([
  ["/v1/send", { ...mail, template: `tpl_${unknown}` }, "template", "template"],
  ["/v1/send", { ...mail, templateId: "nonsense" }, "templateId", "template"],
  [
    "/v1/emails/batch",
    [mail, { ...mail, templateId: `tpl_${unknown}` }],
    "emails[1].templateId",
    "template",
  ],
  [
    "/v1/campaigns",
    { name: "x", incomplete: true, templateId: `tpl_${unknown}` },
    "templateId",
    "template",
  ],
  [
    "/v1/campaigns",
    { name: "x", incomplete: true, segmentId: `tpl_${unknown}` },
    "segmentId",
    "segment",
  ],
  ["/v1/campaigns", { name: "x", incomplete: true, listId: `lst_${unknown}` }, "listId", "list"],
])(
  "%s with a wrong id in its body is 404 that names the field (%#)",
  async (path, body, field, what) => {
    const message = `there is no such ${what} in this project`;
    expect(errorOf(await post(path, body))).toEqual({
      status: 404,
      code: "NOT_FOUND",
      message: `${field}: ${message}`,
      details: [{ path: field, message }],
    });
  },
);

test("a sender's domain that is not verified is absent or pending, and the item of a batch is named", async () => {
  const absent = errorOf(await post("/v1/send", { ...mail, from: "a@absent.example" }));
  expect(absent).toMatchObject({ status: 403, code: "DOMAIN_NOT_VERIFIED" });
  expect(absent.message).toMatch(/^from: .*absent\.example.*does not have it.*POST \/v1\/domains/);
  const items = [mail, mail, { ...mail, from: "a@pending.example" }];
  const pending = errorOf(await post("/v1/emails/batch", { emails: items }));
  expect(pending).toMatchObject({
    code: "DOMAIN_NOT_VERIFIED",
    details: [{ path: "emails[2].from" }],
  });
  expect(pending.message).toMatch(/^emails\[2\]\.from: .*PENDING.*verify/);
});

test.each(["Basic dXNlcjpwYXNz", "sk_live_bare", "Bearer", "Bearer two words"])(
  "an Authorization header of another form says what was expected: %s",
  async (authorization) => {
    const error = errorOf(await post("/v1/send", mail, { authorization }));
    expect(error).toMatchObject({ status: 401, code: "INVALID_API_KEY" });
    expect(error.message).toContain("Authorization: Bearer sk_live_");
  },
);

test("a test key's Idempotency-Key is not a live key's", async () => {
  const { key } = await createApiKey(project.ctx, { name: "T", scope: "full", mode: "test" });
  const once = { "idempotency-key": "order-1" };
  const tried = await post("/v1/send", mail, { ...once, authorization: `Bearer ${key}` });
  const live = await post("/v1/send", mail, once);
  expect([tried.status, live.status]).toEqual([200, 200]);
  expect(live.headers.get("idempotent-replayed")).toBeNull();
  expect(live.text).not.toBe(tried.text);
  const again = await post("/v1/send", mail, once);
  expect(again.headers.get("idempotent-replayed")).toBe("true");
});

test("a session cookie that cannot be read is no session", async () => {
  for (const cookie of ["next-auth.session-token=%zz", "next-auth.session-token=a.b.c", "=;;%"]) {
    const answer = await doors.hono({
      method: "GET",
      path: "/api/dashboard/prj_x/v1/emails",
      headers: { cookie },
    });
    expect(errorOf(answer)).toMatchObject({ status: 401, code: "MISSING_AUTH" });
  }
});
