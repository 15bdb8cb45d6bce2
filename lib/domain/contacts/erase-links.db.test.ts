import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
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

describe("a link that is others' as well", () => {
  const url = "https://shop.example/by?author=ada@example.com&page=1";
  const tracked = `${url}&utm_source=news`;

  /** A message to Ada and Grace that says `html`, with a link to each URL; those that are left once Ada is deleted. */
  async function shared({ html, clicked = false, alone = false }: Shared): Promise<string[]> {
    const { ctx, projectId } = await makeProject(database.db);
    const { contact } = await upsertContact(ctx, { email: "ada@example.com" });
    const message = newId(projectId);
    const [hers, others] = [newId(projectId), newId(projectId)];
    await database.db.execute(sql`
      with message as (
        insert into messages (id, project_id, from_email, subject, html)
        values (${message}, ${projectId}, 'news@sandbox.test', 'Hello', ${html})
      ), link as (
        insert into links (id, project_id, message_id, url)
        select n, ${projectId}, ${message}, url from unnest(
          array[${tracked}, 'https://shop.example/?e=ada@example.com']::text[],
          array[hashtext(${message}), hashtext(${message}) - 1]::bigint[]) as given(url, n)
        returning id
      ), click as (
        insert into link_clicks (email_id, link_id)
        select ${others}::uuid, max(id) from link where ${clicked} having max(id) is not null
      ) insert into emails (id, project_id, message_id, recipient, source, status)
      select id, ${projectId}, ${message}, address, 'TRANSACTIONAL', 'SENT'
      from unnest(array[${hers}, ${others}]::uuid[], array[${contact.email}, 'grace@example.com']) as given(id, address)
      where not ${alone} or id = ${hers}`);
    await deleteContact(ctx, "ada@example.com");
    const left = await database.db.execute<{ url: string }>(
      sql`select url from links where message_id = ${message} order by id`,
    );
    return left.map((row) => row.url);
  }
  interface Shared {
    html: string;
    clicked?: boolean;
    alone?: boolean;
  }

  test("leads on where the message itself has it", async () => {
    const html = `<a href="${url.replace("&", "&amp;")}">Ada</a><a href="https://shop.example/?e={{ email }}">You</a>`;
    expect(await shared({ html })).toEqual([tracked]);
    expect(await shared({ html, alone: true })).toEqual([]);
  });

  test("leads on where others have followed it", async () => {
    expect(await shared({ html: "<p>{{ all }}</p>" })).toEqual([]);
    expect(await shared({ html: "<p>{{ all }}</p>", clicked: true })).toEqual([tracked]);
  });
});
