import { describe, expect, test } from "vitest";
import { useTestDatabase } from "@/db/testing";
import { getContact, updateContact } from "@/lib/domain/contacts/contacts";
import { upsertContact } from "@/lib/domain/contacts/upsert";
import type { Context } from "@/lib/ground/context";
import { sendEmail } from "@/lib/domain/emails/send";
import { createDomain } from "@/lib/domain/sending-domains/domains";
import { newUnownedId } from "@/lib/ground/ids/ids";
import { makeProject } from "@/lib/testing";
import { addListField, createList, deleteList, getList, listLists, updateList } from "./lists";
import { getMailingList, listMailingLists } from "./overview";
import { listFieldInput, listInput, subscriberQuery } from "./schema";
import { findSubscribers, getSubscriber, listSubscribers } from "./subscribers";
import {
  addSubscriber,
  deleteSubscriber,
  subscribe,
  tagSubscriber,
  unsubscribe,
  updateSubscriber,
} from "./change-subscribers";

const database = useTestDatabase();

const makeList = (ctx: Context, more: Record<string, unknown> = {}) =>
  createList(ctx, listInput.parse({ name: "News", fromEmail: "news@sandbox.test", ...more }));
const person = (email: string, fields: Record<string, string> = {}) => ({
  email,
  fields,
  source: "api" as const,
});
const subscribed = async (ctx: Context, email: string) => (await getContact(ctx, email)).subscribed;

/** A contact that a send made: it has never been asked. */
async function neverAsked(ctx: Context, email: string): Promise<void> {
  await sendEmail(ctx, { to: email, from: "hello@sandbox.test", subject: "Hi", body: "<p>Hi</p>" });
  expect(await subscribed(ctx, email)).toBe(false);
}

describe("lists", () => {
  test("a new list has the fields EMAIL, FIRST_NAME and LAST_NAME, and a number", async () => {
    const { ctx } = await makeProject(database.db);
    const list = await getList(ctx, (await makeList(ctx)).id);
    expect(list.fields.map(({ tag, required }) => [tag, required])).toEqual([
      ["EMAIL", true],
      ["FIRST_NAME", false],
      ["LAST_NAME", false],
    ]);
    expect(list.number).toBeGreaterThan(0);
    expect(list.members.subscribed).toBe(0);
    expect((await listLists(ctx, { limit: 5 })).data.map(({ id }) => id)).toEqual([list.id]);
  });

  test("refuses a repeated tag, an unknown type and a default that is not of the type", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    const field = (given: Record<string, unknown>) => listFieldInput.safeParse(given);
    const add = (given: Record<string, unknown>) =>
      addListField(ctx, id, listFieldInput.parse(given));
    await expect(add({ tag: "email", label: "E", type: "text" })).rejects.toMatchObject({
      details: [{ path: "tag" }],
    });
    expect(field({ tag: "X", label: "X", type: "colour" }).success).toBe(false);
    expect(field({ tag: "X", label: "X", type: "dropdown" }).success).toBe(true);
    await expect(
      add({ tag: "AGE", label: "Age", type: "number", defaultValue: "old" }),
    ).rejects.toMatchObject({ details: [{ path: "AGE" }] });
    expect(
      await add({ tag: "age", label: "Age", type: "number", defaultValue: "18" }),
    ).toMatchObject({ tag: "AGE", defaultValue: "18", required: false, visible: true });
    expect((await getList(ctx, id)).fields).toHaveLength(4);
  });

  test("another project's list is not there, and a viewer changes nothing", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: other } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    const member = await addSubscriber(ctx, id, person("ada@example.com"));
    const missing = { code: "NOT_FOUND" };
    await expect(getList(other, id)).rejects.toMatchObject(missing);
    await expect(addSubscriber(other, id, person("a@example.com"))).rejects.toMatchObject(missing);
    await expect(getSubscriber(other, member.id)).rejects.toMatchObject(missing);
    await expect(deleteList(other, id)).rejects.toMatchObject(missing);
    await expect(getList(ctx, "lst_nonsense")).rejects.toMatchObject(missing);
    const viewer = { ...ctx, role: "viewer" as const };
    await expect(makeList(viewer)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(unsubscribe(viewer, member.id)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await deleteList(ctx, id);
    expect(await subscribed(ctx, "ada@example.com")).toBe(true);
    await expect(getSubscriber(ctx, member.id)).rejects.toMatchObject(missing);
  });
});

