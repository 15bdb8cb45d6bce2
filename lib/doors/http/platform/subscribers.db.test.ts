import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { send } from "@/lib/testing/delivery";
import { addSubscriber } from "@/lib/domain/lists/change-subscribers";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof platformClient>;
let list: string;
let people = 0;

beforeAll(async () => {
  project = await makeProject(database.db);
  ask = platformClient(await platformToken(project));
  list = await makeList();
});

async function makeList(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await ask("POST", "/lists", {
    name: "News",
    from_email: "news@sandbox.test",
    ...more,
  });
  return (body as { list_uid: string }).list_uid;
}

const address = () => `p${++people}@sandbox.test`;
const join = (fields: Record<string, unknown>, to = list) =>
  ask("POST", "/subscribers", { list_uid: to, EMAIL: address(), ...fields });
const joined = async (fields: Record<string, unknown> = {}, to = list) =>
  ((await join(fields, to)).body as { subscriber_uid: string }).subscriber_uid;
const detail = async (uid: string) =>
  ((await ask("GET", `/subscribers/${uid}`)).body as { subscriber: Record<string, unknown> })
    .subscriber;

describe("Endpoints", () => {
  test("POST /subscribers: {status, message, subscriber_uid}, a subscriber of source api", async () => {
    const answer = await ask(
      "POST",
      "/subscribers",
      {
        list_uid: list,
        EMAIL: " Ada@sandbox.test ",
        FIRST_NAME: "Ada",
        LAST_NAME: "L",
        tag: "a, b,a ,",
      },
      { "x-forwarded-for": "203.0.113.7" },
    );
    expect(answer.body).toEqual({
      status: 1,
      message:
        "Subscriber was successfully created. No confirmation email sent to the subscriber: the list does not ask for one.",
      subscriber_uid: expect.stringMatching(/^sub_\w{26}$/) as string,
    });
    expect(await detail((answer.body as { subscriber_uid: string }).subscriber_uid)).toEqual({
      uid: (answer.body as { subscriber_uid: string }).subscriber_uid,
      email: "Ada@sandbox.test",
      status: "subscribed",
      source: "api",
      ip_address: "203.0.113.7",
      tags: ["a", "b"],
      FIRST_NAME: "Ada",
      LAST_NAME: "L",
    });
  });

  test("POST /subscribers: EMAIL is required, and an address; names and tags are bounded", async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ EMAIL: undefined }, "EMAIL"],
      [{ EMAIL: "nobody" }, "EMAIL"],
      [{ FIRST_NAME: "x".repeat(201) }, "FIRST_NAME"],
      [{ LAST_NAME: "a\nb" }, "LAST_NAME"],
      [{ tag: "x".repeat(101) }, "tag"],
      [{ ip_address: "here" }, "ip_address"],
      [{ list_uid: undefined }, "list_uid"],
    ];
    for (const [fields, name] of wrong) {
      const answer = await join(fields);
      expect(answer.status).toBe(422);
      expect(Object.keys((answer.body as { errors: object }).errors)).toEqual([name]);
    }
  });

  test("names that are no field of the list are passed over, whatever their values", async () => {
    const own = await makeList();
    await ask("POST", `/lists/${own}/add-field`, { type: "text", label: "City", tag: "CITY" });
    const others = { NOWHERE: "x", NUMBER: 1, DEEP: { A: ["x"] }, nowhere: "x", _x: "x" };
    const uid = await joined({ CITY: "Rome", ...others }, own);
    expect(await ask("PATCH", `/subscribers/${uid}`, { LAST_NAME: "L", ...others })).toMatchObject({
      status: 200,
      body: { status: 1 },
    });
    const member = await detail(uid);
    expect(member).toMatchObject({ CITY: "Rome", LAST_NAME: "L" });
    for (const name of Object.keys(others)) expect(member).not.toHaveProperty(name);
    const wrong = await ask("PATCH", `/subscribers/${uid}`, { CITY: ["x"], ...others });
    expect([wrong.status, wrong.body]).toMatchObject([
      422,
      { errors: { CITY: ["must be text, a number or a boolean"] } },
    ]);
    expect((await join(others, "lst_01kat4rz8sfq3v6d1mpx3k6w9j")).status).toBe(404);
    expect((await ask("PATCH", "/subscribers/sub_nonsense", others)).status).toBe(404);
  });

  test("POST /subscribers: an address on the list is 409 with its subscriber_uid, and changes nothing", async () => {
    const uid = await joined({ EMAIL: "twice@sandbox.test", FIRST_NAME: "One" });
    const again = await join({ EMAIL: "TWICE@sandbox.test", FIRST_NAME: "Two" });
    expect([again.status, again.body]).toEqual([
      409,
      { status: 0, message: "The email address is already on this list.", subscriber_uid: uid },
    ]);
    expect((await detail(uid))["FIRST_NAME"]).toBe("One");
  });

  test("POST /subscribers: of twenty at once one joins, the others hear of it", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => join({ EMAIL: "crowd@sandbox.test" })),
    );
    const uids = answers.map(({ body }) => (body as { subscriber_uid: string }).subscriber_uid);
    expect(new Set(uids).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array<number>(19).fill(409),
    ]);
  });

  test("POST /subscribers: tags are added to what the contact has", async () => {
    await upsertContact(project.ctx, { email: "tagged@sandbox.test", tags: ["old"] });
    const uid = await joined({ EMAIL: "tagged@sandbox.test", tag: "new" });
    expect((await detail(uid))["tags"]).toEqual(["old", "new"]);
  });

  test("POST /subscribers: a name that is left blank erases none", async () => {
    await upsertContact(project.ctx, {
      email: "named@sandbox.test",
      firstName: "Ada",
      lastName: "L",
    });
    const blanks = [
      { FIRST_NAME: "", LAST_NAME: null },
      { FIRST_NAME: null, LAST_NAME: "  " },
    ];
    for (const names of blanks) {
      const to = await makeList();
      const uid = await joined({ EMAIL: "named@sandbox.test", ...names }, to);
      expect(await detail(uid)).toMatchObject({ FIRST_NAME: "Ada", LAST_NAME: "L" });
    }
  });

  test("POST /subscribers: a list that asks for confirmation sends its mail", async () => {
    const asking = await makeList({ subscribe_confirmation: "1" });
    const answer = await join({ EMAIL: "asked@sandbox.test" }, asking);
    expect(answer.body).toMatchObject({
      status: 1,
      message: "Confirmation email sent to the subscriber",
    });
    const uid = (answer.body as { subscriber_uid: string }).subscriber_uid;
    expect((await detail(uid))["status"]).toBe("unconfirmed");
    const [mail] = await database.db.execute<{ count: number }>(sql`
      select count(*)::int as count from emails
      where project_id = ${project.projectId} and recipient = 'asked@sandbox.test'
        and source = 'LIST'`);
    expect(mail?.count).toBe(1);
  });

  test("GET /subscribers: 25 a page by default, newest first, one property per field", async () => {
    const own = await makeList();
    await ask("POST", `/lists/${own}/add-field`, { type: "text", label: "City", tag: "CITY" });
    const uids: string[] = [];
    for (let nth = 0; nth < 27; nth++) uids.unshift(await joined({ CITY: `C${nth}` }, own));
    const page = async (query: string) =>
      (await ask("GET", `/subscribers?list_uid=${own}${query}`)).body as { uid: string }[];
    const first = await page("");
    expect(first.map(({ uid }) => uid)).toEqual(uids.slice(0, 25));
    expect((await page("&page=2")).map(({ uid }) => uid)).toEqual(uids.slice(25));
    expect((await page("&per_page=2&page=3")).map(({ uid }) => uid)).toEqual(uids.slice(4, 6));
    expect(await page("&page=9")).toEqual([]);
    expect(first[0]).toEqual({
      uid: uids[0],
      email: expect.stringContaining("@sandbox.test") as string,
      status: "subscribed",
      FIRST_NAME: "",
      LAST_NAME: "",
      CITY: "C26",
    });
    await ask("PATCH", `/subscribers/${uids[0] ?? ""}/unsubscribe`);
    expect((await page(""))[0]).toMatchObject({ uid: uids[0], status: "unsubscribed" });
    expect((await ask("GET", "/subscribers")).body).toMatchObject({
      errors: { list_uid: ["is required"] },
    });
  });

  test("GET /subscribers: open and click tell who did and who did not", async () => {
    const own = await makeList();
    const emails = {
      reads: "reads@sandbox.test",
      clicks: "clicks@sandbox.test",
      none: "none@sandbox.test",
    };
    for (const EMAIL of Object.values(emails)) await join({ EMAIL }, own);
    const happened = async (to: string, columns: string) => {
      const [id] = await send(project.ctx, { from: "hello@sandbox.test", to });
      await database.db.execute(sql`update emails set ${sql.raw(columns)} where id = ${id ?? ""}`);
    };
    await happened(emails.reads, "opened_at = app_now(), opens = 1");
    await happened(emails.clicks, "opened_at = app_now(), clicked_at = app_now(), clicks = 1");
    const who = async (query: string) =>
      ((await ask("GET", `/subscribers?list_uid=${own}&${query}`)).body as { email: string }[])
        .map(({ email }) => email)
        .sort();
    expect(await who("open=yes")).toEqual([emails.clicks, emails.reads]);
    expect(await who("open=no")).toEqual([emails.none]);
    expect(await who("click=yes")).toEqual([emails.clicks]);
    expect(await who("click=no&open=yes")).toEqual([emails.reads]);
    expect(await who("open=all&click=all")).toHaveLength(3);
  });

  test("GET /subscribers/{uid}: {subscriber} with source, ip_address and tags", async () => {
    const member = await addSubscriber(project.ctx, list, {
      email: address(),
      source: "added",
    });
    expect(await detail(member.id)).toMatchObject({
      source: "added",
      ip_address: null,
      tags: [],
    });
  });

  test("PATCH /subscribers/{uid}: {status, message, subscriber_uid}; only what is given changes", async () => {
    const own = await makeList();
    await ask("POST", `/lists/${own}/add-field`, { type: "number", label: "Age", tag: "AGE" });
    const uid = await joined({ FIRST_NAME: "Ada", LAST_NAME: "L", AGE: 36, tag: "a" }, own);
    const change = (fields: object) => ask("PATCH", `/subscribers/${uid}`, fields);
    expect((await change({ EMAIL: "new@sandbox.test", FIRST_NAME: "" })).body).toEqual({
      status: 1,
      message: "Subscriber was successfully updated",
      subscriber_uid: uid,
    });
    expect(await detail(uid)).toMatchObject({
      email: "new@sandbox.test",
      FIRST_NAME: "",
      LAST_NAME: "L",
      AGE: "36",
    });
    await change({ AGE: "", tag: "b" });
    expect(await detail(uid)).toMatchObject({ AGE: "", tags: ["a", "b"] });
    expect((await change({ AGE: "old" })).body).toMatchObject({
      errors: { AGE: ["is not a number"] },
    });
    await upsertContact(project.ctx, { email: "taken@sandbox.test" });
    const taken = await change({ EMAIL: "taken@sandbox.test" });
    expect([taken.status, taken.body]).toMatchObject([409, { status: 0 }]);
  });

  test("PATCH /subscribers/{uid}: address, names and tags are the contact's, other fields the list's", async () => {
    const [firstList, secondList] = [await makeList(), await makeList()];
    await ask("POST", `/lists/${firstList}/add-field`, {
      type: "text",
      label: "City",
      tag: "CITY",
    });
    await ask("POST", `/lists/${secondList}/add-field`, {
      type: "text",
      label: "City",
      tag: "CITY",
    });
    const email = address();
    const first = await joined({ EMAIL: email, CITY: "Rome" }, firstList);
    const second = await joined({ EMAIL: email, CITY: "Oslo" }, secondList);
    await ask("PATCH", `/subscribers/${first}`, { FIRST_NAME: "Ada", CITY: "Bonn" });
    expect(await detail(second)).toMatchObject({ FIRST_NAME: "Ada", CITY: "Oslo" });
    await updateContact(project.ctx, email, { firstName: "Grace" });
    expect(await detail(first)).toMatchObject({ FIRST_NAME: "Grace", CITY: "Bonn" });
  });

  test("POST /subscribers/{uid}/add-tag: comma-separated, trimmed, no repeats", async () => {
    const uid = await joined({ tag: "old" });
    expect(
      (await ask("POST", `/subscribers/${uid}/add-tag`, { tag: " vip ,early,, vip,old" })).body,
    ).toEqual({
      status: 1,
      message: "Tag was added successfully",
      subscriber_uid: uid,
      tags: ["old", "vip", "early"],
    });
    expect((await ask("POST", `/subscribers/${uid}/add-tag`, { tag: " , " })).status).toBe(422);
  });

  test("GET /subscribers/email/{email}: every list it is on, each with list_uid", async () => {
    const otherList = await makeList();
    const [onFirstList, onOtherList] = [
      await joined({ EMAIL: "both@sandbox.test" }),
      await joined({ EMAIL: "both@sandbox.test" }, otherList),
    ];
    const { body } = await ask("GET", "/subscribers/email/BOTH%40sandbox.test");
    expect(body).toMatchObject({
      subscribers: [
        {
          uid: onOtherList,
          list_uid: otherList,
          email: "both@sandbox.test",
          status: "subscribed",
          FIRST_NAME: "",
        },
        { uid: onFirstList, list_uid: list },
      ],
    });
    expect((await ask("GET", "/subscribers/email/nobody@sandbox.test")).body).toEqual({
      subscribers: [],
    });
    expect((await ask("GET", "/subscribers/email/%00")).status).toBe(422);
  });

  test("PATCH /subscribers/{uid}/subscribe: {status, message}", async () => {
    const uid = await joined();
    await ask("PATCH", `/subscribers/${uid}/unsubscribe`);
    expect((await ask("PATCH", `/subscribers/${uid}/subscribe`)).body).toEqual({
      status: 1,
      message: "Subscriber was subscribed",
    });
    expect((await detail(uid))["status"]).toBe("subscribed");
  });

  test("PATCH /subscribers/{uid}/unsubscribe: {status, message}, from this list alone", async () => {
    const email = address();
    const [onFirstList, onOtherList] = [
      await joined({ EMAIL: email }),
      await joined({ EMAIL: email }, await makeList()),
    ];
    expect((await ask("PATCH", `/subscribers/${onFirstList}/unsubscribe`)).body).toEqual({
      status: 1,
      message: "Subscriber was unsubscribed",
    });
    expect((await detail(onFirstList))["status"]).toBe("unsubscribed");
    expect((await detail(onOtherList))["status"]).toBe("subscribed");
    expect((await getContact(project.ctx, email)).subscribed).toBe(true);
  });

  test("DELETE /subscribers/{uid}: {status, message}; the contact stays", async () => {
    const email = address();
    const uid = await joined({ EMAIL: email });
    expect((await ask("DELETE", `/subscribers/${uid}`)).body).toEqual({
      status: 1,
      message: "Deleted",
    });
    expect((await ask("GET", `/subscribers/${uid}`)).status).toBe(404);
    expect((await getContact(project.ctx, email)).email).toBe(email);
  });
});

describe("States and transitions", () => {
  test("POST /subscribers with valid list_uid and EMAIL: subscriber created", async () => {
    expect((await detail(await joined()))["status"]).toBe("subscribed");
  });

  test("PATCH subscribe, already subscribed: status 0, message says so", async () => {
    const answer = await ask("PATCH", `/subscribers/${await joined()}/subscribe`);
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 0, message: "Already subscribed" },
    ]);
  });

  test("PATCH unsubscribe, subscriber exists: status 1, also a second time", async () => {
    const uid = await joined();
    for (let nth = 0; nth < 2; nth++) {
      expect((await ask("PATCH", `/subscribers/${uid}/unsubscribe`)).body).toMatchObject({
        status: 1,
      });
    }
  });

  test("a person's own unsubscription from everything is not lifted by joining or subscribing", async () => {
    await upsertContact(project.ctx, { email: "gone@sandbox.test", unsubscribed: true });
    const uid = await joined({ EMAIL: "gone@sandbox.test" });
    await ask("PATCH", `/subscribers/${uid}/unsubscribe`);
    await ask("PATCH", `/subscribers/${uid}/subscribe`);
    expect((await getContact(project.ctx, "gone@sandbox.test")).subscribed).toBe(false);
  });
});
