import { describe, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { exportSubscriptionChanges } from "@/lib/domain/contacts/consent-history";
import { changePreferences } from "@/lib/domain/opt-outs/change-preferences";
import { makeProject } from "@/lib/testing";
import { campaignMail, join, makeList } from "@/lib/testing/opt-outs";
import { htmlFaults } from "@/lib/testing/valid-html";
import { readZip } from "@/lib/testing/zip";
import { exportContact } from "./export";

const database = useTestDatabase();
const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());

async function somebody() {
  const { ctx, projectId } = await makeProject(database.db);
  await upsertContact(ctx, {
    ...{ email: "ada@example.com", firstName: "Ada <b>", tags: ["vip"] },
    data: { plan: "=1+1", language: "de" },
  });
  await upsertContact(ctx, { email: "bob@example.com" });
  const list = await makeList(ctx, { name: "Weekly" });
  const member = await join(ctx, list.id, "ada@example.com");
  const mail = await campaignMail(database.db, ctx, { ...member, listId: list.id });
  const evidence = { ipAddress: "192.0.2.7", userAgent: "Firefox", text: "Alles abbestellen" };
  const leaving = { action: "leave-all", reason: "too_often", comment: "=too much" } as const;
  await changePreferences(database.db, mail.token, leaving, evidence);
  return { ctx, projectId, mail };
}

describe("everything about a person", () => {
  test("is one ZIP: a valid page in their language, and every table as JSON and CSV", async () => {
    const { ctx } = await somebody();
    const files = readZip(await bytesOf(await exportContact(ctx, "ada@example.com")));
    expect([...files.keys()]).toEqual([
      ...["index.html", "contact.json", "emails.csv", "emails.json", "events.csv", "events.json"],
      ...["consent.csv", "consent.json", "received.csv", "received.json"],
      ...["changes.csv", "changes.json", "notes.csv", "notes.json"],
    ]);
    const page = files.get("index.html") ?? "";
    expect(page).toContain('<html lang="de" dir="ltr">');
    expect(page).toContain("Ada &lt;b&gt;");
    expect(await htmlFaults(page)).toEqual([]);
    const json = (name: string) => JSON.parse(files.get(`${name}.json`) ?? "") as unknown;
    expect(json("contact")).toMatchObject({
      ...{ email: "ada@example.com", consent: "unsubscribed", tags: ["vip"] },
      ...{ data: { plan: "=1+1" }, lists: [{ name: "Weekly", status: "subscribed" }] },
    });
    expect(json("emails")).toMatchObject([{ subject: "Hello", to: "ada@example.com" }]);
    expect(json("events")).toMatchObject([{ event: "unsubscribed" }]);
    expect(json("received")).toEqual([]);
    expect(json("consent")).toMatchObject([
      { after: "unsubscribed", reason: "too_often", ipAddress: "192.0.2.7", by: "link" },
      { list: "Weekly", after: "subscribed" },
      { after: "subscribed" },
    ]);
    // A spreadsheet runs nothing of it.
    expect(files.get("consent.csv")).toContain(",'=too much,");
    for (const content of files.values()) expect(content).not.toContain("bob@example.com");
  });

  test("holds every mail, whatever their number, each once and in order", async () => {
    const { ctx, projectId, mail } = await somebody();
    await database.db.execute(sql`
      insert into emails (id, project_id, message_id, contact_id, source, status, created_at)
      select new_id(project_id), project_id, message_id, contact_id, 'TRANSACTIONAL', 'SENT', created_at
      from emails, generate_series(1, 1200) where id = ${mail.emailId}`);
    await database.db.execute(sql`
      insert into email_events (project_id, email_id, name)
      select project_id, id, 'opened' from emails where project_id = ${projectId}`);
    const files = readZip(await bytesOf(await exportContact(ctx, "ada@example.com")));
    const rows = JSON.parse(files.get("emails.json") ?? "") as { id: string }[];
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1201);
    expect(rows).toHaveLength(1201);
    const events = JSON.parse(files.get("events.json") ?? "") as { event: string }[];
    expect(events.filter(({ event }) => event === "opened")).toHaveLength(1201);
  });

  test("is for members of the project, of people it has", async () => {
    const { ctx } = await somebody();
    const { ctx: stranger } = await makeProject(database.db);
    await expect(exportContact(stranger, "ada@example.com")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      exportContact({ ...ctx, sendingOnly: true }, "ada@example.com"),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });
});

test("the history of all consent is one table, the oldest of each person first", async () => {
  const { ctx } = await somebody();
  const csv = (await bytesOf(await exportSubscriptionChanges(ctx))).toString();
  const [header, ...lines] = csv.trimEnd().split("\r\n");
  expect(header).toContain("email,contactId,at,kind,before,after,list");
  const ofAda = lines.filter((line) => line.startsWith("ada@example.com,"));
  expect(ofAda).toHaveLength(3);
  expect(ofAda[0]).toContain(",subscription,,subscribed,");
  expect(ofAda[2]).toContain("Alles abbestellen");
  expect(lines.filter((line) => line.startsWith("bob@example.com,"))).toHaveLength(1);
});