describe("the overview of lists", () => {
  test("counts members by status, list by list, and finds lists by a part of their name", async () => {
    const { ctx } = await makeProject(database.db);
    const [first, second] = [
      await makeList(ctx, { name: "Weekly news" }),
      await makeList(ctx, { name: "100% offers", contact: { country_id: "276" } }),
    ];
    for (const name of ["a", "b", "c"]) await addSubscriber(ctx, first.id, person(`${name}@x.com`));
    const left = await addSubscriber(ctx, second.id, person("a@x.com"));
    await unsubscribe(ctx, left.id);
    const { data } = await listMailingLists(ctx, { limit: 10 });
    expect(data.map(({ id, members }) => [id, members.subscribed, members.unsubscribed])).toEqual([
      [second.id, 0, 1],
      [first.id, 3, 0],
    ]);
    const namesFor = async (search: string) =>
      (await listMailingLists(ctx, { limit: 10, search })).data.map(({ name }) => name);
    expect(await namesFor("NEWS")).toEqual(["Weekly news"]);
    expect(await namesFor("0%")).toEqual(["100% offers"]);
    expect(await getMailingList(ctx, second.id)).toMatchObject({
      contact: { country_id: "DE" },
      figures: { delivered: 0, opened: 0, clicked: 0 },
    });
    const { ctx: other } = await makeProject(database.db);
    expect((await listMailingLists(other, { limit: 10 })).data).toEqual([]);
  });

  test("a change leaves what it does not name, and is nobody else's", async () => {
    const { ctx } = await makeProject(database.db);
    const { ctx: other } = await makeProject(database.db);
    const { id } = await makeList(ctx, { fromName: "Ada", sendWelcomeEmail: true });
    expect(await updateList(ctx, id, { name: "Offers" })).toMatchObject({
      name: "Offers",
      fromName: "Ada",
      sendWelcomeEmail: true,
    });
    await expect(updateList(other, id, { name: "Mine" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      updateList({ ...ctx, role: "viewer" }, id, { name: "Mine" }),
    ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  test("members are found by a part of address or name, and say who left everything", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    await addSubscriber(ctx, id, { ...person("ada@x.com"), lastName: "Lovelace" });
    await addSubscriber(ctx, id, person("grace@x.com"));
    await upsertContact(ctx, { email: "grace@x.com", unsubscribed: true });
    const emailsFor = async (search: string) =>
      (await listSubscribers(ctx, id, { limit: 10, search })).data;
    expect((await emailsFor("LOVE")).map(({ email }) => email)).toEqual(["ada@x.com"]);
    expect(await emailsFor("gra")).toMatchObject([{ status: "subscribed", leftEverything: true }]);
    expect(await emailsFor("%")).toEqual([]);
  });
});

describe("consent", () => {
  test("joining lifts never to subscribed, never an unsubscription from everything", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    await neverAsked(ctx, "never@sandbox.test");
    await upsertContact(ctx, { email: "gone@example.com", unsubscribed: true });
    await addSubscriber(ctx, id, person("NEVER@sandbox.test"));
    const gone = await addSubscriber(ctx, id, person("gone@example.com"));
    await addSubscriber(ctx, id, person("new@example.com"));
    expect(await subscribed(ctx, "never@sandbox.test")).toBe(true);
    expect(await subscribed(ctx, "new@example.com")).toBe(true);
    expect(gone.status).toBe("subscribed");
    expect(await subscribed(ctx, "gone@example.com")).toBe(false);
    await unsubscribe(ctx, gone.id);
    expect((await subscribe(ctx, gone.id)).changed).toBe(true);
    expect(await subscribed(ctx, "gone@example.com")).toBe(false);
  });

  test("a list that asks for confirmation lifts nothing before it has it", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx, { subscribeConfirmation: true });
    await neverAsked(ctx, "never@sandbox.test");
    for (const email of ["never@sandbox.test", "new@example.com"]) {
      const member = await addSubscriber(ctx, id, person(email));
      expect(member.status).toBe("unconfirmed");
      expect(await subscribed(ctx, email)).toBe(false);
      expect((await subscribe(ctx, member.id)).subscriber.status).toBe("subscribed");
      expect(await subscribed(ctx, email)).toBe(true);
    }
    await upsertContact(ctx, { email: "customer@example.com" });
    await addSubscriber(ctx, id, person("customer@example.com"));
    expect(await subscribed(ctx, "customer@example.com")).toBe(true);
  });

  test("who joins without a name keeps the one that is known", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    await upsertContact(ctx, { email: "ada@example.com", firstName: "Ada", lastName: "L" });
    const names = { firstName: "", lastName: " \t" };
    const member = await addSubscriber(ctx, id, { ...person("ada@example.com"), ...names });
    expect(member).toMatchObject({ firstName: "Ada", lastName: "L" });
    expect(await updateSubscriber(ctx, member.id, names)).toMatchObject({
      firstName: "",
      lastName: "",
    });
  });

  test("leaving a list is not leaving all, and says whether anything changed", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    const member = await addSubscriber(ctx, id, person("ada@example.com"));
    expect(await unsubscribe(ctx, member.id)).toMatchObject({
      changed: true,
      subscriber: { status: "unsubscribed" },
    });
    expect((await unsubscribe(ctx, member.id)).changed).toBe(false);
    expect(await subscribed(ctx, "ada@example.com")).toBe(true);
    const { members } = await getList(ctx, id);
    expect(members).toMatchObject({ subscribed: 0, unsubscribed: 1 });
  });
});

