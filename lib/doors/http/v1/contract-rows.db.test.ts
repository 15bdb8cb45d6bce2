import { expect, describe, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { dispatchDue } from "@/lib/testing/delivery";
import { mail, useSendingProject } from "@/lib/testing/bearer";

const database = useTestDatabase();
const sending = useSendingProject(database);
const { ask } = sending;

const subscribed = async (email: string) =>
  (await ask("GET", `/v1/contacts/${email}`)).body.subscribed as boolean;
const send = async (fields: object) => {
  const answer = await ask("POST", "/v1/send", { ...mail, ...fields });
  expect(answer.status).toBe(200);
  return answer.body.data.emails[0].email as string;
};

describe("Contact subscription", () => {
  test.each([true, false])("POST /v1/send with `subscribed` %s, any contact", async (given) => {
    const fresh = `send-${given}@example.com`;
    await send({ to: fresh, subscribed: given });
    expect(await subscribed(fresh)).toBe(given);
    await send({ to: fresh, subscribed: !given });
    await send({ to: fresh, subscribed: given });
    expect(await subscribed(fresh)).toBe(given);
  });

  test.each([true, false])(
    "POST /v1/send without `subscribed`, contact exists (subscribed %s): kept",
    async (state) => {
      const email = `kept-${state}@example.com`;
      await ask("POST", "/v1/contacts", { email, unsubscribed: !state });
      await send({ to: email });
      expect(await subscribed(email)).toBe(state);
    },
  );

  test("POST /v1/send without `subscribed`, contact is new: unsubscribed", async () => {
    await send({ to: "new@example.com" });
    expect(await subscribed("new@example.com")).toBe(false);
  });

  test("POST /contacts with `unsubscribed` true, any contact: unsubscribed", async () => {
    for (const path of ["/contacts", "/v1/contacts"]) {
      await ask("POST", path, { email: "leaver@example.com", unsubscribed: false });
      await ask("POST", path, { email: "leaver@example.com", unsubscribed: true });
      expect(await subscribed("leaver@example.com")).toBe(false);
    }
  });
});

describe("Email record", () => {
  test("GET /emails/:id: every field of the table, times null until their step", async () => {
    const id = await send({ to: "delivered+row@sandbox.test", subject: "Row" });
    const waiting = (await ask("GET", `/emails/${id}`)).body.email;
    expect(waiting).toMatchObject({
      id,
      subject: "Row",
      from: "hello@sandbox.test",
      fromName: "",
      status: "PENDING",
      opens: 0,
      clicks: 0,
      contact: { email: "delivered+row@sandbox.test" },
      template: null,
    });
    const times = ["sentAt", "deliveredAt", "openedAt", "clickedAt", "bouncedAt", "complainedAt"];
    for (const time of times) expect(waiting[time]).toBeNull();
    await dispatchDue({ db: database.db, transport: null });
    const done = (await ask("GET", `/v1/emails/${id}`)).body.email;
    expect(done.status).toBe("DELIVERED");
    expect(Date.parse(done.deliveredAt as string)).not.toBeNaN();
    const names = (done.events as { name: string; data: object; createdAt: string }[]).map(
      ({ name }) => name,
    );
    expect(names).toContain("delivered");
  });
});

describe("Templates", () => {
  test("GET /templates by page and pageSize; POST, GET, PUT, DELETE as the table says", async () => {
    const input = { name: "Welcome", subject: "Hi {{ firstName }}", body: "<p>Hi</p>" };
    const created = await ask("POST", "/templates", input);
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    expect((await ask("GET", `/templates/${id.replace("tpl_", "tmpl_")}`)).body).toMatchObject(
      input,
    );
    expect(
      (await ask("PUT", `/templates/${id}`, { ...input, subject: "Hello" })).body.subject,
    ).toBe("Hello");
    const page = (await ask("GET", "/templates?page=1&pageSize=1")).body;
    expect(page).toMatchObject({ page: 1, pageSize: 1 });
    expect(page.data).toHaveLength(1);
    for (const field of Object.keys(input)) {
      expect((await ask("POST", "/templates", { ...input, [field]: undefined })).status).toBe(400);
    }
    expect((await ask("DELETE", `/templates/${id}`)).status).toBe(204);
    expect((await ask("GET", `/templates/${id}`)).status).toBe(404);
  });
});

describe("GET /emails", () => {
  test("status, source, search, startDate, endDate and cursor; data of id, subject, status, sentAt, contact", async () => {
    const id = await send({ to: "delivered+filter@sandbox.test" });
    const list = async (query: string) =>
      (await ask("GET", `/emails?${query}`)).body as {
        data: { id: string }[];
        nextCursor?: string;
      };
    const today = new Date().toISOString().slice(0, 10);
    const page = await list(
      `status=PENDING&source=TRANSACTIONAL&search=FILTER&startDate=${today}&endDate=${today}`,
    );
    expect(page.data).toMatchObject([
      {
        id,
        subject: "Hello",
        status: "PENDING",
        sentAt: null,
        contact: { email: "delivered+filter@sandbox.test" },
      },
    ]);
    for (const query of ["status=FAILED", "source=CAMPAIGN", "endDate=2001-01-01"]) {
      expect((await list(`search=filter&${query}`)).data).toEqual([]);
    }
    const first = await list("limit=1");
    const second = await list(`limit=1&cursor=${first.nextCursor ?? ""}`);
    expect(second.data[0]?.id).not.toBe(first.data[0]?.id);
  });
});

describe("Contacts and segments", () => {
  test("List: data of {id, email, subscribed} and nextCursor", async () => {
    for (const email of ["l1@example.com", "l2@example.com"]) {
      await ask("POST", "/contacts", { email });
    }
    const { data, nextCursor } = (await ask("GET", "/contacts?limit=1")).body;
    expect(data).toMatchObject([{ email: "l2@example.com", subscribed: true }]);
    expect(data[0].id).toMatch(/^con_/);
    const next = (await ask("GET", `/contacts?limit=1&cursor=${nextCursor as string}`)).body;
    expect(next.data[0].email).toBe("l1@example.com");
  });

  test("GET /segments and /segments/:id: id, name, filter, contactCount, createdAt", async () => {
    const filter = { and: [{ field: "email", op: "eq", value: "l1@example.com" }] };
    const { id } = (await ask("POST", "/segments", { name: "One", filter })).body as { id: string };
    expect(id).toMatch(/^seg_/);
    const segment = (await ask("GET", `/segments/${id}`)).body;
    expect(segment).toMatchObject({ id, name: "One", filter, contactCount: 1 });
    const { data } = (await ask("GET", "/segments")).body as { data: { id: string }[] };
    expect(data.map((segment) => segment.id)).toContain(id);
  });
});

describe("Webhooks", () => {
  test("a delivery is read and retried below its webhook and by its id alone, not below another", async () => {
    const create = async () =>
      (await ask("POST", "/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["*"] })).body
        .id as string;
    const [own, other] = [await create(), await create()];
    const { id } = (await ask("POST", `/v1/webhooks/${own}/test`)).body as { id: string };
    for (const path of [`/v1/webhooks/${own}/deliveries/${id}`, `/v1/webhooks/deliveries/${id}`]) {
      expect((await ask("GET", path)).body).toMatchObject({ id, webhookId: own });
      expect((await ask("POST", `${path}/retry`)).body).toMatchObject({ id, status: "PENDING" });
    }
    for (const elsewhere of [other, "wh_nonsense"]) {
      const path = `/v1/webhooks/${elsewhere}/deliveries/${id}`;
      expect((await ask("GET", path)).status).toBe(404);
      expect((await ask("POST", `${path}/retry`)).status).toBe(404);
    }
  });
});
