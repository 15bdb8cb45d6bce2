import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getContact } from "@/lib/domain/contacts/contacts";
import { upsertContacts } from "@/lib/domain/contacts/upsert";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";
import { makeProject } from "@/lib/testing";
import { getImport, startImport } from "./imports";

/* Files as the products write them, by their documentation and sources. */

const database = useTestDatabase();

async function importing(
  text: string,
  options: { filename?: string; columns?: string; subscribed?: boolean } = {},
) {
  const { ctx } = await makeProject(database.db);
  await upsertContacts(ctx, [{ email: "known@example.com", subscribed: true }]);
  const { id } = await startImport(ctx, { file: Readable.from([Buffer.from(text)]), ...options });
  await takeOverImports(database.db, { signal: new AbortController().signal });
  return {
    done: await getImport(ctx, id),
    contact: (email: string) => getContact(ctx, email),
  };
}

describe("Mailchimp's export", () => {
  const common = "LEID,EUID,NOTES,TAGS";
  const begin =
    '"Email Address","First Name","Last Name",City,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,GMTOFF,DSTOFF,TIMEZONE,CC,REGION';
  const person = (email: string) =>
    `${email},Ada,Lovelace,London,4,"2024-02-01 09:00:00",192.0.2.20,"2024-02-01 09:05:00",192.0.2.21,0,1,Europe/London,GB,LND`;
  const end = '55331257,c9b2705335,,"""early, bird"",""vip"""';

  test("of subscribers subscribes them, with names, tags and when they signed up", async () => {
    const { done, contact } = await importing(
      `${begin},LAST_CHANGED,${common}\n${person("ada@example.com")},"2025-01-01 10:00:00",${end}\n`,
      { filename: "subscribed_email_audience_export_1a2b3c.csv" },
    );
    expect(done).toMatchObject({ status: "COMPLETED", created: 1, refused: 0 });
    expect(await contact("ada@example.com")).toMatchObject({
      subscribed: true,
      firstName: "Ada",
      lastName: "Lovelace",
      tags: ["early, bird", "vip"],
      data: {
        City: "London",
        MEMBER_RATING: 4,
        OPTIN_TIME: "2024-02-01T09:00:00",
        OPTIN_IP: "192.0.2.20",
        CONFIRM_TIME: "2024-02-01T09:05:00",
        CONFIRM_IP: "192.0.2.21",
        TIMEZONE: "Europe/London",
        CC: "GB",
        REGION: "LND",
      },
    });
  });

  test.each([
    [
      "who left",
      "UNSUB_TIME,UNSUB_CAMPAIGN_TITLE,UNSUB_CAMPAIGN_ID,UNSUB_REASON,UNSUB_REASON_OTHER",
    ],
    ["whose address bounced", "CLEAN_TIME,CLEAN_CAMPAIGN_TITLE,CLEAN_CAMPAIGN_ID"],
  ])("of people %s unsubscribes them under any name of the file", async (_, columns) => {
    const more = columns.split(",").map((_, at) => (at === 0 ? '"2025-06-12 17:31:02"' : "June"));
    const lines = ["new@example.com", "known@example.com"].map(
      (email) => `${person(email)},${more.join(",")},${end}`,
    );
    const { done, contact } = await importing(
      `${begin},${columns},${common}\n${lines.join("\n")}\n`,
      { filename: "people.csv" },
    );
    expect(done).toMatchObject({ created: 1, updated: 1, refused: 0 });
    for (const email of ["new@example.com", "known@example.com"]) {
      const { subscribed, data } = await contact(email);
      expect(subscribed).toBe(false);
      expect(Object.keys(data).filter((key) => /^(UNSUB|CLEAN|LEID|EUID)/.test(key))).toEqual([]);
    }
  });

  test("of people who never agreed unsubscribes them, which only its name says", async () => {
    const text = `${begin},LAST_CHANGED,${common}\n${person("ada@example.com")},"2025-01-01 10:00:00",${end}\n`;
    const filename = "nonsubscribed_email_audience_export_1a2b3c.csv";
    const kept = await importing(text, { filename });
    expect((await kept.contact("ada@example.com")).subscribed).toBe(false);
    const overruled = await importing(text, { filename, subscribed: true });
    expect((await overruled.contact("ada@example.com")).subscribed).toBe(true);
  });

  test("with both columns believes the one that is filled in", async () => {
    const { done, contact } = await importing(
      `${begin},UNSUB_TIME,CLEAN_TIME,${common}\n${person("a@example.com")},"2025-06-12 17:31:02",,${end}\n${person("b@example.com")},,"2025-06-12 17:31:02",${end}\n${person("c@example.com")},,,${end}\n`,
    );
    expect(done).toMatchObject({ created: 3, refused: 0 });
    const people = ["a@example.com", "b@example.com", "c@example.com"].map(contact);
    expect((await Promise.all(people)).map(({ subscribed }) => subscribed)).toEqual([
      ...[false, false, true],
    ]);
  });
});