describe("subscribers", () => {
  test("20 at once on one address end in one membership and 19 conflicts", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => addSubscriber(ctx, id, person("ada@example.com"))),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "CONFLICT" });
    }
    expect(await findSubscribers(ctx, "Ada@Example.com")).toHaveLength(1);
  });

  test("a refused joining changes nothing of the contact", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    await addSubscriber(ctx, id, { ...person("ada@example.com"), firstName: "Ada" });
    await expect(
      addSubscriber(ctx, id, { ...person("ada@example.com"), firstName: "Eve" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(
      addSubscriber(ctx, id, person("new@example.com", { NO: "x" })),
    ).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await getContact(ctx, "ada@example.com")).firstName).toBe("Ada");
    await expect(getContact(ctx, "new@example.com")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("values are checked against their fields' types", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    for (const field of [
      { tag: "AGE", type: "number", required: true },
      { tag: "BORN", type: "datetime" },
      { tag: "SIZE", type: "dropdown", options: ["S", "M"], defaultValue: "M" },
      { tag: "LIKES", type: "checkbox", options: ["tea", "coffee"] },
    ]) {
      await addListField(ctx, id, listFieldInput.parse({ ...field, label: field.tag }));
    }
    const wrong = { AGE: "old", BORN: "2023-02-30", SIZE: "XL", LIKES: "tea,milk", EMAIL: "x" };
    const refused = addSubscriber(ctx, id, person("a@example.com", wrong));
    await expect(refused).rejects.toMatchObject({
      details: Object.keys(wrong).map((path) => ({ path })),
    });
    await expect(addSubscriber(ctx, id, person("a@example.com"))).rejects.toMatchObject({
      details: [{ path: "AGE", message: "is required" }],
    });
    const right = { AGE: "36.5", BORN: "2024-02-29 10:30", LIKES: "tea, coffee" };
    const member = await addSubscriber(ctx, id, person("a@example.com", right));
    expect(member.fields).toEqual({ ...right, SIZE: "M" });
    const changed = await updateSubscriber(ctx, member.id, { fields: { BORN: "", SIZE: "S" } });
    expect(changed.fields).toEqual({ AGE: "36.5", LIKES: "tea, coffee", SIZE: "S" });
    await expect(updateSubscriber(ctx, member.id, { fields: { AGE: "" } })).rejects.toMatchObject({
      details: [{ path: "AGE" }],
    });
  });

  test("address, names and tags are the contact's; another's address is a conflict", async () => {
    const { ctx } = await makeProject(database.db);
    const [first, second] = [await makeList(ctx), await makeList(ctx)];
    const member = await addSubscriber(ctx, first.id, person("ada@example.com"));
    await addSubscriber(ctx, second.id, person("ada@example.com"));
    await addSubscriber(ctx, first.id, person("grace@example.com"));
    await updateSubscriber(ctx, member.id, { email: "lovelace@example.com", lastName: "Lovelace" });
    await tagSubscriber(ctx, member.id, ["vip", "vip", "early"]);
    expect(await getContact(ctx, "lovelace@example.com")).toMatchObject({
      lastName: "Lovelace",
      tags: ["vip", "early"],
    });
    await updateContact(ctx, "lovelace@example.com", { firstName: "Ada" });
    const memberships = await findSubscribers(ctx, "lovelace@example.com");
    expect(memberships.map(({ listId, firstName }) => [listId, firstName])).toEqual([
      [second.id, "Ada"],
      [first.id, "Ada"],
    ]);
    await expect(
      updateSubscriber(ctx, member.id, { email: "GRACE@example.com" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
  });

  test("are listed newest first by status, and leave without their contact", async () => {
    const { ctx } = await makeProject(database.db);
    const { id } = await makeList(ctx);
    const newestFirst = [];
    for (const name of ["a", "b", "c"]) {
      newestFirst.unshift((await addSubscriber(ctx, id, person(`${name}@example.com`))).id);
    }
    const page = await listSubscribers(ctx, id, subscriberQuery.parse({ limit: 2 }));
    const rest = await listSubscribers(
      ctx,
      id,
      subscriberQuery.parse({ limit: 2, cursor: page.nextCursor }),
    );
    expect([...page.data, ...rest.data].map((one) => one.id)).toEqual(newestFirst);
    expect(rest.nextCursor).toBeUndefined();
    await unsubscribe(ctx, newestFirst[0] ?? "");
    const left = subscriberQuery.parse({ status: "unsubscribed" });
    expect((await listSubscribers(ctx, id, left)).data.map((one) => one.id)).toEqual([
      newestFirst[0],
    ]);
    await deleteSubscriber(ctx, newestFirst[0] ?? "");
    expect((await listSubscribers(ctx, id, left)).data).toEqual([]);
    expect((await getContact(ctx, "c@example.com")).email).toBe("c@example.com");
  });
});

test("tags added one after the other stay within a hundred, and fields within 64 kB together", async () => {
  const { ctx } = await makeProject(database.db);
  const list = await createList(ctx, { name: "News", fromEmail: "news@sandbox.test" });
  const member = await addSubscriber(ctx, list.id, { email: "a@example.com", source: "api" });
  const tags = Array.from({ length: 100 }, (_, n) => `tag${n}`);
  await tagSubscriber(ctx, member.id, tags);
  await expect(tagSubscriber(ctx, member.id, ["one more"])).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  expect((await getSubscriber(ctx, member.id)).tags).toHaveLength(100);
  const names = Array.from({ length: 40 }, (_, n) => `F${n}`);
  for (const tag of names) {
    await addListField(ctx, list.id, { tag, label: tag, type: "text" });
  }
  const give = (tag: string) =>
    updateSubscriber(ctx, member.id, { fields: { [tag]: "x".repeat(2000) } });
  for (const tag of names.slice(0, 30)) await give(tag);
  const refused = await Promise.allSettled(names.slice(30).map(give));
  expect(refused.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
  expect(JSON.stringify((await getSubscriber(ctx, member.id)).fields).length).toBeLessThan(65_537);
});

test("a person's list takes no sender at a domain that is not verified; what a program chose stays", async () => {
  const { ctx } = await makeProject(database.db);
  await createDomain(ctx, { name: "pending.example" });
  const person = { ...ctx, session: { id: newUnownedId(), onlyProject: false } };
  const choose = (fromEmail: string) => createList(person, { name: "News", fromEmail });
  await expect(choose("news@absent.example")).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    details: [{ path: "fromEmail", message: expect.stringContaining("add and verify") as string }],
  });
  await expect(choose("news@pending.example")).rejects.toMatchObject({
    details: [{ path: "fromEmail", message: expect.stringContaining("is not verified") as string }],
  });
  const { id } = await createList(ctx, { name: "News", fromEmail: "news@absent.example" });
  await updateList(person, id, { name: "Renamed", fromEmail: "news@absent.example" });
  await expect(updateList(person, id, { fromEmail: "x@pending.example" })).rejects.toMatchObject({
    details: [{ path: "fromEmail" }],
  });
  expect(await updateList(person, id, { fromEmail: "x@sandbox.test" })).toMatchObject({
    name: "Renamed",
    fromEmail: "x@sandbox.test",
  });
});

test("a list says whether its sender's domain is verified", async () => {
  const { ctx } = await makeProject(database.db);
  const own = await createList(ctx, { name: "Own", fromEmail: "news@sandbox.test" });
  await createList(ctx, { name: "Foreign", fromEmail: "news@example.com" });
  const { data } = await listMailingLists(ctx, { limit: 20 });
  expect(data.map(({ name, senderVerified }) => [name, senderVerified])).toEqual([
    ["Foreign", false],
    ["Own", true],
  ]);
  expect((await getMailingList(ctx, own.id)).senderVerified).toBe(true);
});

test("a change of a subscriber that was begun on another state is refused, the contact's included", async () => {
  const { ctx } = await makeProject(database.db);
  const list = await makeList(ctx);
  const member = await addSubscriber(ctx, list.id, person("based@example.com"));
  const stale = { code: "CONFLICT", details: [{ path: "basedOn" }] };
  const contact = await updateContact(ctx, member.contactId, { firstName: "Ada" });
  const seen = await getSubscriber(ctx, member.id);
  expect(seen.updatedAt).toBe(contact.updatedAt);
  await expect(
    updateSubscriber(ctx, member.id, { lastName: "B", basedOn: member.updatedAt }),
  ).rejects.toMatchObject(stale);
  const changed = await updateSubscriber(ctx, member.id, {
    lastName: "B",
    basedOn: seen.updatedAt,
  });
  expect(changed).toMatchObject({ firstName: "Ada", lastName: "B" });
  await expect(
    updateSubscriber(ctx, member.id, { lastName: "C", basedOn: seen.updatedAt }),
  ).rejects.toMatchObject(stale);
});
