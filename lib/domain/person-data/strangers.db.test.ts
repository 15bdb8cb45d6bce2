import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { rowsRead } from "@/db/testing/rows-read";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { listEmails } from "@/lib/domain/emails/read";
import { emailQuery } from "@/lib/domain/emails/schema";
import { testTemplate } from "@/lib/domain/templates/test-mail";
import { templateTest } from "@/lib/domain/templates/test-schema";
import { decodeId, newId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { readZip } from "@/lib/testing/zip";
import { exportContact } from "./export";

const database = useTestDatabase();

/** Tests to people who are no contacts; the ids of the emails. */
async function tried({ ctx }: TestProject, subject: string, to: string[]): Promise<string[]> {
  const written = { from: "news@sandbox.test", subject, body: "<p>Hi</p>" };
  const { emails } = await testTemplate(ctx, templateTest.parse({ ...written, to }));
  return emails.map(({ id }) => id);
}

/** Mail to 3,000 others who are no contacts, and to 3,000 contacts. */
async function others({ projectId }: TestProject): Promise<void> {
  await database.db.execute(sql`
    with message as (
      insert into messages (id, project_id, from_email, subject)
      values (${newId(projectId)}, ${projectId}, 'news@sandbox.test', '[Test] Other') returning id
    ) insert into emails (id, project_id, message_id, contact_id, recipient, source, status)
    select new_id(${projectId}::uuid), ${projectId}, message.id,
      case when n % 2 = 0 then gen_random_uuid() end, 'p' || n || '@example.org', 'TRANSACTIONAL', 'SENT'
    from message, generate_series(1, 6000) n`);
}

const textOf = async ({ ctx }: TestProject) => {
  const stream = await exportContact(ctx, "ada@example.com");
  return readZip(Buffer.from(await new Response(stream).arrayBuffer()));
};

test("what was sent to a person before they were a contact is theirs: exported and erased, however much others got", async () => {
  const project = await makeProject(database.db);
  const stranger = await makeProject(database.db);
  const [first = ""] = await tried(project, "Hello", ["ADA@example.com", "grace@example.com"]);
  await tried(stranger, "Hello", ["ada@example.com"]);
  await others(project);
  await upsertContact(project.ctx, { email: "ada@example.com" });
  await upsertContact(project.ctx, { email: "grace@example.com" });
  const uuid = decodeId("email", first) ?? "";
  await database.db.execute(sql`
    insert into email_events (project_id, email_id, name, data)
    values (${project.projectId}, ${uuid}, 'bounced', '{"response": "No ada@example.com here"}')`);
  const files = await textOf(project);
  expect(JSON.parse(files.get("emails.json") ?? "")).toMatchObject([
    { id: first, subject: "[Test] Hello", to: "ADA@example.com" },
  ]);
  expect(files.get("events.json")).toContain("No ada@example.com here");

  const db = connect(database.url, { max: 1 });
  try {
    const work = () => deleteContact({ ...project.ctx, db }, "ada@example.com");
    expect(await rowsRead(db, ["emails", "email_queue"], work)).toBeLessThan(100);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
  const [left] = await database.db.execute(sql`
    select (select recipient from emails where id = ${uuid}) as recipient,
      (select status from emails where id = ${uuid}) as status,
      (select count(*)::int from email_queue where email_id = ${uuid}) as queued,
      (select count(*)::int from email_events
        where email_id = ${uuid} and data::text ilike '%ada@%') as quoted,
      (select count(*)::int from emails where lower(recipient) = 'ada@example.com') as elsewhere,
      (select count(*)::int from emails where recipient = 'grace@example.com') as beside`);
  expect(left).toEqual({
    ...{ recipient: null, status: "FAILED", queued: 0, quoted: 0 },
    ...{ elsewhere: 1, beside: 1 },
  });
});

test("the log finds such mail by part of its address, beside contacts' mail, and reads no other for it", async () => {
  const db = connect(database.url, { max: 1 });
  try {
    const made = await makeProject(database.db);
    const project = { ...made, ctx: { ...made.ctx, db } };
    await tried(await makeProject(database.db), "Hello", ["linus@example.com"]);
    const tests = await tried(project, "Hello", ["Linus@example.com", "barbara@example.com"]);
    await upsertContact(project.ctx, { email: "linus.two@example.com" });
    const [known = ""] = await tried(project, "Known", ["linus.two@example.com"]);
    const page = (query: object) => listEmails(project.ctx, emailQuery.parse(query));
    const ids = async (query: object) => (await page(query)).data.map(({ id }) => id);
    expect(await ids({ search: "linus" })).toEqual([known, tests[0]]);
    expect(await ids({ search: "arbar" })).toEqual([tests[1]]);
    expect(await ids({ search: "linus", subject: "[Test] Hello" })).toEqual([tests[0]]);
    expect(await ids({ search: "linus", status: "PENDING" })).toEqual([known, tests[0]]);
    expect(await ids({ search: "linus", status: "FAILED" })).toEqual([]);
    expect(await ids({ search: "linus", messageId: tests[0] })).toEqual([tests[0]]);
    expect(await ids({ search: "nobody" })).toEqual([]);
    await others(project);
    expect(
      await rowsRead(db, ["emails"], async () =>
        expect(await ids({ search: "linus@" })).toEqual([tests[0]]),
      ),
    ).toBeLessThan(3_100);
    // Of more than are looked through, the whole address still finds all.
    await others(project);
    await others(project);
    expect(await ids({ search: "linus@example.com" })).toEqual([tests[0]]);
    expect((await page({ search: "p1@example.org", limit: 100 })).data).toHaveLength(3);
    const crowd = await page({ search: "@example.com", limit: 1 });
    expect(crowd.data.map(({ id }) => id)).toEqual([known]);
  } finally {
    await db.$client.end({ timeout: 5 });
  }
});
