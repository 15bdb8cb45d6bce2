import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { newId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { deleteContact } from "./delete";
import { upsertContact } from "./upsert";

const database = useTestDatabase();

/** The links that are left of those in a message to `email` once the person is deleted. */
async function leftOf(email: string, urls: readonly string[]): Promise<string[]> {
  const { ctx, projectId } = await makeProject(database.db);
  const { contact } = await upsertContact(ctx, { email });
  const message = newId(projectId);
  await database.db.execute(sql`
    with message as (
      insert into messages (id, project_id, from_email, subject)
      values (${message}, ${projectId}, 'news@sandbox.test', 'Hello') returning id
    ) insert into emails (id, project_id, message_id, recipient, source, status)
    select ${newId(projectId)}::uuid, ${projectId}::uuid, message.id, ${contact.email}, 'TRANSACTIONAL', 'SENT'
    from message`);
  await database.db.execute(sql`
    insert into links (project_id, message_id, url)
    select ${projectId}::uuid, ${message}::uuid, url
    from unnest(${sql.param(urls)}::text[]) url`);
  await deleteContact(ctx, email);
  const left = await database.db.execute<{ url: string }>(
    sql`select url from links where message_id = ${message} order by id`,
  );
  return left.map(({ url }) => url);
}

test("links that hold the address go with the person, however it is written", async () => {
  const urls = [
    "https://shop.example/?e=ada.b+tea@example.com",
    "https://shop.example/?e=ADA.B%2Btea%40Example.com&page=2",
    "https://shop.example/?next=%2Fme%3Fe%3Dada.b%2Btea%40example.com",
    "https://shop.example/ada.b+tea@example.com/orders",
    "https://shop.example/?e=ada.b+tea@example.com.",
    "mailto:ada.b+tea@example.com",
  ];
  expect(await leftOf("ada.b+tea@example.com", urls)).toEqual([]);
});

test("links of people whose address is longer stay, and so do their clicks", async () => {
  const urls = [
    "https://shop.example/?e=grada@example.com",
    "https://shop.example/?e=gr.ada%40example.com",
    "https://shop.example/?e=gr%2Bada%40example.com",
    "https://shop.example/?e=ada@example.com.au",
    "https://shop.example/?e=ada@example.community",
    "https://shop.example/?e=ada@exampleXcom",
    "https://shop.example/",
  ];
  expect(await leftOf("ada@example.com", urls)).toEqual(urls);
});
