import { sql } from "drizzle-orm";
import { expect, it, vi } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newId } from "@/lib/ground/ids/ids";
import { ProcessPool } from "@/lib/ground/processes/process-pool";
import { makeProject } from "@/lib/testing";
import { send } from "@/lib/testing/delivery";
import { composeContent } from "./compose-content";
import { MessageContents } from "./message-contents";

const database = useTestDatabase();

/** Makes mail of a message as it is loaded to be sent, for anybody. */
async function mailOf(data: Record<string, unknown>, body: string) {
  const { ctx, projectId } = await makeProject(database.db);
  const tracking = { opens: false, clicks: false };
  await send(ctx, {
    ...{ from: "hello@sandbox.test", subject: "Hello {{ firm }}", body, data, tracking },
  });
  const [row] = await database.db.execute<{ id: string }>(
    sql`select id from messages where project_id = ${projectId}`,
  );
  const contents = new MessageContents(database.db);
  const message = await contents.get(row?.id ?? "");
  if (!message) throw new Error("There is no such message.");
  const compose = (firstName: string) =>
    composeContent(
      message,
      {
        ...{ id: newId(projectId), projectId, messageId: message.id, campaignId: null },
        ...{ recipient: "x@example.com", recipientName: "", source: "TRANSACTIONAL" },
        ...{ createdAt: new Date(0), date: new Date(0), listFields: null, joinedBy: null },
        contact: {
          ...{ email: "x@example.com", firstName, lastName: "Own", tags: [] },
          data: { plan: "own", firm: "own", data: "never" },
        },
      },
      contents,
    );
  return { message, compose };
}

it("what a request gives its template goes to a process once, whatever the number of recipients", async () => {
  const data = { x: "x".repeat(1_000_000), plan: "given" };
  const { message, compose } = await mailOf(
    data,
    "{% if x %}<p>{{ firstName }} {{ plan }}</p>{% endif %}",
  );
  const run = vi.spyOn(ProcessPool.prototype, "run");
  const mails = await Promise.all(Array.from({ length: 100 }, (_, n) => compose(`n${n}`)));
  const tasks = run.mock.calls.map(([task]) => task);
  run.mockRestore();
  // What is shared is sent to a process once, and known by its identity.
  expect(new Set(tasks.map(({ shared }) => shared)).size).toBe(1);
  expect(JSON.stringify(tasks[0]?.shared).length).toBeGreaterThan(1_000_000);
  expect(tasks).toHaveLength(100);
  for (const { input } of tasks) expect(JSON.stringify(input).length).toBeLessThan(2_000);
  expect(mails.map(({ html }) => html)).toEqual(
    Array.from({ length: 100 }, (_, n) => `<p>n${n} given</p>`),
  );
  expect(message.bytes).toBeGreaterThan(1_000_000);
});

it.each([
  ["on the loop", ""],
  ["in a process", "{% if true %}{% endif %}"],
])(
  "what a request gives its template overrides the person's, under both names: %s",
  async (_, tag) => {
    const { compose } = await mailOf(
      { firm: "given", lastName: "Given", unsubscribeUrl: "given" },
      `${tag}{{ firm }} {{ data.firm }} {{ lastName }} {{ data.plan }} {{ plan }} {{ unsubscribeUrl }} {{ data.data }}`,
    );
    const { subject, html } = await compose("Ada");
    expect(subject).toBe("Hello given");
    expect(html).toBe("given given Given own own given never");
  },
);
