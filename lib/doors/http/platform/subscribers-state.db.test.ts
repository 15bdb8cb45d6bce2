import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { emails } from "@/db/schema";
import { useTestDatabase } from "@/db/testing";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import { addSuppression, liftSuppression } from "@/lib/domain/suppressions/suppressions";
import { encodeId } from "@/lib/ground/ids/ids";
import { makeProject, type TestProject } from "@/lib/testing";
import { platformClient, platformToken } from "@/lib/testing/platform";

const database = useTestDatabase();
let project: TestProject;
let ask: ReturnType<typeof platformClient>;
let people = 0;
beforeAll(async () => {
  project = await makeProject(database.db);
  ask = platformClient(await platformToken(project));
});

const address = () => `s${++people}@sandbox.test`;
const makeList = async (more: object = {}) => {
  const { body } = await ask("POST", "/lists", {
    ...{ name: "News", from_email: "news@sandbox.test", ...more },
  });
  return (body as { list_uid: string }).list_uid;
};
const join = async (list: string, more: object = {}) => {
  const { body } = await ask("POST", "/subscribers", { list_uid: list, EMAIL: address(), ...more });
  return (body as { subscriber_uid: string }).subscriber_uid;
};
const detail = async (uid: string) =>
  ((await ask("GET", `/subscribers/${uid}`)).body as { subscriber: Record<string, unknown> })
    .subscriber;
const statusOf = async (uid: string) => (await detail(uid)).status;

/** Reports the latest email to an address as a receiver would. */
async function report(email: string, what: object) {
  const [mail] = await database.db.execute<{ id: string }>(
    sql`select id from emails where recipient = ${email} order by id desc limit 1`,
  );
  const message_id = encodeId("email", mail?.id ?? "");
  expect((await ask("POST", "/notification", { message_id, ...what })).status).toBe(200);
}
const bounced = { type: "bounced", bounce_type: "hard" };

test("who had not confirmed before a bounce has not confirmed after it is lifted, and who had is back", async () => {
  const list = await makeList({ subscribe_confirmation: "1", send_welcome_email: "1" });
  const [email, member] = [address(), address()];
  // Known already: the sign-up alone must not be what makes them reachable.
  await upsertContact(project.ctx, { email });
  const waiting = await join(list, { EMAIL: email });
  const confirmed = await join(list, { EMAIL: member });
  await ask("PATCH", `/subscribers/${confirmed}/subscribe`);
  for (const one of [email, member]) await report(one, bounced);
  expect([await statusOf(waiting), await statusOf(confirmed)]).toEqual(["bounced", "bounced"]);
  for (const one of [email, member]) await liftSuppression(project.ctx, one);
  expect([await statusOf(waiting), await statusOf(confirmed)]).toEqual([
    "unconfirmed",
    "subscribed",
  ]);
});

test.each([
  ["bounced", bounced, "bounced", /does not take mail/, "subscribed"],
  ["complained", { type: "spam" }, "complained", /complained about mail/, "complained"],
])(
  "subscribing somebody whose mail %s changes nothing and says why",
  async (_, what, status, why, afterwards) => {
    const list = await makeList({ send_welcome_email: "1" });
    const email = address();
    const uid = await join(list, { EMAIL: email });
    await report(email, what);
    const answer = await ask("PATCH", `/subscribers/${uid}/subscribe`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 0, message: expect.stringMatching(why) as string });
    expect(await statusOf(uid)).toBe(status);
    // With another address, the way is open: a bounce said something about the former one only.
    await ask("PATCH", `/subscribers/${uid}`, { EMAIL: address() });
    expect(await statusOf(uid)).toBe(afterwards);
    await ask("PATCH", `/subscribers/${uid}/subscribe`);
    expect(await statusOf(uid)).toBe("subscribed");
  },
);

test("a complaint from an address that was suppressed by hand is not lifted by subscribing either", async () => {
  const email = address();
  const uid = await join(await makeList({ send_welcome_email: "1" }), { EMAIL: email });
  await addSuppression(project.ctx, { email });
  await report(email, { type: "spam" });
  expect(await statusOf(uid)).toBe("complained");
  const answer = await ask("PATCH", `/subscribers/${uid}/subscribe`);
  expect(answer.body).toMatchObject({
    ...{ status: 0, message: expect.stringMatching(/complained about mail/) as string },
  });
  expect(await statusOf(uid)).toBe("complained");
});

const noMail =
  "Subscriber was successfully created. No confirmation email sent to the subscriber: ";

test.each([
  ["bounced", bounced, "mail to this address has bounced.", ["unconfirmed", "subscribed"]],
  [
    "complained",
    { type: "spam" },
    "they have complained about mail.",
    ["unsubscribed", "unsubscribed"],
  ],
])(
  "who joins after their mail %s is so there, too, and is not asked",
  async (status, what, why, afterwards) => {
    const email = address();
    await join(await makeList({ subscribe_confirmation: "1" }), { EMAIL: email });
    await report(email, what);
    const mails = () => database.db.$count(emails, eq(emails.recipient, email));
    const before = await mails();
    const uids: string[] = [];
    for (const more of [{ subscribe_confirmation: "1" }, { send_welcome_email: "1" }]) {
      const answer = await ask("POST", "/subscribers", {
        ...{ list_uid: await makeList(more), EMAIL: email },
      });
      expect(answer.body).toMatchObject({ status: 1, message: `${noMail}${why}` });
      uids.push((answer.body as { subscriber_uid: string }).subscriber_uid);
    }
    expect(await mails()).toBe(before);
    for (const uid of uids) expect(await statusOf(uid)).toBe(status);
    await liftSuppression(project.ctx, email);
    expect(await Promise.all(uids.map(statusOf))).toEqual(afterwards);
  },
);

