import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { domains } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { makeProject } from "@/lib/testing";
import { send, verifiedDomain } from "@/lib/testing/delivery";
import { MessageContents } from "./message-contents";

const database = useTestDatabase();

/** A project whose mail waits; answers its message's uuid. */
async function waiting(domain: string) {
  const { ctx, projectId } = await makeProject(database.db);
  await verifiedDomain(database.db, projectId, domain);
  await send(ctx, { from: `hello@${domain}`, subject: "Hello", body: "<p>Hello</p>" });
  const [row] = await database.db.execute<{ id: string }>(
    sql`select id from messages where project_id = ${projectId}`,
  );
  return row?.id ?? "";
}

test("a domain's key that cannot be opened stops no mail that is loaded with its own", async () => {
  const [broken, other] = [await waiting("broken.test"), await waiting("fine.test")];
  await database.db
    .update(domains)
    .set({ dkimPrivateKeySealed: "AAAA" })
    .where(eq(domains.name, "broken.test"));
  const contents = new MessageContents(database.db);
  const [one, another] = await Promise.all([contents.get(broken), contents.get(other)]);
  expect(another?.domain?.key.privateKey.asymmetricKeyType).toBe("rsa");
  expect(() => one?.domain?.key.privateKey).toThrow();
});
