import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { createApiKey } from "@/lib/domain/api-keys/api-keys";
import { advance } from "@/lib/testing/campaigns";
import { makeProject, type TestProject } from "@/lib/testing";
import { bearerClient } from "@/lib/testing/bearer";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof bearerClient>;

beforeEach(async () => {
  project = await makeProject(database.db);
  await database.db.update(apiKeys).set({ requestsPerTenSeconds: 1_000_000 });
  ask = bearerClient(project.apiKey);
});

const fields = {
  name: "Launch",
  subject: "We are live",
  from: "hello@sandbox.test",
  fromName: "Example",
};
const draft = async (more: object = { body: "<p>Hi</p>" }) =>
  ask("POST", "/v1/campaigns", { ...fields, ...more });

describe("the contract's campaign operations", () => {
  test.each(["body", "htmlBody"])("POST /v1/campaigns with %s: a draft", async (name) => {
    const { status, body } = await draft({ [name]: "<p>Hi</p>" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...fields, status: "DRAFT", body: "<p>Hi</p>", segmentId: null });
    expect(body.id).toMatch(/^cmp_/);
  });

  test("POST /v1/campaigns with a segmentId, and another one on update", async () => {
    const make = async (plan: string) => {
      const filter = { and: [{ field: "data.plan", op: "eq", value: plan }] };
      return (await ask("POST", "/segments", { name: plan, filter })).body.id as string;
    };
    const [pro, free] = [await make("pro"), await make("free")];
    const created = await draft({ body: "<p>Hi</p>", segmentId: pro });
    expect(created.body.segmentId).toBe(pro);
    const path = `/v1/campaigns/${created.body.id}`;
    expect((await ask("PUT", path, { segmentId: free })).body.segmentId).toBe(free);
    expect((await ask("PATCH", path, { segmentId: null })).body.segmentId).toBeNull();
    const used = await ask("PATCH", path, { segmentId: pro });
    expect(used.status).toBe(200);
    // A segment that does not exist is the same 404 as any other.
    expect((await ask("PATCH", path, { segmentId: "seg_nothing" })).status).toBe(404);
    // Neither is an empty one, which would let it go to everybody.
    for (const name of ["segmentId", "listId", "templateId", "topicId"]) {
      expect((await draft({ body: "<p>Hi</p>", [name]: "" })).status, name).not.toBe(201);
      expect((await ask("PATCH", path, { [name]: "" })).status, name).not.toBe(200);
    }
  });

  test("POST /v1/campaigns/{id}/send: it is sent, once, from a draft on", async () => {
    const { body } = await draft();
    const sent = await ask("POST", `/v1/campaigns/${body.id}/send`);
    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({ status: "SENDING", startedAt: expect.any(String) });
    const again = await ask("POST", `/campaigns/${body.id}/send`);
    expect([again.status, again.body.error.code]).toEqual([409, "CONFLICT"]);
  });

  test("POST /v1/campaigns/{id}/send from a domain that is not verified: 403", async () => {
    const { body } = await draft({ body: "<p>Hi</p>", from: "hello@unknown.example" });
    const sent = await ask("POST", `/v1/campaigns/${body.id}/send`);
    expect([sent.status, sent.body.error.code]).toEqual([403, "DOMAIN_NOT_VERIFIED"]);
  });

  test("GET /v1/campaigns/{id}: the campaign with its stats", async () => {
    const { body } = await draft();
    const { status, body: got } = await ask("GET", `/v1/campaigns/${body.id}`);
    expect(status).toBe(200);
    expect(Object.keys(got.stats as object).sort()).toEqual(
      [
        ...["recipients", "pending", "sent", "delivered", "opened", "clicked", "bounced"],
        ...["complained", "unsubscribed", "failed", "deliveryRate", "bounceRate", "openRate"],
        ...["clickRate", "complaintRate", "unsubscribeRate", "machineOpens", "machineClicks"],
        ...["deliveryConfirmed", "links"],
      ].sort(),
    );
  });

  test("GET /v1/campaigns?status=: those in that state, by cursor", async () => {
    for (let drafts = 0; drafts < 3; drafts++) await draft();
    const cancelled = (await draft()).body.id as string;
    await ask("POST", `/v1/campaigns/${cancelled}/cancel`);
    const first = await ask("GET", "/v1/campaigns?status=DRAFT&limit=2");
    expect(first.body.data).toHaveLength(2);
    const cursor = encodeURIComponent(first.body.nextCursor as string);
    const rest = await ask("GET", `/v1/campaigns?status=DRAFT&limit=2&cursor=${cursor}`);
    expect(rest.body.data).toHaveLength(1);
    expect(rest.body).not.toHaveProperty("nextCursor");
    const others = await ask("GET", "/campaigns?status=CANCELLED");
    expect(others.body.data).toEqual([expect.objectContaining({ id: cancelled })]);
  });

  test("POST /v1/campaigns with abTest: 2 to 5 variants; the result stands in GET while it runs", async () => {
    const variants = ["One", "Two", "Three"].map((subject) => ({ subject }));
    const six = await draft({
      body: "<p>Hi</p>",
      abTest: { variants: [...variants, ...variants] },
    });
    expect([six.status, six.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(six.body.error.details[0].path).toBe("abTest.variants");
    for (const name of ["a", "b", "c", "d"]) {
      const email = `delivered+${name}@sandbox.test`;
      await ask("POST", "/v1/contacts", { email, unsubscribed: false });
    }
    const created = await draft({ body: "<p>Hi</p>", abTest: { variants } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      subject: "One",
      abTest: { variants, testPercentage: 20 },
    });
    const path = `/v1/campaigns/${created.body.id}`;
    // What GET gives of the test is taken back as it is.
    const again = await ask("PATCH", path, { abTest: created.body.abTest });
    expect([again.status, again.body.abTest]).toEqual([200, created.body.abTest]);
    const early = await ask("POST", `${path}/winner`, { variant: "B" });
    expect([early.status, early.body.error.code]).toEqual([409, "CONFLICT"]);
    await ask("POST", `${path}/send`);
    await advance(database.db);
    const running = (await ask("GET", path)).body;
    expect(running).toMatchObject({
      status: "SENDING",
      abTestPhase: "testing",
      abTestResult: { testRecipients: 3, winner: null, outcome: null },
    });
    expect(running.abTestResult.variants).toMatchObject([
      { variant: "A", subject: "One", recipients: 1, sent: 0 },
      { variant: "B", subject: "Two", recipients: 1, sent: 0 },
      { variant: "C", subject: "Three", recipients: 1, sent: 0 },
    ]);
    for (const variant of ["D", "F", 2, null]) {
      const refused = await ask("POST", `${path}/winner`, { variant });
      expect([refused.status, refused.body.error.details[0].path]).toEqual([400, "variant"]);
    }
    const chosen = await ask("POST", `${path}/winner`, { variant: "B" });
    expect(chosen.status).toBe(200);
    expect(chosen.body).toMatchObject({
      abTestPhase: "sending_winner",
      abTestResult: { winner: "B", outcome: "chosen_by_hand" },
    });
  });

  test("a key that may only send email sends no campaign", async () => {
    const { body } = await draft();
    const { key } = await createApiKey(project.ctx, {
      name: "S",
      scope: "sending",
      mode: "live",
    });
    const sent = await bearerClient(key)("POST", `/v1/campaigns/${body.id}/send`);
    expect([sent.status, sent.body.error.code]).toEqual([403, "NOT_ALLOWED"]);
  });
});
