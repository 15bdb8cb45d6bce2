import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { capturedEmails, forgottenAddresses, personRequests } from "@/db/schema";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { getSubscriber } from "@/lib/domain/lists/subscribers";
import { addSuppression } from "@/lib/domain/suppressions/suppressions";
import { decodeId } from "@/lib/ground/ids/ids";
import { cleanUp } from "@/lib/engine/jobs/cleanup";
import { campaignMail, join, makeList, snapshot } from "@/lib/testing/opt-outs";
import { htmlFaults } from "@/lib/testing/valid-html";
import { readZip } from "@/lib/testing/zip";
import { personRequestsOf } from "@/lib/testing/person-requests";
import { createTrackingApp } from "./app";

const database = useTestDatabase();
const app = createTrackingApp();
const email = "ada@example.com";
const other = "lovelace@example.com";

const { ask, page, reader, mailsTo, linkTo, kinds } = personRequestsOf(app, database, email);

describe("a name", () => {
  test("is changed at once, and the history says so once", async () => {
    const { ctx, wants } = await reader();
    const names = { action: "name", firstName: " Ada ", lastName: "Lovelace" };
    expect(await page(await wants(names))).toContain("Your name has been saved.");
    await wants(names);
    expect(await getContact(ctx, email)).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
    expect((await kinds(ctx, email)).filter(([kind]) => kind === "name")).toHaveLength(1);
  });

  test("that is none is refused and changes nothing", async () => {
    const { mail, projectId } = await reader();
    const before = await snapshot(database.db, projectId);
    const names = { action: "name", firstName: "a".repeat(201), lastName: "" };
    expect((await ask("POST", `/t/preferences/${mail.token}`, names)).status).toBe(400);
    expect(await snapshot(database.db, projectId)).toBe(before);
  });
});

