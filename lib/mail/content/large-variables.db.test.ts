import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { cpuClock } from "@/lib/testing/cpu-time";
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
        ...{ createdAt: new Date(0), listFields: null, joinedBy: null },
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
  // The processes start in their own time.
  await compose("first");
  const used = cpuClock();
  const mails = await Promise.all(Array.from({ length: 100 }, (_, n) => compose(`n${n}`)));
  // As a part of each recipient's variables, twice, it took 228 ms.
  expect(used()).toBeLessThan(150);
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