test("nobody is asked, or said to have been asked, whose address is suppressed by hand", async () => {
  const email = address();
  await addSuppression(project.ctx, { email });
  const list_uid = await makeList({ subscribe_confirmation: "1" });
  const { body } = await ask("POST", "/subscribers", { list_uid, EMAIL: email });
  expect(body).toMatchObject({ status: 1, message: `${noMail}the address is suppressed.` });
  const mails = () => database.db.$count(emails, eq(emails.recipient, email));
  expect(await mails()).toBe(0);
  await liftSuppression(project.ctx, email);
  expect((await ask("POST", "/subscribers", { list_uid, EMAIL: email })).status).toBe(409);
  expect(await mails()).toBe(1);
});

test("a change that is refused for its tags has changed nothing", async () => {
  const tags = (letter: string) => Array.from({ length: 60 }, (_, n) => `${letter}${n}`);
  const uid = await join(await makeList(), { FIRST_NAME: "Ada", tag: tags("a") });
  const before = await detail(uid);
  const change = { FIRST_NAME: "Grace", EMAIL: address(), tag: tags("b") };
  expect((await ask("PATCH", `/subscribers/${uid}`, change)).status).toBe(422);
  expect(await detail(uid)).toEqual(before);
});

test("a project is told of names, addresses and tags that its lists change, once each, and of nothing else", async () => {
  const own = await makeProject(database.db);
  const client = platformClient(await platformToken(own));
  const { body } = await client("POST", "/lists", { name: "N", from_email: "n@sandbox.test" });
  const list_uid = (body as { list_uid: string }).list_uid;
  const told = async () => {
    const rows = await database.db.execute<{ event: string; data: Record<string, unknown> }>(
      sql`select event, data from project_events where project_id = ${own.projectId}
        and event in ('contact.created', 'contact.updated') order by id`,
    );
    return rows.map(({ event, data }) => [event, data.email, data.first_name, data.tags]);
  };
  const joined = await client("POST", "/subscribers", {
    list_uid,
    EMAIL: "x@sandbox.test",
    tag: "a",
  });
  const uid = (joined.body as { subscriber_uid: string }).subscriber_uid;
  const first = await told();
  expect(first.at(-1)).toEqual(["contact.updated", "x@sandbox.test", "", ["a"]]);
  const path = `/subscribers/${uid}`;
  await client("PATCH", path, { EMAIL: "y@sandbox.test", FIRST_NAME: "Ada", tag: "b" });
  await client("POST", `${path}/add-tag`, { tag: "vip" });
  await client("POST", `${path}/add-tag`, { tag: "vip" });
  await client("PATCH", path, { tag: "vip" });
  expect((await told()).slice(first.length)).toEqual([
    ["contact.updated", "y@sandbox.test", "Ada", ["a", "b"]],
    ["contact.updated", "y@sandbox.test", "Ada", ["a", "b", "vip"]],
  ]);
});

test("whoever joins while the list is deleted joins it, or is told that there is none", async () => {
  for (let turn = 0; turn < 6; turn++) {
    const list = await makeList();
    const joins = Array.from({ length: 8 }, () =>
      ask("POST", "/subscribers", { list_uid: list, EMAIL: address() }),
    );
    const [deleted, ...answers] = await Promise.all([ask("DELETE", `/lists/${list}`), ...joins]);
    expect(deleted.status).toBe(200);
    for (const { status } of answers) expect([200, 201, 404]).toContain(status);
  }
});

test("a field may be named as its tag was written when it was made, also beside a name that means something else", async () => {
  const list = await makeList();
  for (const tag of ["city", "Tag"]) {
    await ask("POST", `/lists/${list}/add-field`, { type: "text", label: tag, tag });
  }
  const uid = await join(list, { city: "Rome", TAG: "Caesar", tag: "vip" });
  expect(await detail(uid)).toMatchObject({ CITY: "Rome", TAG: "Caesar", tags: ["vip"] });
  await ask("PATCH", `/subscribers/${uid}`, { City: "Oslo" });
  expect(await detail(uid)).toMatchObject({ CITY: "Oslo", TAG: "Caesar" });
  await ask("PATCH", `/subscribers/${uid}`, { CITY: "Wien", city: "Graz" });
  expect(await detail(uid)).toMatchObject({ CITY: "Wien" });
  const wrong = await ask("PATCH", `/subscribers/${uid}`, { city: ["x"] });
  expect(wrong.body).toMatchObject({ errors: { city: ["must be text, a number or a boolean"] } });
});