describe("listmonk's export", () => {
  const header = "uuid,email,name,attributes,status,created_at,updated_at";
  const times = "2024-03-01 10:00:00.12345 +0000 UTC,2025-01-02 08:30:00.5 +0000 UTC";
  const line = (email: string, status: string, attributes = "{}") =>
    `5f7c1e2a-90d3-4d1b-8a3e-0f6f1c1b2a10,${email},Ada Lovelace,"${attributes.replaceAll('"', '""')}",${status},${times}`;

  test("subscribes those who are enabled alone, and makes fields of their attributes", async () => {
    const attributes = '{"city":"London","seats":12,"vip":true,"none":null,"likes":["a","b"]}';
    const lines = [
      line("ada@example.com", "enabled", attributes),
      line("off@example.com", "disabled"),
      line("known@example.com", "blocklisted"),
    ];
    const { done, contact } = await importing([header, ...lines].join("\n"));
    expect(done).toMatchObject({ created: 2, updated: 1, refused: 0 });
    expect(await contact("ada@example.com")).toMatchObject({
      subscribed: true,
      data: { name: "Ada Lovelace", city: "London", seats: 12, vip: true, likes: ["a", "b"] },
    });
    expect((await contact("ada@example.com")).data).not.toHaveProperty("none");
    expect((await contact("off@example.com")).subscribed).toBe(false);
    expect((await contact("known@example.com")).subscribed).toBe(false);
  });

  test("refuses attributes that are no object, or cannot be stored, and nothing else", async () => {
    const wrong = [
      "[1]",
      "{",
      '"text"',
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      '{"__proto__":1}',
      '{"":1}',
      `{"a":${"[".repeat(40)}${"]".repeat(40)}}`,
      `{${Array.from({ length: 501 }, (_, at) => `"k${at}":1`).join(",")}}`,
    ];
    const lines = wrong.map((attributes, at) => line(`w${at}@example.com`, "enabled", attributes));
    const { done } = await importing(
      [header, ...lines, line("fine@example.com", "enabled")].join("\n"),
    );
    expect(done).toMatchObject({ status: "COMPLETED", created: 1, refused: wrong.length });
    expect(new Set(done.refusedRows.map(({ reason }) => reason))).toEqual(
      new Set([
        "attributes is not a JSON object that can be stored",
        "data is larger than 64 kB or holds more than 500 keys",
      ]),
    );
  });

  test("of those who left a list unsubscribes them with `subscribed: false`", async () => {
    const { contact } = await importing(
      [header, line("left@example.com", "enabled"), line("known@example.com", "enabled")].join(
        "\n",
      ),
      { columns: "skip,email,data.name,attributes,skip,skip,skip", subscribed: false },
    );
    expect((await contact("left@example.com")).subscribed).toBe(false);
    expect((await contact("known@example.com")).subscribed).toBe(false);
  });
});

describe("a column that says who is subscribed", () => {
  const words = [
    ["subscribed", "unsubscribed", false],
    ["subscribed", "Cleaned", false],
    ["subscribed", "pending", false],
    ["subscribed", "active", true],
    ["unsubscribed", "unsubscribed", false],
    ["unsubscribed", "bounced", false],
    ["unsubscribed", "subscribed", true],
    ["unsubscribed", "2025-06-12 17:31:02", false],
    ["unsubscribed", "no", true],
  ] as const;

  test.each(words)("%s: %s", async (column, word, subscribed) => {
    const { contact } = await importing(`email,${column}\nada@example.com,${word}\n`);
    expect((await contact("ada@example.com")).subscribed).toBe(subscribed);
  });

  test("refuses a row for a word it does not know", async () => {
    const { done } = await importing("email,subscribed\nada@example.com,perhaps\n");
    expect(done.refusedRows).toMatchObject([{ reason: "subscribed is neither true nor false" }]);
  });
});