describe("a change of address", () => {
  test("is made by the button in the new mailbox alone, and told to the old one, which can undo it", async () => {
    const { ctx, projectId, member, wants } = await reader();
    const before = await snapshot(database.db, projectId);
    expect(await page(await wants({ action: "address", email: other }))).toContain(
      "a message is on its way there",
    );
    const confirm = await linkTo(projectId, other);
    for (const method of ["GET", "HEAD"]) expect((await ask(method, confirm)).status).toBe(200);
    expect(await snapshot(database.db, projectId)).toBe(before);
    expect(await htmlFaults(await page(confirm))).toEqual([]);
    await Promise.all(
      Array.from({ length: 20 }, async () => ask("POST", `/t${confirm}`, { action: "confirm" })),
    );
    expect(await getContact(ctx, other)).toMatchObject({ id: member.contactId, subscribed: true });
    expect((await getSubscriber(ctx, member.id)).status).toBe("subscribed");
    expect((await kinds(ctx, other)).filter(([kind]) => kind === "address")).toHaveLength(1);
    expect(await page(confirm)).toContain("Your address has been changed");

    const told = await mailsTo(projectId, email);
    expect(told.map(({ subject }) => subject)).toEqual(["Your address has been changed"]);
    expect(told[0]?.text).not.toContain(other);
    const undo = await linkTo(projectId, email);
    expect(undo).not.toBe(confirm);
    await ask("GET", undo);
    expect(await getContact(ctx, other)).toMatchObject({ id: member.contactId });
    await ask("POST", `/t${undo}`, { action: "undo" });
    expect(await getContact(ctx, email)).toMatchObject({ id: member.contactId, subscribed: true });
    expect(await page(undo)).toContain("Your previous address is back");
  });

  test("can be taken back after another one was made on top of it", async () => {
    const { ctx, projectId, wants, member } = await reader();
    for (const to of [other, "third@example.com"]) {
      await wants({ action: "address", email: to });
      await ask("POST", `/t${await linkTo(projectId, to)}`, { action: "confirm" });
    }
    await ask("POST", `/t${await linkTo(projectId, email)}`, { action: "undo" });
    expect(await getContact(ctx, email)).toMatchObject({ id: member.contactId });
  });

  test("gives no stranger the data: neither a copy nor an erasure for 30 days", async () => {
    const { ctx, projectId, wants } = await reader();
    await wants({ action: "address", email: other });
    await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
    for (const action of ["download", "erase"]) {
      expect(await page(await wants({ action }))).toContain("changed in the last 30 days");
    }
    expect(await mailsTo(projectId, other)).toHaveLength(1);
    expect(await getContact(ctx, other)).toBeDefined();
    await database.travel("31 days");
    await wants({ action: "download" });
    expect(await mailsTo(projectId, other)).toHaveLength(2);
    await database.travel("0 days");
  });

  test("shakes off no unsubscription: neither here nor when the old address is imported again", async () => {
    const { ctx, projectId, wants } = await reader();
    await wants({ action: "leave-all" });
    await wants({ action: "address", email: other });
    await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
    expect((await getContact(ctx, other)).subscribed).toBe(false);
    const [kept] = await database.db
      .select({ at: forgottenAddresses.objectedAt })
      .from(forgottenAddresses)
      .where(eq(forgottenAddresses.projectId, projectId));
    expect(kept?.at).toBeInstanceOf(Date);
    const list = await makeList(ctx, { name: "Again" });
    await join(ctx, list.id, email);
    expect((await getContact(ctx, email)).subscribed).toBe(false);
  });

  test("to an address whose owner objected before is unsubscribed there", async () => {
    const { ctx, projectId, wants } = await reader();
    const second = await reader();
    expect(second.projectId).not.toBe(projectId);
    const list = await makeList(ctx, { name: "Other" });
    const there = await join(ctx, list.id, other);
    const mail = await campaignMail(database.db, ctx, { ...there, listId: list.id });
    await ask("POST", `/t/preferences/${mail.token}`, { action: "erase" });
    await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
    await wants({ action: "address", email: other });
    await ask("POST", `/t${await linkTo(projectId, other)}`, { action: "confirm" });
    expect((await getContact(ctx, other)).subscribed).toBe(false);
  });

  test("is the same to look at when the address is suppressed, and nothing is sent there", async () => {
    const { ctx, projectId, wants, member } = await reader();
    await addSuppression(ctx, { email: other });
    expect(await page(await wants({ action: "address", email: other }))).toContain(
      "a message is on its way there",
    );
    expect(await mailsTo(projectId, other)).toEqual([]);
    expect((await getContact(ctx, email)).id).toBe(member.contactId);
  });

  test("is not offered to somebody to whom nothing is sent", async () => {
    const { ctx, projectId, wants } = await reader();
    await addSuppression(ctx, { email });
    expect(await page(await wants({ action: "address", email: other }))).not.toContain(
      "New email address",
    );
    expect(await mailsTo(projectId, other)).toEqual([]);
  });

  test.each(["", "nonsense", "ada@", email.toUpperCase(), "a@b.c\r\nBcc: x@y.z"])(
    "to %j is told so, and mails nobody",
    async (to) => {
      const { projectId, wants } = await reader();
      expect(await page(await wants({ action: "address", email: to }))).toContain(
        "That is not an email address",
      );
      const rows = await database.db
        .select()
        .from(capturedEmails)
        .where(eq(capturedEmails.projectId, projectId));
      expect(rows).toEqual([]);
    },
  );

  test("floods nobody: five mails in a day, whoever presses how often", async () => {
    const { projectId, wants } = await reader();
    const said = await Promise.all(
      Array.from({ length: 12 }, (_, nth) =>
        wants({ action: "address", email: `someone${nth}@example.com` }),
      ),
    );
    expect(said.filter((location) => location.includes("done=tooMany"))).toHaveLength(7);
    const [{ mails } = { mails: 0 }] = await database.db
      .select({ mails: sql<number>`count(*)::int` })
      .from(capturedEmails)
      .where(eq(capturedEmails.projectId, projectId));
    expect(mails).toBe(5);
    expect(await page(said.find((location) => location.includes("tooMany")) ?? "")).toContain(
      "several times today",
    );
  });

  test("asked for a week ago is not made any more", async () => {
    const { ctx, projectId, wants } = await reader();
    await wants({ action: "address", email: other });
    const confirm = await linkTo(projectId, other);
    await database.travel("8 days");
    expect(await page(confirm)).toContain("This link has expired");
    await ask("POST", `/t${confirm}`, { action: "confirm" });
    await database.travel("0 days");
    await expect(getContact(ctx, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("leaves nothing of an address that nobody confirmed, after 60 days", async () => {
    const { projectId, wants } = await reader();
    await wants({ action: "address", email: other });
    const kept = () => database.db.$count(personRequests, eq(personRequests.projectId, projectId));
    await database.travel("59 days");
    await cleanUp(database.db, new AbortController().signal);
    expect(await kept()).toBe(1);
    await database.travel("61 days");
    await cleanUp(database.db, new AbortController().signal);
    expect(await kept()).toBe(0);
    await database.travel("0 days");
  });
});

describe("a copy of one's data", () => {
  test("comes by the button on the page of the mail's link, as often as it is pressed", async () => {
    const { projectId, wants } = await reader();
    expect(await page(await wants({ action: "download" }))).toContain("is on its way to");
    const link = await linkTo(projectId, email);
    const shown = await page(link);
    expect(await htmlFaults(shown)).toEqual([]);
    expect(shown).toContain("Download");
    for (let times = 0; times < 2; times++) {
      const answer = await ask("POST", `/t${link}`, { action: "confirm" });
      expect(answer.headers.get("content-type")).toBe("application/zip");
      expect(answer.headers.get("cache-control")).toContain("no-store");
      const files = readZip(Buffer.from(await answer.arrayBuffer()));
      expect(files.get("contact.json")).toContain(email);
    }
  });

  test("is not to be had ten times an hour and more, nor by a link that is edited", async () => {
    const { projectId, wants } = await reader();
    await wants({ action: "download" });
    const link = await linkTo(projectId, email);
    const statuses: number[] = [];
    for (let times = 0; times < 11; times++) {
      const answer = await ask("POST", `/t${link}`, { action: "confirm" });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.at(-1)).toBe(429);
    const edited = `${link.slice(0, -1)}${link.endsWith("A") ? "Q" : "A"}`;
    expect((await ask("GET", edited)).status).toBe(404);
    expect((await ask("POST", `/t${edited}`)).status).toBe(404);
  });
});

describe("erasing", () => {
  test("takes everything but the proof of the objection, and webhooks are told", async () => {
    const { ctx, projectId, wants, mail } = await reader();
    await wants({ action: "erase" });
    const link = await linkTo(projectId, email);
    await ask("GET", link);
    expect((await getContact(ctx, email)).subscribed).toBe(true);
    await Promise.all(
      Array.from({ length: 10 }, async () => ask("POST", `/t${link}`, { action: "confirm" })),
    );
    await expect(getContact(ctx, email)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await page(link)).toContain("There is nothing behind this link any more");
    expect(await page(`/preferences/${mail.token}`)).toContain("Your address has been deleted");
    const tables = await database.db.execute<{ name: string }>(sql`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'project_id'`);
    for (const { name } of tables) {
      const naming = await database.db.execute(
        sql`select 1 from ${sql.identifier(name)} t
          where project_id = ${projectId} and to_jsonb(t)::text ilike ${`%${email}%`}`,
      );
      expect([name, naming.length]).toEqual([name, 0]);
    }
    const [kept] = await database.db
      .select({ at: forgottenAddresses.objectedAt, by: forgottenAddresses.objectedBy })
      .from(forgottenAddresses)
      .where(eq(forgottenAddresses.projectId, projectId));
    expect(kept).toEqual({ at: expect.any(Date) as Date, by: "confirmation" });
    await upsertContact(ctx, { email, subscribed: undefined });
  });

  test("takes texts kept earlier that name the address, and no others", async () => {
    const { ctx, projectId, member } = await reader();
    const texts = ["You will get it at Ada@Example.com.", "Everybody read this."];
    for (const text of texts) {
      await database.db.execute(sql`
        with kept as (
          insert into consent_texts (project_id, hash, text)
          values (${projectId}, sha256(convert_to(${text}, 'utf8')), ${text}) returning hash
        ) insert into consent_changes (id, project_id, contact_id, after, origin, text_hash)
          select new_id(project_id), project_id, id, 'subscribed', 'confirmation', kept.hash
          from contacts, kept where id = ${decodeId("contact", member.contactId)}`);
    }
    await deleteContact(ctx, email);
    const rows = await database.db.execute<{ text: string }>(sql`
      select text from consent_texts where project_id = ${projectId} and text = any(${sql.param(texts)}::text[])`);
    expect(rows.map(({ text }) => text)).toEqual(["Everybody read this."]);
    await expect(
      database.db.execute(sql`delete from consent_texts where project_id = ${projectId}`),
    ).rejects.toMatchObject({ cause: { code: "23001" } });
  });
});
