import { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connect } from "@/db/client";
import { useTestDatabase } from "@/db/testing";
import { getContact } from "@/lib/domain/contacts/contacts";
import { deleteContact } from "@/lib/domain/contacts/delete";
import { mergeContacts } from "@/lib/domain/contact-merges/merge";
import { exportContacts } from "@/lib/domain/contacts/export";
import { upsertContact, upsertContacts } from "@/lib/domain/contacts/upsert";
import { makeProject } from "@/lib/testing";
import { until } from "@/lib/testing/until";
import { suggestSegmentFields } from "@/lib/domain/segments/suggest";
import { cancelImport, exportRefusedRows, getImport, listImports, startImport } from "./imports";
import { takeOverImports } from "@/lib/engine/imports/apply-rows";

const database = useTestDatabase();
const file = (text: string) => Readable.from([Buffer.from(text)]);
const never = new AbortController().signal;
const work = () => takeOverImports(database.db, { signal: never });

describe("an import", () => {
  test.each([";", "\t"])("reads cells apart at %j where its first line does", async (separator) => {
    const { ctx } = await makeProject(database.db);
    const rows = [
      ["email", "firstName", "note"],
      ["ada@example.com", "Ada", "a, b"],
    ];
    const started = await startImport(ctx, {
      file: file(rows.map((row) => row.join(separator)).join("\n")),
      filename: "people.csv",
    });
    await work();
    expect(await getImport(ctx, started.id)).toMatchObject({ created: 1, refused: 0 });
    expect(await getContact(ctx, "ada@example.com")).toMatchObject({
      firstName: "Ada",
      data: { note: "a, b" },
    });
  });

  test.each([
    ["Latin-1", Buffer.from("email,firstName\na@example.com,Zo\xeb\n", "latin1")],
    ["UTF-16", Buffer.from("\ufeffemail,firstName\na@example.com,Zoë\n", "utf16le")],
  ])("in %s is refused rather than taken over garbled", async (_name, bytes) => {
    const { ctx } = await makeProject(database.db);
    const started = startImport(ctx, { file: Readable.from([bytes]), filename: "people.csv" });
    await expect(started).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining("not UTF-8") as string,
    });
  });

  test("makes and changes contacts, and keeps refused rows with their line and reason", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContacts(ctx, [
      {
        email: "known@example.com",
        firstName: "Old",
        unsubscribed: true,
        data: { a: "1", b: "2" },
      },
    ]);
    const started = await startImport(ctx, {
      file: file(
        "\ufeffE-mail,First Name,Plan,tags,phone\r\n" +
          'ada@example.com,Ada,"p,""ro",vip;early,\'+1 555\r\n' +
          "nobody,X,,,\r\n" +
          "KNOWN@example.com,New,pro,,\r\n" +
          "short@example.com,Only\r\n" +
          "ada@example.com,Ada Two,team,,\r\n",
      ),
      filename: "people.csv",
    });
    expect(started).toMatchObject({
      status: "PENDING",
      total: 5,
      refused: 2,
      filename: "people.csv",
    });
    await work();
    const done = await getImport(ctx, started.id);
    expect(done).toMatchObject({
      status: "COMPLETED",
      total: 5,
      processed: 5,
      created: 1,
      updated: 1,
      refused: 2,
      refusedRows: [
        { line: 3, email: "nobody", reason: "email is not an email address" },
        { line: 5, email: "short@example.com", reason: "has 2 cells where the header has 5" },
      ],
    });
    expect(await getContact(ctx, "ada@example.com")).toMatchObject({
      firstName: "Ada Two",
      subscribed: true,
      data: { Plan: "team" },
    });
    expect(await getContact(ctx, "known@example.com")).toMatchObject({
      firstName: "New",
      subscribed: false,
      data: { a: "1", b: "2", Plan: "pro" },
    });
    expect(await new Response(await exportRefusedRows(ctx, started.id)).text()).toBe(
      "line,email,reason\r\n3,nobody,email is not an email address\r\n" +
        "5,short@example.com,has 2 cells where the header has 5\r\n",
    );
  });

  test("takes an export back in: quotes put against formulas come off again", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email: "a@example.com", data: { "=key": "@value" } });
    const text = await new Response(await exportContacts(ctx, {})).text();
    expect(text).toContain("'=key");
    await startImport(ctx, { file: file(text) });
    await work();
    expect((await getContact(ctx, "a@example.com")).data).toEqual({ "=key": "@value" });
  });

  test("brings deleted people back unsubscribed, unless the file says otherwise", async () => {
    const { ctx } = await makeProject(database.db);
    for (const email of ["x@example.com", "y@example.com"]) {
      await upsertContact(ctx, { email });
      await deleteContact(ctx, email);
    }
    await startImport(ctx, {
      file: file("email,subscribed\nX@example.com,\ny@example.com,yes\nz@example.com,\n"),
    });
    await work();
    expect((await getContact(ctx, "x@example.com")).subscribed).toBe(false);
    expect((await getContact(ctx, "y@example.com")).subscribed).toBe(true);
    expect((await getContact(ctx, "z@example.com")).subscribed).toBe(true);
  });

  test("brings nobody back subscribed who had objected, whatever the file says, and counts them", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContact(ctx, { email: "left@example.com", unsubscribed: true });
    await upsertContact(ctx, { email: "wrong@example.com" });
    await upsertContact(ctx, { email: "right@example.com", unsubscribed: true });
    await deleteContact(ctx, "left@example.com");
    await mergeContacts(ctx, "right@example.com", { other: "wrong@example.com" });
    const people = ["LEFT", "wrong", "right", "new"].map((name) => `${name}@example.com,yes\n`);
    const { id } = await startImport(ctx, { file: file(`email,subscribed\n${people.join("")}`) });
    await work();
    for (const name of ["left", "wrong", "right", "new"]) {
      const { subscribed } = await getContact(ctx, `${name}@example.com`);
      expect([name, subscribed]).toEqual([name, name === "new"]);
    }
    expect(await getImport(ctx, id)).toMatchObject({ created: 3, updated: 1, keptUnsubscribed: 3 });
  });

  test("goes on behind the last chunk after a crash, repeating and losing nothing", async () => {
    const { ctx } = await makeProject(database.db);
    const rows = Array.from({ length: 25_000 }, (_, index) => `p${index}@example.com,${index}`);
    const started = await startImport(ctx, { file: file(`email,n\n${rows.join("\n")}\n`) });
    const stop = new AbortController();
    const working = takeOverImports(database.db, { signal: stop.signal });
    for (;;) {
      const { processed } = await getImport(ctx, started.id);
      if (processed > 0) break;
      await new Promise(setImmediate);
    }
    stop.abort();
    await working;
    const halfway = await getImport(ctx, started.id);
    expect(halfway.processed).toBeGreaterThan(0);
    // What a killed worker leaves: a lease that nobody holds any more.
    await database.db.execute(sql`
      update contact_imports set lease_id = gen_random_uuid(), due_at = app_now() + interval '120 s'
      where status <> 'COMPLETED'`);
    expect(await work()).toBe(0);
    await database.travel("121 seconds");
    await Promise.all([work(), work(), work()]);
    expect(await getImport(ctx, started.id)).toMatchObject({
      status: "COMPLETED",
      processed: 25_000,
      created: 25_000,
      updated: 0,
    });
    const [count] = await database.db.execute<{ n: number; left: number }>(sql`
      select (select count(*)::int from contacts where project_id = ${ctx.projectId}) as n,
        (select count(*)::int from contact_import_rows) as left`);
    expect(count?.n).toBe(25_000);
  });

  test("can be cancelled while it waits, and not once it has ended", async () => {
    const { ctx } = await makeProject(database.db);
    const started = await startImport(ctx, { file: file("email\na@example.com\n") });
    expect(await cancelImport(ctx, started.id)).toMatchObject({ status: "FAILED" });
    await work();
    await expect(getContact(ctx, "a@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(cancelImport(ctx, started.id)).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test.each([
    ["nothing", "", "is empty"],
    ["a header alone", "email,name\n", "has no rows"],
    ["no address column", "name\nAda\n", "has no column email"],
    ["the same column twice", "email,plan,plan\na@example.com,1,2\n", "two columns for data.plan"],
    ["an open quote in the header", 'email,"name\na@example.com,Ada\n', "is not valid CSV"],
    ["a prototype", "email,__proto__\na@example.com,1\n", "cannot be a key"],
  ])("refuses %s and leaves nothing behind", async (_name, text, message) => {
    const { ctx } = await makeProject(database.db);
    await expect(startImport(ctx, { file: file(text) })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(message) as string,
    });
    const [left] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from contact_imports where project_id = ${ctx.projectId}`);
    expect(left?.n).toBe(0);
  });
});

describe("an upload", () => {
  const trickle = () => {
    let end: (error: Error | null) => void = () => {};
    // As uploads over HTTP have it: what breaks off before it is read ends its import, and not the process.
    const source = new Readable({ read() {} }).on("error", () => {});
    source.push("email\na@example.com\n");
    end = (error) => (error ? source.destroy(error) : source.push(null));
    return { source, end };
  };
  const underWay = async (projectId: string) => {
    const [row] = await database.db.execute<{ n: number }>(sql`
      select count(*)::int as n from contact_imports where project_id = ${projectId}`);
    return row?.n;
  };

  test("holds no connection while it trickles in: ten of them, and a pool of two serves others", async () => {
    const { ctx } = await makeProject(database.db);
    const small = connect(database.url, { max: 2 });
    const uploads = Array.from({ length: 10 }, trickle);
    const slow = { ...ctx, db: small };
    const imports = uploads.map(({ source }) => startImport(slow, { file: source }));
    await until(async () => (await underWay(ctx.projectId)) === 10);
    expect(await upsertContact(slow, { email: "b@example.com" })).toMatchObject({ created: true });
    for (const { end } of uploads) end(null);
    expect(await Promise.all(imports)).toHaveLength(10);
    await small.$client.end();
  });

  test("beyond the tenth of a project is refused with what to do", async () => {
    const { ctx } = await makeProject(database.db);
    for (let n = 0; n < 10; n++) await startImport(ctx, { file: file("email\na@example.com\n") });
    await expect(startImport(ctx, { file: file("email\na@example.com\n") })).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("wait until one has ended") as string,
    });
    await work();
    await startImport(ctx, { file: file("email\na@example.com\n") });
  });

  test("whose sender vanishes, or whose process dies, leaves nothing behind", async () => {
    const { ctx } = await makeProject(database.db);
    const { source, end } = trickle();
    const started = startImport(ctx, { file: source });
    await until(async () => (await underWay(ctx.projectId)) === 1);
    expect((await listImports(ctx, { limit: 20 })).data).toEqual([]);
    end(new Error("gone"));
    await expect(started).rejects.toThrow("gone");
    expect(await underWay(ctx.projectId)).toBe(0);
    await database.db.execute(sql`
      insert into contact_imports (id, project_id, status)
      values (gen_random_uuid(), ${ctx.projectId}, 'STAGING')`);
    await database.travel("121 minutes");
    await work();
    expect(await underWay(ctx.projectId)).toBe(0);
  });
});

describe("columns", () => {
  test("of numbers, booleans and dates are stored as such, as a whole", async () => {
    const { ctx } = await makeProject(database.db);
    const text =
      "email,Seats,paid,First Purchase,zip,phone,account no,mixed,long\n" +
      "a@example.com,12,TRUE,2026-11-02 09:30:00,10115,4930123456,77,1,12345678901\n" +
      "b@example.com,3.5,false,2026-11-03,04103,4930123457,78,one,12345678902\n" +
      "c@example.com,,,,,,,,\n";
    const started = await startImport(ctx, { file: file(text) });
    await work();
    expect(await getImport(ctx, started.id)).toMatchObject({ created: 3, refused: 0 });
    expect((await getContact(ctx, "a@example.com")).data).toEqual({
      Seats: 12,
      paid: true,
      First_Purchase: "2026-11-02T09:30:00",
      zip: "10115",
      phone: "4930123456",
      account_no: "77",
      mixed: "1",
      long: "12345678901",
    });
    const kinds = new Map(
      (await suggestSegmentFields(ctx)).fields.map(({ field, kind }) => [field, kind]),
    );
    expect(kinds.get("data.Seats")).toBe("number");
    expect(kinds.get("data.paid")).toBe("boolean");
    expect(kinds.get("data.First_Purchase")).toBe("date");
    expect(kinds.get("data.zip")).toBe("text");
  });

  test("become what the mapping says; a cell that is none refuses its row", async () => {
    const { ctx } = await makeProject(database.db);
    const started = await startImport(ctx, {
      file: file("email,a,b\nx@example.com,1,007\ny@example.com,2,many\n"),
      columns: "email,data.a:text,data.b:number",
    });
    await work();
    expect((await getContact(ctx, "x@example.com")).data).toEqual({ a: "1", b: 7 });
    expect((await getImport(ctx, started.id)).refusedRows).toEqual([
      { line: 3, email: "y@example.com", reason: "data.b is not a number" },
    ]);
  });

  test("are read as spreadsheets in German write them, once somebody says what they are", async () => {
    const { ctx } = await makeProject(database.db);
    const text =
      "email;news;spent;born\nx@example.com;ja;2.664,39;07.12.1980\ny@example.com;nein;7;1.2.1990\n";
    const columns = (spent: string, born: string) => `email,subscribed,data.${spent},data.${born}`;
    await startImport(ctx, { file: file(text), columns: columns("a:number", "b:date") });
    await work();
    await startImport(ctx, { file: file(text), columns: columns("c", "d") });
    await work();
    expect(await getContact(ctx, "x@example.com")).toMatchObject({
      subscribed: true,
      data: { a: 2664.39, b: "1980-12-07", c: "2.664,39", d: "07.12.1980" },
    });
    expect(await getContact(ctx, "y@example.com")).toMatchObject({
      subscribed: false,
      data: { a: 7, b: "1990-02-01" },
    });
  });

  test("do not subscribe anybody who has unsubscribed, and count them", async () => {
    const { ctx } = await makeProject(database.db);
    await upsertContacts(ctx, [
      { email: "left@example.com", unsubscribed: true },
      { email: "stays@example.com", subscribed: true },
    ]);
    const started = await startImport(ctx, {
      file: file(
        "email,subscribed,firstName\nleft@example.com,true,Ada\nstays@example.com,true,\nnew@example.com,true,\nstays@example.com,no,Bo\n",
      ),
    });
    await work();
    expect(await getImport(ctx, started.id)).toMatchObject({
      ...{ created: 1, updated: 2, keptUnsubscribed: 1 },
    });
    expect(await getContact(ctx, "left@example.com")).toMatchObject({
      ...{ subscribed: false, firstName: "Ada" },
    });
    expect(await getContact(ctx, "new@example.com")).toMatchObject({ subscribed: true });
    expect(await getContact(ctx, "stays@example.com")).toMatchObject({ subscribed: false });
  });

  test("with blanks in their heading get a key that a placeholder can name", async () => {
    const { ctx } = await makeProject(database.db);
    await startImport(ctx, { file: file("email,Größe (cm),2nd name\na@example.com,180,Bo\n") });
    await work();
    const { data } = await getContact(ctx, "a@example.com");
    expect(data).toEqual({ Größe_cm: 180, _2nd_name: "Bo" });
  });
});

test("a malformed line costs itself alone, and a repeated address is counted", async () => {
  const { ctx } = await makeProject(database.db);
  const text =
    "email,note\n\na@example.com,1\n" +
    'b@example.com,"open\nc@example.com,3\nA@example.com,"4"5\na@example.com,6\n';
  const started = await startImport(ctx, { file: file(text) });
  expect(started).toMatchObject({ total: 5, refused: 2, duplicates: 1 });
  await work();
  expect(await getImport(ctx, started.id)).toMatchObject({
    ...{ status: "COMPLETED", processed: 5, created: 2, updated: 0, refused: 2, duplicates: 1 },
    refusedRows: [
      { line: 4, email: "b@example.com", reason: "has text behind a closing quote" },
      { line: 6, reason: "has text behind a closing quote" },
    ],
  });
  expect((await getContact(ctx, "a@example.com")).data).toEqual({ note: 6 });
});
