import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { attachmentBlobs, relayedMessages } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject, type TestProject } from "@/lib/testing";
import { acceptRelayed } from "./relay";

const database = useTestDatabase();

let sent = 0;
function relay({ ctx }: TestProject, more: { headerId?: string; from?: string; size?: number }) {
  const raw = Buffer.from(`Subject: ${++sent}\r\n\r\n${"x".repeat(more.size ?? 10)}`);
  return acceptRelayed(
    ctx,
    {
      from: { email: more.from ?? "a@sandbox.test" },
      subject: "Hi",
      headerId: more.headerId ?? null,
      raw,
      fingerprint: raw,
    },
    {
      recipients: [{ email: `p${sent}@example.com`, name: "" }],
      idempotencyKey: null,
      client: "shop ([192.0.2.1])",
    },
  );
}

const blobsOf = async ({ projectId }: TestProject) =>
  database.db
    .select({ bytes: sql<number>`length(${attachmentBlobs.content})` })
    .from(attachmentBlobs)
    .where(eq(attachmentBlobs.projectId, projectId));

test("messages at one time are each kept whole, and one of them has the Message-ID", async () => {
  const [project, neighbour] = [await makeProject(database.db), await makeProject(database.db)];
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      relay(n % 2 ? neighbour : project, { headerId: "same@client.example" }),
    ),
  );
  expect(new Set(results.map(({ result: [id] }) => id)).size).toBe(20);
  for (const { projectId } of [project, neighbour]) {
    const rows = await database.db
      .select({ headerId: relayedMessages.headerId })
      .from(relayedMessages)
      .where(eq(relayedMessages.projectId, projectId));
    expect(rows).toHaveLength(10);
    expect(rows.filter(({ headerId }) => headerId !== null)).toHaveLength(1);
  }
  expect(await blobsOf(project)).toHaveLength(10);
});

test("of a message that is refused nothing is kept, and its neighbours are", async () => {
  const project = await makeProject(database.db);
  const results = await Promise.allSettled([
    relay(project, {}),
    relay(project, { from: "a@not-verified.example" }),
    relay(project, { size: 300_000 }),
    relay(project, {}),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(results[1]).toMatchObject({ reason: { code: "DOMAIN_NOT_VERIFIED" } });
  const bytes = (await blobsOf(project)).map((blob) => blob.bytes > 300_000);
  expect(bytes.toSorted()).toEqual([false, false, true]);
});
